// The account of a finished game as a table: a line for each thing that counts, a column for each player.

export function countingTable(lines, winners, nameOf) {
  const table = document.createElement("table");
  const players = lines[0].values.length;
  if (players > 2) table.className = players > 4 ? "many crowd" : "many";
  const won = seat => players > 1 && winners.includes(seat);
  const cell = (kind, text, best) => {
    const made = document.createElement(kind);
    made.textContent = text;
    if (best) made.className = "won";
    return made;
  };
  if (players > 1) {
    const head = table.createTHead().insertRow();
    head.append(cell("th", ""));
    for (let seat = 0; seat < players; seat++) {
      const made = cell("th", nameOf(seat), won(seat));
      made.scope = "col";
      made.title = nameOf(seat);
      head.append(made);
    }
  }
  const body = table.createTBody();
  for (const { name, values, kind } of lines) {
    const row = body.insertRow();
    row.className = kind;
    const called = cell("th", name);
    called.scope = "row";
    row.append(called, ...values.map((value, seat) => cell("td", value ?? "–", kind === "total" && won(seat))));
  }
  return table;
}
