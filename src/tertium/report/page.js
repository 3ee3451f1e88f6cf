// Start: every section that is on the page is filled, segments when they come near.

const SHOW = {
  scores: showScores,
  pairs: showPairs,
  buckets: showBuckets,
  types: showTypes,
  preferences: showPreferences,
  favouritism: showFavouritism,
  components: showComponents,
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
  const typing = event.target.closest && event.target.closest("input, select, textarea");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById("segments").scrollIntoView();
  startBrowser().then(() => browser.search.focus({ preventScroll: true }));
});

// Light or dark as the system has it, until somebody chooses.
const themeButton = document.getElementById("theme");
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const kept = {
  read() {
    try {
      return localStorage.getItem("tertium-theme");
    } catch {
      return null; // a page opened from disk may not be allowed to remember
    }
  },
  write(theme) {
    try {
      localStorage.setItem("tertium-theme", theme);
    } catch {
      // the choice holds until the page is closed
    }
  },
};

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : darkSystem.matches;
}

function nameTheme() {
  themeButton.textContent = isDark() ? "Light colours" : "Dark colours";
}

if (["light", "dark"].includes(kept.read())) document.documentElement.dataset.theme = kept.read();
themeButton.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  kept.write(document.documentElement.dataset.theme);
  nameTheme();
});
darkSystem.addEventListener("change", nameTheme);
nameTheme();

// The link of the section in sight stands out.
const links = new Map(Array.from(document.querySelectorAll("nav a"), (link) => [link.hash.slice(1), link]));
const inSight = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id).setAttribute("aria-current", "true");
    }
  },
  { rootMargin: "-20% 0px -70% 0px" },
);
for (const identity of links.keys()) inSight.observe(document.getElementById(identity));
