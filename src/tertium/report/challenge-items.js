// All items: filters above, cards below, drawn as they come into sight.

const AT_ONCE = 30; // cards drawn at a time
const browser = { search: "", group: "", marks: systems.map(() => ""), differ: false };

/** A text with its highlighted spans. Offsets count characters as Python does, not UTF-16 units. */
function highlighted(text, spans) {
  if (!spans.length) return [text];
  const characters = Array.from(text);
  const parts = [];
  let last = 0;
  for (const [start, end] of spans) {
    parts.push(characters.slice(last, start).join(""), el("mark", {}, characters.slice(start, end).join("")));
    last = end;
  }
  return [...parts, characters.slice(last).join("")];
}

function textLine(label, text, spans) {
  return text
    ? el("div", { class: "line-of" }, el("span", { class: "who" }, label), el("span", { class: "text", dir: "auto" }, highlighted(text, spans)))
    : null;
}

const ROLES = { judge: "", check: "checked by ", settle: "settled by " };

function outputLine(output, s) {
  const several = output.answers.length > 1 || output.answers.some(({ role, note }) => role !== "judge" || note);
  const answers = output.answers.map(({ annotator, role, answer, note }) =>
    el(
      "span",
      { class: "answer", title: `${ROLES[role]}${annotator}: ${ANSWERS[answer][1]}` },
      sign(answer, `${ROLES[role]}${annotator}: ${ANSWERS[answer][1]}`),
      el("bdi", {}, annotator),
      note ? el("i", { dir: "auto" }, `\u201c${note}\u201d`) : null,
    ),
  );
  return el(
    "li",
    { class: "output" },
    verdict(output),
    named(systems[s]),
    el(
      "div",
      {},
      el(
        "span",
        { class: "text", dir: "auto" },
        output.text === null ? el("span", { class: "none" }, "text not given") : output.text || el("span", { class: "none" }, "empty"),
      ),
      several ? el("div", { class: "answers" }, answers) : null,
    ),
  );
}

function card(item) {
  return el(
    "article",
    { class: "card", "aria-label": `Item ${item.id}` },
    el(
      "header",
      {},
      el("b", { class: "id" }, item.id),
      el("span", { class: "which", dir: "auto" }, item.subcategory ? `${item.category} \u203a ${item.subcategory}` : item.category),
    ),
    el("p", { class: "question", dir: "auto" }, item.question),
    textLine("Source", item.source, item.source_spans),
    textLine("Reference", item.reference, item.reference_spans),
    el("ul", { class: "outputs" }, item.outputs.map(outputLine)),
    item.notes ? el("p", { class: "note", dir: "auto" }, item.notes) : null,
  );
}

const MARKS = {
  right: (output) => output.right === true,
  wrong: (output) => output.right === false,
  "no verdict": (output) => output.right === null,
};

function chosen(all) {
  const group = groups[Number(browser.group)];
  const words = browser.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((item) => {
    if (browser.group !== "" && group.category !== null && item.category !== group.category) return false;
    if (browser.group !== "" && group.subcategory !== null && item.subcategory !== group.subcategory) return false;
    if (browser.marks.some((mark, s) => mark && !MARKS[mark](item.outputs[s]))) return false;
    if (browser.differ && new Set(item.outputs.map((output) => output.right)).size < 2) return false;
    if (!words.length) return true;
    const text = [item.id, item.question, item.source, item.reference, item.notes, ...item.outputs.map((output) => output.text || "")]
      .join("\n")
      .toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const place = body("items");
const search = el("input", { type: "search", placeholder: "Search ids, questions and texts", "aria-label": "Search items" });
const groupOptions = groups.map((group, g) => [g, group.category === null ? "all" : group.subcategory === null ? group.category : `\u2003${group.label}`]);
const groupChoice = choice("Category", [["", "all"], ...groupOptions.filter(([g]) => groups[g].category !== null)], "", (value) => refresh({ group: value }));
const markChoices = systems.map((system, s) =>
  choice(system, [["", "any mark"], ...Object.keys(MARKS)], "", (value) => {
    browser.marks[s] = value;
    refresh({});
  }),
);
const differ = el("input", { type: "checkbox", onchange: () => refresh({ differ: differ.checked }) });
const reset = el("button", { type: "button", onclick: () => clearFilters({}) }, "Show all");
const status = el("p", { class: "status", role: "status" });
const cards = el("div", { class: "cards" });
const end = el("div", { class: "end", "aria-hidden": "true" });
let waiting = [];

search.addEventListener("input", () => refresh({ search: search.value }));

/** More cards, as long as the end of the list is near the window. */
function more() {
  cards.append(...waiting.splice(0, AT_ONCE).map(card));
}

const nearEnd = new IntersectionObserver(
  (entries) => {
    if (!entries.some((entry) => entry.isIntersecting) || !waiting.length) return;
    more();
    nearEnd.unobserve(end); // observed anew, it is looked at again even if it has not moved out of sight
    nearEnd.observe(end);
  },
  { rootMargin: "1200px" },
);

async function refresh(change) {
  Object.assign(browser, change);
  const all = await items;
  waiting = chosen(all);
  const found = waiting.length;
  status.textContent = found === all.length ? `All ${all.length} items` : `${found} of ${all.length} items`;
  reset.disabled = found === all.length && !browser.search;
  cards.replaceChildren();
  if (found) more();
  else cards.append(el("p", { class: "none" }, "No items match."));
}

function clearFilters(change) {
  search.value = "";
  differ.checked = false;
  browser.marks = systems.map(() => "");
  for (const label of markChoices) label.querySelector("select").value = "";
  groupChoice.querySelector("select").value = change.group === undefined ? "" : change.group;
  return refresh({ search: "", group: "", differ: false, ...change });
}

/** From the table of rates: the items of a group, those that the system gets wrong first in view of the marks. */
function showGroup(group, s) {
  const g = groups.indexOf(group);
  clearFilters({ group: group.category === null ? "" : String(g) }).then(() => {
    document.getElementById("items").scrollIntoView();
    markChoices[s].querySelector("select").focus({ preventScroll: true });
  });
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById("items").scrollIntoView();
  search.focus({ preventScroll: true });
});

place.append(
  el(
    "div",
    { class: "controls filters" },
    search,
    groupChoice,
    markChoices,
    systems.length > 1 ? el("label", { class: "tick-box" }, differ, "only where systems differ") : null,
    reset,
  ),
  status,
  cards,
  end,
);
nearEnd.observe(end);
refresh({});
