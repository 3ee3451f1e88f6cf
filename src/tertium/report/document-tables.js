// What is drawn over a document, as tables: groups by text; and all documents with their scores.

function drawGroups(holder) {
  const tables = report.layers.filter((layer) => now.layers.has(layer.name)).map(layerTable);
  const found = tables.filter(Boolean);
  holder.replaceChildren(...(found.length ? found : [el("p", { class: "none" }, "The layers in sight have nothing to list here.")]));
}

function layerTable(layer) {
  const { groups, links } = now.document.layers[layer.name];
  const made = groups.length ? groupTable(layer, groups) : links.length ? countTable(layer, links) : null;
  return made ? el("div", { class: "layer-table" }, el("h3", {}, layer.title), made) : null;
}

function groupTable(layer, groups) {
  const shown = [...versions.keys()].filter((text) => now.texts.has(text) && groups.some((group) => group.marks.some((mark) => mark[0] === text)));
  const said = (group, text) => {
    const counts = new Map();
    for (const [own, words, remark] of group.marks) {
      if (own !== text) continue;
      const form = words.map((word) => now.document.about[text][word].form).join(" ") + (remark ? " \u2260" : "");
      counts.set(form, (counts.get(form) || 0) + 1);
    }
    return [...counts].map(([form, n]) => (n > 1 ? `${form} \u00d7${n}` : form)).join(", ") || "\u2013";
  };
  const remarks = groups.some((group) => group.remark);
  const rows = groups.map((group, number) => [
    el("b", { class: `ink-${number % COLOURS}` }, groupName(layer, number)),
    ...shown.map((text) => said(group, text)),
    ...(remarks ? [group.remark] : []),
  ]);
  return table(["", ...shown.map((text) => versions[text].name), ...(remarks ? ["remark"] : [])], rows, { label: layer.title, class: "groups" });
}

/** Of links: how many words of each text have one. */
function countTable(layer, links) {
  const rows = [...versions.keys()]
    .filter((text) => now.texts.has(text))
    .map((text) => {
      const inside = layer.name !== "alignment";
      const words = now.document.about[text].filter(({ form }) => LETTER.test(form)).length;
      const targets = inside ? [text] : [...versions.keys()].filter((other) => other !== text && now.texts.has(other));
      const shares = targets.map((other) => {
        const own = new Set();
        for (const [t, i, u, j] of links) {
          if (t === text && u === other) own.add(i);
          else if (!inside && u === text && t === other) own.add(j);
        }
        const there = [...own].filter((word) => LETTER.test(now.document.about[text][word].form)).length;
        return { other, text: `${there} of ${words} (${percent(words ? there / words : 0)})` };
      });
      return { text, shares };
    });
  if (layer.name !== "alignment")
    return table(
      ["text", "words that take up an earlier one"],
      rows.map(({ text, shares }) => [versions[text].name, { text: shares[0].text, number: true }]),
      { label: layer.title },
    );
  const others = [...versions.keys()].filter((text) => now.texts.has(text));
  return table(
    ["words with a counterpart", ...others.map((text) => `in ${versions[text].name}`)],
    rows.map(({ text, shares }) => [
      versions[text].name,
      ...others.map((other) => ({ text: shares.find((share) => share.other === other)?.text ?? "", number: true })),
    ]),
    { label: layer.title },
  );
}

const order = { by: null };

/** All documents; those where the systems differ most can be put first. */
function drawDocuments(holder, choose) {
  const two = systems.length === 2;
  const labels = Object.keys(report.scores);
  const difference = (label, d) => report.scores[label][systems[1]][d] - report.scores[label][systems[0]][d];
  const numbers = [...report.documents.keys()];
  if (order.by !== null) numbers.sort((one, other) => Math.abs(difference(order.by, other) || 0) - Math.abs(difference(order.by, one) || 0));
  const head = [
    "document",
    "segments",
    "words",
    ...labels.flatMap((label) => [...systems.map((name) => `${label} ${called(name)}`), ...(two ? [`difference`] : [])]),
  ];
  const number = (text) => ({ text, number: true });
  const rows = numbers.map((d) => [
    el(
      "button",
      { type: "button", class: "link", "aria-current": d === now.number ? "true" : null, onclick: () => choose(d, true) },
      el("bdi", {}, report.documents[d].id),
    ),
    report.documents[d].segments,
    report.documents[d].words,
    ...labels.flatMap((label) => [
      ...systems.map((name) => number(written(report.scores[label][name][d], 1))),
      ...(two ? [number(signed(difference(label, d), 1))] : []),
    ]),
  ]);
  const choices = [["", "as they come"], ...labels.map((label) => [label, `largest difference in ${label}`])];
  const pick = (value) => {
    order.by = value || null;
    drawDocuments(holder, choose);
  };
  holder.replaceChildren(
    ...(two && labels.length ? [el("div", { class: "controls" }, choice("Order", choices, order.by ?? "", pick))] : []),
    table(head, rows, { label: "All documents" }),
  );
}
