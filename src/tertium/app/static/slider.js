// The slider from 0 to 100. It has no value before somebody gives it one.

const slider = document.getElementById("score");

export function score(begin, changed) {
  let value = null;
  let typed = "";
  let late = 0;
  let waiting = 0;

  function show(to) {
    value = to;
    slider.value = to;
    slider.classList.remove("untouched");
    slider.setAttribute("aria-valuetext", `${Math.round(to)}`);
  }
  function set(to) {
    show(Math.min(100, Math.max(0, Math.round(to * 10) / 10)));
    changed(true);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = 0;
      changed(false); // a draft when the hand rests
    }, 250);
  }
  // Whoever leaves before the hand has rested leaves nothing behind.
  addEventListener("pagehide", () => {
    if (waiting) changed(false);
  });
  if (begin !== null && begin !== undefined) show(begin);
  slider.addEventListener("input", () => set(Number(slider.value)));
  // A click in the middle of a slider that stands there changes nothing for the browser, but it is an answer.
  slider.addEventListener("pointerup", () => value === null && set(Number(slider.value)));

  function key(pressed) {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    if (pressed in steps) {
      set(Math.round(value ?? 50) + steps[pressed]);
    } else if (pressed === "Home" || pressed === "End") {
      set(pressed === "Home" ? 0 : 100);
    } else if (/^[0-9]$/.test(pressed)) {
      typed = performance.now() - late > 1200 ? pressed : typed + pressed;
      late = performance.now();
      if (Number(typed) > 100) typed = pressed;
      set(Number(typed));
    } else {
      return false;
    }
    return true;
  }
  return {
    key,
    get value() {
      return value;
    },
    stop() {
      clearTimeout(waiting);
      waiting = 0;
    },
    focus: () => slider.focus(),
  };
}
