// Tables of this browser that can be gone back to.
import { allTables } from "./keeping.js";

const MOST = 8;
const section = document.getElementById("tables");
const found = allTables().filter(one => one.title && !one.over).slice(0, MOST);
if (found.length) {
  section.hidden = false;
  section.querySelector("ul").append(...found.map(one => {
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/t/${one.table}`;
    link.textContent = one.title;
    const when = document.createElement("span");
    when.className = "faint";
    when.textContent = ` ${new Date(one.at).toLocaleString(document.documentElement.lang)}`;
    row.append(link, when);
    return row;
  }));
}
