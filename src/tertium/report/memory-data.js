// What the page of a memory knows. The units wait in a packed block.

const report = JSON.parse(document.getElementById("checked").textContent);
const systems = []; // the page has none, but what draws marks asks
const units = unpacked("units-data").json();

function body(section) {
  return document.getElementById(section).querySelector(".body");
}

/** Marks of a reviewer by a unit's number. They stay in this browser, where it lets a page remember. */
const labels = {
  key: `tertium-memory-${report.identity}`,
  known: new Map(),
  read() {
    try {
      this.known = new Map(JSON.parse(localStorage.getItem(this.key) || "[]"));
    } catch {
      this.known = new Map(); // a page opened from disk may not be allowed to remember
    }
  },
  set(number, label) {
    if (label) this.known.set(number, label);
    else this.known.delete(number);
    try {
      localStorage.setItem(this.key, JSON.stringify([...this.known]));
    } catch {
      // the marks hold until the page is closed
    }
  },
  of(number) {
    return this.known.get(number) || "";
  },
};
labels.read();

/** The marks as a file that `tertium memory check --labels` reads. */
function labelLines(all) {
  return all
    .filter((unit) => labels.of(unit.number))
    .map(({ source, target, source_language, target_language, number, probability }) =>
      JSON.stringify({
        source,
        target,
        source_language,
        target_language,
        label: labels.of(number),
        number: String(number),
        probability: String(probability),
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}
