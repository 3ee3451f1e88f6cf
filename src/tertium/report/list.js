// A list of any length of which only the rows in sight exist.

const ROW_HEIGHT = 82; // as in page.css
const AROUND = 4; // rows kept ready above and below
const TALLEST = 8e6; // pixels; browsers draw no taller element, so a longer list scrolls in proportion

class LongList {
  /** `draw(item, row)` fills a row, `onselect(item)` hears which one is chosen. */
  constructor(label, draw, onselect) {
    this.draw = draw;
    this.onselect = onselect;
    this.items = [];
    this.position = 0;
    this.rows = new Map();
    this.space = el("div", { class: "space", role: "presentation" });
    this.element = el("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": label }, this.space);
    this.element.addEventListener("scroll", () => this.soon(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.soon()).observe(this.element);
  }

  show(items, position) {
    this.items = items;
    this.position = Math.max(0, Math.min(position, items.length - 1));
    this.space.style.height = `${Math.min(items.length * ROW_HEIGHT, TALLEST)}px`;
    this.forget();
    this.reveal();
    this.paint();
  }

  /** All rows are drawn again: what they show has changed. */
  forget() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.paint();
    });
  }

  get inView() {
    return this.element.clientHeight / ROW_HEIGHT;
  }

  /** Pixels of scrolling for one row: less than its height where the list is too long to be drawn whole. */
  get stride() {
    const scrollable = Math.min(this.items.length * ROW_HEIGHT, TALLEST) - this.element.clientHeight;
    return this.items.length > this.inView ? scrollable / (this.items.length - this.inView) : ROW_HEIGHT;
  }

  paint() {
    const first = this.element.scrollTop / this.stride;
    const from = Math.max(0, Math.floor(first) - AROUND);
    const to = Math.min(this.items.length, Math.ceil(first + this.inView) + AROUND);
    for (const [position, row] of this.rows) {
      if (position < from || position >= to) {
        row.remove();
        this.rows.delete(position);
      }
    }
    for (let position = from; position < to; position++) {
      if (!this.rows.has(position)) this.add(position);
      const top = this.element.scrollTop + (position - first) * ROW_HEIGHT;
      this.rows.get(position).style.transform = `translateY(${top}px)`;
    }
    if (this.rows.has(this.position)) this.element.setAttribute("aria-activedescendant", `row-${this.position}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  add(position) {
    const row = el("div", {
      class: "row",
      role: "option",
      id: `row-${position}`,
      "aria-posinset": position + 1,
      "aria-setsize": this.items.length,
      "aria-selected": position === this.position ? "true" : "false",
      onclick: () => this.select(position),
    });
    this.rows.set(position, row);
    this.draw(this.items[position], row);
    this.space.append(row);
  }

  select(position) {
    if (!this.items.length) return;
    const before = this.rows.get(this.position);
    if (before) before.setAttribute("aria-selected", "false");
    this.position = Math.max(0, Math.min(position, this.items.length - 1));
    this.reveal();
    this.paint();
    this.rows.get(this.position).setAttribute("aria-selected", "true");
    this.onselect(this.items[this.position]);
  }

  /** Scrolls as little as it takes to see the chosen row. */
  reveal() {
    const first = this.element.scrollTop / this.stride;
    if (this.position < first) this.element.scrollTop = this.position * this.stride;
    else if (this.position + 1 > first + this.inView) this.element.scrollTop = (this.position + 1 - this.inView) * this.stride;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.inView) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.select(this.position + moves[event.key]);
  }
}
