// What the page of a challenge set knows. The items wait in a packed block.

const report = JSON.parse(document.getElementById("challenge").textContent);
const systems = report.systems.map((system) => system.label);
const groups = report.groups.map((group, g) => ({
  ...group,
  label: group.category === null ? "Overall" : group.subcategory === null ? group.category : group.subcategory || "(none)",
  rates: report.rates.slice(g * systems.length, (g + 1) * systems.length),
}));
const items = unpacked("items-data").json();

function body(section) {
  const found = document.getElementById(section);
  return found ? found.querySelector(".body") : null;
}

const ANSWERS = { yes: ["\u2713", "yes"], no: ["\u2717", "no"], na: ["\u2013", "not applicable"] };

/** A mark for an answer or a verdict: a sign, a colour, and the word for those who see neither. */
function sign(kind, words) {
  const [character, word] = ANSWERS[kind];
  return el(
    "span",
    { class: `sign ${kind}`, title: words || word },
    el("span", { "aria-hidden": "true" }, character),
    el("span", { class: "hidden" }, words || word),
  );
}

function verdict(output) {
  if (!output.judged)
    return el("span", { class: "sign none", title: "not judged" }, el("span", { "aria-hidden": "true" }, "?"), el("span", { class: "hidden" }, "not judged"));
  return output.right === null ? sign("na") : sign(output.right ? "yes" : "no", output.right ? "right" : "wrong");
}
