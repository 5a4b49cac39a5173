// Tables of this browser that can be gone back to, and finished ones that can be looked back at.
import { allTables } from "./keeping.js";

const MOST = 8, MOST_OVER = 5;
const known = allTables().filter(one => one.title);

function list(id, tables, address) {
  const section = document.getElementById(id);
  section.hidden = !tables.length;
  section.querySelector("ul").append(...tables.map(one => {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = address(one.table);
    link.textContent = one.title;
    const when = document.createElement("span");
    when.className = "faint";
    when.textContent = ` ${new Date(one.at).toLocaleString(document.documentElement.lang)}`;
    row.append(link, when);
    return row;
  }));
}

list("tables", known.filter(one => !one.over).slice(0, MOST), table => `/t/${table}`);
list("finished", known.filter(one => one.over).slice(0, MOST_OVER), table => `/t/${table}/watch`);
