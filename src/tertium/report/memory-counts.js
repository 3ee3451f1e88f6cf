// How many units there are of each kind, and how many deserve a look.

const COUNTED = { checks: "check", clients: "client", translators: "translator", years: "year" };

for (const [key, name] of Object.entries(COUNTED)) {
  const rows = report[key].filter((own) => own.units).map((own) => [own.name || "(unknown)", own.units, own.look]);
  if (!rows.length || (key !== "checks" && rows.length < 2)) continue;
  const columns = [name, key === "checks" ? "units doubted" : "units", "deserve a look"];
  const title = key[0].toUpperCase() + key.slice(1);
  body("counts").append(
    el("div", { class: "counted" }, el("h3", {}, title), table(columns, rows.slice(0, 20), { label: title, class: "compact" }), dataLink(key, columns, rows)),
  );
}
