// Segments of one status, or with one word in them; without scripts all of them are shown.

const rows = Array.from(document.querySelectorAll(".rows > li"));
const kind = document.getElementById("status");
const words = document.getElementById("words");
const told = document.querySelector(".filters .status-line");

function choose() {
  const text = words.value.trim().toLowerCase();
  let shown = 0;
  for (const row of rows) {
    const fits = (!kind.value || row.dataset.status === kind.value) && (!text || row.textContent.toLowerCase().includes(text));
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  told.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} segments`;
}

if (kind) {
  kind.closest(".filters").hidden = false;
  kind.addEventListener("change", choose);
  words.addEventListener("input", choose);
  choose();
}
