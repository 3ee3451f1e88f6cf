// Start: every section that is on the page is filled, segments when they come near.

const SHOW = {
  scores: showScores,
  pairs: showPairs,
  buckets: showBuckets,
  types: showTypes,
  preferences: showPreferences,
  favouritism: showFavouritism,
  components: showComponents,
  errors: showErrors,
  unseen: showUnseen,
  noise: showNoise,
  doctor: showDoctor,
};

for (const [section, show] of Object.entries(SHOW)) {
  if (body(section)) show(body(section));
}

const near = new IntersectionObserver(
  (entries) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      near.disconnect();
      startBrowser();
    }
  },
  { rootMargin: "800px" },
);
near.observe(document.getElementById("segments"));

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  jumpTo("segments");
  startBrowser().then(() => browser.search.focus({ preventScroll: true }));
});
followAddress();
