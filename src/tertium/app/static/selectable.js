// A text whose characters can be selected by pointer and by keys: whole words, or single letters. Places are counted in
// Unicode code points, as the server counts them.

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

// changed(): the cursor or the selection is another one.
export function selectable(element, changed) {
  const letters = [];
  const words = [];

  function split(node) {
    const parts = [...graphemes.segment(node.textContent)].map(({ segment }) => {
      const letter = document.createElement("span");
      letter.className = "c";
      letter.textContent = segment;
      const s = letters.at(-1)?.e ?? 0;
      letters.push({ s, e: s + [...segment].length, node: letter });
      return letter;
    });
    if (node.nodeType === Node.TEXT_NODE) node.replaceWith(...parts);
    else {
      node.replaceChildren(...parts);
      words.push({ s: Number(node.dataset.s), e: Number(node.dataset.e), node });
    }
  }
  for (const node of [...element.childNodes]) split(node);

  let byLetter = false;
  let cursor = 0;
  let anchor = null; // the other end of a selection; null: nothing is selected
  let placed = false; // whether anybody has put the cursor anywhere
  const units = () => (byLetter ? letters : words);
  const current = () => units()[cursor];
  const focused = () => document.activeElement === element;

  function put(to, extend) {
    if (extend) anchor ??= current();
    else anchor = null;
    cursor = Math.min(Math.max(to, 0), units().length - 1);
    placed = true;
    changed();
  }

  const self = {
    element,
    focused,
    focus: () => element.focus(),
    text: (from, to) =>
      letters
        .filter((letter) => letter.s < to && letter.e > from)
        .map((letter) => letter.node.textContent)
        .join(""),
    range() {
      if (anchor === null || !units().length) return null;
      return [Math.min(anchor.s, current().s), Math.max(anchor.e, current().e)];
    },
    at: () => (focused() && units().length ? [current().s, current().e] : null),
    place: () => (placed && units().length ? (self.range() ?? [current().s])[0] : null),
    clear() {
      anchor = null;
    },
    letterwise(yes) {
      const s = current()?.s ?? 0;
      byLetter = yes;
      cursor = Math.max(
        0,
        units().findIndex((unit) => unit.e > s),
      );
    },
    // level(letter): how bad the worst error on it is; gaps: where something is missing.
    paint(level, gaps) {
      const chosen = self.range();
      const here = self.at();
      for (const letter of letters) {
        const { classList, dataset } = letter.node;
        classList.toggle("chosen", chosen !== null && letter.s >= chosen[0] && letter.e <= chosen[1]);
        classList.toggle("cursor", here !== null && letter.s >= here[0] && letter.e <= here[1]);
        classList.toggle("gap", gaps.includes(letter.s));
        classList.toggle("gap-after", letter === letters.at(-1) && gaps.includes(letter.e));
        dataset.level = level(letter) || "";
      }
      for (const word of words) word.node.classList.toggle("cursor", here !== null && word.s <= here[0] && word.e >= here[1]);
    },
    key(key, event) {
      const rightToLeft = getComputedStyle(element).direction === "rtl";
      const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
      const backward = rightToLeft ? "ArrowRight" : "ArrowLeft";
      const steps = { [forward]: 1, [backward]: -1, Home: -letters.length, End: letters.length };
      if (key in steps && units().length) {
        put(cursor + steps[key], event.shiftKey);
        current().node.scrollIntoView({ block: "nearest" });
        return true;
      }
      if (key === "Escape") {
        anchor = null;
        changed();
        return true;
      }
      return false;
    },
  };

  // Selecting by pointer: from where it goes down to where it goes up.
  let pointing = false;
  function unitAt(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    return units().findIndex((unit) => under.includes(unit.node));
  }
  element.addEventListener("pointerdown", (event) => {
    const at = unitAt(event);
    if (at < 0 || event.button !== 0) return;
    event.preventDefault();
    element.focus();
    pointing = true;
    if (event.shiftKey) put(at, true);
    else {
      put(at, false);
      anchor = current();
      changed();
    }
  });
  addEventListener("pointermove", (event) => {
    const at = pointing ? unitAt(event) : -1;
    if (at >= 0 && at !== cursor) put(at, true);
  });
  addEventListener("pointerup", () => {
    pointing = false;
  });
  element.addEventListener("focus", changed);
  element.addEventListener("blur", changed);
  return self;
}
