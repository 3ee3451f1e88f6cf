// What the page of documents knows. Documents wait in packed blocks, one each, until somebody reads them.

const report = JSON.parse(document.getElementById("shown").textContent);
const systems = report.systems;
const versions = report.texts;
const firstReference = versions.findIndex((version) => version.role === "reference");
const opened = remembered((number) =>
  unpacked(`document-${number}`)
    .json()
    .then((found) => prepared(found)),
);

function body(section) {
  return document.getElementById(section).querySelector(".body");
}

const AT_FIRST = 2; // layers in sight: all of them at once are many signs

// What is on the page now: the document, the layers and texts in sight, the word that is looked at, and whether it stays.
const now = {
  number: 0,
  document: null,
  layers: new Set(report.layers.slice(0, AT_FIRST).map((layer) => layer.name)),
  texts: new Set(versions.keys()),
  word: null,
  pinned: false,
};

const LETTERS = 26;

/** What a group is called: 1, 2, 3 or a, b, c. */
function groupName(layer, number) {
  if (layer.counting !== "letters") return String(number + 1);
  const letter = String.fromCharCode(97 + (number % LETTERS));
  return number < LETTERS ? letter : letter + Math.floor(number / LETTERS);
}

const BRACKETS = { numbers: ["[", "]"], letters: ["{", "}"] };

/** A document with what belongs to each word: its links by layer, and its groups. */
function prepared(found) {
  found.about = found.texts.map(({ text, words }) => {
    const characters = Array.from(text); // places count characters as Python does, not UTF-16 units
    return words.map(([begin, end]) => ({ begin, end, form: characters.slice(begin, end).join(""), links: new Map(), groups: [] }));
  });
  found.layers = Object.fromEntries(report.layers.map((layer, n) => [layer.name, found.layers[n]]));
  for (const layer of report.layers) {
    const { links, groups } = found.layers[layer.name];
    for (const [text, word, otherText, otherWord, strength] of links) {
      addLink(found.about[text][word], layer.name, { text: otherText, word: otherWord, strength, first: false });
      addLink(found.about[otherText][otherWord], layer.name, { text, word, strength, first: true });
    }
    groups.forEach((group, number) => {
      for (const [text, words, remark] of group.marks)
        for (const word of words) found.about[text][word].groups.push({ layer, number, remark, size: words.length });
    });
  }
  const lines = found.texts.map(({ text }) => text.split("\n").length);
  found.lines = lines.every((n) => n === lines[0]) ? lines[0] : 1;
  return found;
}

function addLink(about, layer, link) {
  if (!about.links.has(layer)) about.links.set(layer, []);
  about.links.get(layer).push(link);
}

/** The words that one is linked to, in the layers that are on. */
function linksOf(text, word, layerName) {
  return now.layers.has(layerName) ? now.document.about[text][word].links.get(layerName) || [] : [];
}
