// Where the address points: sections, and single segments as #segment-12, which can be sent to others.

const SETTLING = 3000; // ms in which what is above may still be drawn
let leaveAlone = () => {};

/** Scrolls to a section and keeps it at the top while what is above it is still drawn, unless somebody scrolls. */
function jumpTo(identity) {
  const target = document.getElementById(identity);
  if (!target) return;
  leaveAlone();
  const align = () => target.scrollIntoView({ behavior: "instant" });
  const watch = new ResizeObserver(align);
  const events = ["wheel", "touchmove", "pointerdown", "keydown"];
  const stop = () => {
    watch.disconnect();
    clearTimeout(timer);
    for (const event of events) removeEventListener(event, stop);
  };
  const timer = setTimeout(stop, SETTLING);
  align();
  watch.observe(document.querySelector("main"));
  for (const event of events) addEventListener(event, stop, { passive: true });
  leaveAlone = stop;
}

function openSegment(segment) {
  jumpTo("segments");
  startBrowser().then(() => browser.goTo(segment));
}

/** Links on the page, the back button, and an address that somebody was sent. */
function followAddress() {
  const follow = () => {
    const identity = decodeURIComponent(location.hash.slice(1));
    const segment = /^segment-(\d+)$/.exec(identity);
    if (segment) openSegment(Math.min(about.count, Math.max(1, Number(segment[1]))) - 1);
    else if (identity) jumpTo(identity);
  };
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("nav a");
    if (link && link.hash === location.hash) setTimeout(follow); // a second click on the same link changes no address
  });
  follow();
}

/** The address in the browser's bar is that of the segment in sight. */
function markAddress(segment) {
  history.replaceState(null, "", `#segment-${segment + 1}`);
}

function shareLink(segment) {
  const link = el("a", { class: "address", href: `#segment-${segment + 1}`, title: "A link to this segment" }, "Copy link");
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    markAddress(segment);
    try {
      await navigator.clipboard.writeText(location.href);
      link.textContent = "Copied";
    } catch {
      link.textContent = "In the address bar"; // some browsers let no page from disk write to the clipboard
    }
  });
  return link;
}
