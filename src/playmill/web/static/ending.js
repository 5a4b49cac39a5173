// The end of a game: what it comes to for whoever looks, why, and the account of it.

// In short, and why. Who has won is told in one of the two: by name, also where the rules tell it by number.
export function verdictOf({ winners, words: why, alone }, { nameOf, you = null, words }) {
  if (alone) return { short: why, why: "" };
  if (!winners.length) return { short: words.draw, why };
  const plain = seat => words.player.replace("{}", seat + 1), number = seat => new RegExp(`${plain(seat)}(?!\\d)`, "i");
  const wins = words.wins.replace("{}", winners.map(nameOf).join(", "));
  const told = winners.reduce((text, seat) => (nameOf(seat) === plain(seat) ? text : text.replace(number(seat), nameOf(seat))), why);
  const full = winners.every(seat => number(seat).test(why)) ? told : `${wins}. ${why}`;
  const short = you === null ? wins : winners.includes(you) ? words.you_win : words.you_lose;
  return { short, why: short === wins && told === wins ? "" : you === null ? told : full };
}

// The account as a table: a line for each thing that counts, a column for each player.
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
