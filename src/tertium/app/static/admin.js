// The table of annotators, fetched again every few seconds, unless somebody is using it.
const live = document.getElementById("live");

async function refresh() {
  if (document.hidden || live.contains(document.activeElement) || live.querySelector("details[open]")) return;
  try {
    const response = await fetch(live.dataset.url, { headers: { accept: "text/html" } });
    if (response.ok && !response.redirected) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      live.replaceChildren(...page.body.childNodes);
    }
  } catch {
    // The next time it may work again.
  }
}
setInterval(refresh, 4000);
