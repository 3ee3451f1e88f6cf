// Word differences of two texts: the longest common subsequence of their words.

const LARGEST = 4e6; // cells of the table; texts with more are marked as different as a whole

const segmenter = typeof Intl !== "undefined" && Intl.Segmenter ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;

/** Words, punctuation marks and spaces of a text, nothing left out. Also for scripts that put no spaces. */
function wordsOf(text) {
  if (segmenter) return Array.from(segmenter.segment(text), (part) => part.segment);
  return text.match(/\s+|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) || [];
}

/** [["same" | "only" | "missing", text], ...]: what of `text` is in `other`, only here, or missing here. */
function differences(text, other) {
  const a = wordsOf(text);
  const b = wordsOf(other);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const inner = middle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const all = [...a.slice(0, start).map((word) => ["same", word]), ...inner, ...a.slice(a.length - end).map((word) => ["same", word])];
  return joinedRuns(all);
}

function middle(a, b) {
  const rows = a.length + 1;
  const columns = b.length + 1;
  if (rows * columns > LARGEST || !a.length || !b.length) {
    return [...a.map((word) => ["only", word]), ...b.map((word) => ["missing", word])];
  }
  // length[i * columns + j]: the longest common subsequence of a from i on and b from j on. A space weighs next to
  // nothing, so that words are what is matched.
  const length = new Float32Array(rows * columns);
  const weight = a.map((word) => (/\S/.test(word) ? 1 : 0.01));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * columns + j;
      length[here] = Math.max(length[here + columns], length[here + 1], a[i] === b[j] ? weight[i] + length[here + columns + 1] : 0);
    }
  }
  const found = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const here = i * columns + j;
    if (a[i] === b[j] && length[here] === Math.fround(weight[i] + length[here + columns + 1])) {
      found.push(["same", a[i++]]);
      j++;
    } else if (length[here + columns] >= length[here + 1]) found.push(["only", a[i++]]);
    else found.push(["missing", b[j++]]);
  }
  while (i < a.length) found.push(["only", a[i++]]);
  while (j < b.length) found.push(["missing", b[j++]]);
  return found;
}

/** Neighbours of one kind become one run, a space between two of a kind goes with them; missing words come last. */
function joinedRuns(parts) {
  const runs = [];
  let only = "";
  let missing = "";
  const flush = () => {
    if (only) runs.push(["only", only]);
    if (missing.trim()) runs.push(["missing", missing.trim()]);
    only = missing = "";
  };
  for (let p = 0; p < parts.length; p++) {
    const [kind, word] = parts[p];
    const next = parts[p + 1];
    const bridges = kind === "same" && !/\S/.test(word) && next && next[0] !== "same" && (only || missing);
    if (kind === "only") only += word;
    else if (kind === "missing") missing += word;
    else if (bridges) {
      only += word;
      if (missing) missing += word;
    } else {
      flush();
      if (runs.length && runs[runs.length - 1][0] === "same") runs[runs.length - 1][1] += word;
      else runs.push(["same", word]);
    }
  }
  flush();
  return runs;
}

/** A text with its differences to another marked: <ins> what only it has, <del> what it lacks. */
function marked(text, other, withMissing) {
  if (text === null || text === undefined) return el("span", { class: "none" }, "none");
  if (other === null || other === undefined) return el("span", { dir: "auto", class: "text" }, text || " ");
  const shown = el("span", { dir: "auto", class: "text" });
  const runs = differences(text, other);
  runs.forEach(([kind, words], i) => {
    if (kind === "same") shown.append(words);
    else if (kind === "only") shown.append(...edged(words, "ins"));
    else if (withMissing) {
      const before = /(^|\s)$/.test(shown.textContent) ? "" : " ";
      const after = runs[i + 1] && /^[\p{L}\p{N}]/u.test(runs[i + 1][1]) ? " " : "";
      shown.append(before, el("del", {}, words), after);
    }
  });
  return shown;
}

/** A mark without spaces at its ends: a line under a space looks like a mistake. */
function edged(words, tag) {
  const core = words.trim();
  if (!core) return [words];
  const at = words.indexOf(core);
  return [words.slice(0, at), el(tag, {}, core), words.slice(at + core.length)];
}
