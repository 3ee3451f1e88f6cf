// Before anything is painted: the colours that were chosen last time.
try {
  const theme = localStorage.getItem("tertium-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // no storage: the colours of the system
}
