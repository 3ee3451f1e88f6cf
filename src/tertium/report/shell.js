// Around every page: light or dark, and where on the page one is.

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
