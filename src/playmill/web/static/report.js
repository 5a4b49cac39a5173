// A report on this server: a click on the head of a column sorts by it, and every table can be taken away as CSV.

const script = document.currentScript ?? document.querySelector("script[data-csv]");

const numberOf = cell => cell?.dataset.value === undefined ? null : Number(cell.dataset.value);

function compare(one, other, up) {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== null || b !== null) {
    // What has no number comes last, however it is sorted.
    if (a === null || b === null) return a === null ? (b === null ? 0 : 1) : -1;
    return up ? a - b : b - a;
  }
  const told = (one?.textContent ?? "").localeCompare(other?.textContent ?? "", document.documentElement.lang, { numeric: true });
  return up ? told : -told;
}

function sortBy(table, head, column) {
  const up = head.getAttribute("aria-sort") === "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((one, other) => compare(one.cells[column], other.cells[column], up));
  body.append(...rows);
}

// All that is known of a figure is its title, which a finger cannot ask for: a click says it below the cell.
let said = null;
function say(cell) {
  const open = said?.parentElement === cell;
  said?.remove();
  said = null;
  if (open) return;
  said = document.createElement("span");
  said.className = "exact";
  said.setAttribute("role", "status");
  said.textContent = cell.title;
  Object.assign(said.style, {
    background: "var(--paper)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "0 2px 8px rgb(0 0 0 / 20%)",
    fontSize: "14px", padding: "4px 10px", position: "absolute", right: "0", top: "100%", whiteSpace: "nowrap", zIndex: 2,
  });
  cell.style.position = "relative";
  cell.append(said);
}
document.addEventListener("click", event => {
  const cell = event.target.closest?.("td[title]");
  if (cell) say(cell);
});

const quoted = text => /[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

// Of an estimate three columns: its value and both ends of its interval, exactly.
function csvOf(table) {
  const columns = [...table.tHead.rows[0].cells].map((cell, at) => ({ cell, at })).filter(({ cell }) => !cell.classList.contains("plot"));
  const estimates = new Set(columns.filter(({ at }) => [...table.tBodies[0].rows].some(row => row.cells[at]?.dataset.low)).map(({ at }) => at));
  const heads = columns.flatMap(({ cell, at }) => {
    const name = cell.textContent.trim();
    return estimates.has(at) ? [name, `${name}: low`, `${name}: high`] : [name];
  });
  const rows = [...table.tBodies[0].rows].map(row => columns.flatMap(({ at }) => {
    const cell = row.cells[at], value = cell?.dataset.value ?? cell?.textContent.trim() ?? "";
    return estimates.has(at) ? [cell?.dataset.value ?? "", cell?.dataset.low ?? "", cell?.dataset.high ?? ""] : [value];
  }));
  return [heads, ...rows].map(row => row.map(quoted).join(",")).join("\r\n");
}

for (const table of document.querySelectorAll("section > table")) {
  if (!table.tHead || table.tBodies[0].rows.length < 1) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.classList.contains("plot")) return;
    head.tabIndex = 0;
    head.style.cursor = "pointer";
    head.addEventListener("click", () => sortBy(table, head, column));
    head.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      sortBy(table, head, column);
    });
  });
  const link = document.createElement("a");
  link.textContent = script.dataset.csv;
  link.className = "note csv";
  link.download = `${table.parentElement.id || "table"}.csv`;
  link.href = "#";
  link.addEventListener("click", () => { link.href = `data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(csvOf(table))}`; });
  table.after(link);
}
