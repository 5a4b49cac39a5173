// Who sits where: seats to take, to leave, to give to an agent.
import * as keeping from "./keeping.js";

export class People {
  constructor(list, { words, agents, usual, ask }) {
    Object.assign(this, { list, words, agents, usual, ask });
    this.seats = [];
    this.owner = false;
    list.addEventListener("click", event => this.clicked(event));
  }

  nameOf(seat) {
    if (seat < 0 || seat === undefined) return "";
    const found = this.seats[seat];
    return found?.name || this.words.player.replace("{}", seat + 1);
  }

  update(seen) {
    this.seats = seen.seats;
    const rows = seen.seats.map(seat => this.row(seat, seen));
    if (seen.spectators) {
      const row = document.createElement("li");
      row.className = "faint";
      row.textContent = this.words.spectators.replace("{}", seen.spectators);
      rows.push(row);
    }
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.list.replaceChildren(...rows);
    if (focused) this.list.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  row(seat, seen) {
    const row = document.createElement("li");
    row.className = [seen.turn === seat.seat && "turn", seat.you && "you"].filter(Boolean).join(" ");
    const dot = document.createElement("span");
    const there = seat.agent || seat.here;
    dot.className = `dot seat-${seat.seat % 6}${there ? " there" : ""}`;
    dot.title = seat.agent ? "" : there ? this.words.here : this.words.away;
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = this.words.player.replace("{}", seat.seat + 1);
    const note = document.createElement("span");
    note.className = "faint";
    const whose = seat.agent ? this.agents[seat.agent] ?? seat.agent : seat.open ? this.words.free : seat.name;
    note.textContent = [whose, seat.you && this.words.you].filter(Boolean).join(", ");
    row.append(dot, name, note);
    const free = seat.open && !seen.over && !seen.trouble;
    if (free && seen.you === null) row.append(this.name(seat.seat), this.button("sit", seat.seat, this.words.sit, "main"));
    if (free && seen.owner) row.append(this.button("appoint", seat.seat, this.words.let_play));
    if (seat.you && !seen.over) row.append(this.button("leave", seat.seat, this.words.leave));
    return row;
  }

  name(seat) {
    const made = document.createElement("input");
    made.maxLength = 24;
    made.placeholder = made.ariaLabel = this.words.name;
    made.value = keeping.setting("name", "");
    made.dataset.key = `name-${seat}`;
    made.addEventListener("input", () => keeping.set("name", made.value));
    return made;
  }

  button(what, seat, text, kind = "") {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `small ${kind}`;
    made.dataset.what = what;
    made.dataset.seat = seat;
    made.dataset.key = `${what}-${seat}`;
    made.textContent = text;
    return made;
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const seat = Number(button.dataset.seat);
    if (button.dataset.what === "sit") this.ask({ kind: "sit", seat, name: keeping.setting("name", "") });
    if (button.dataset.what === "leave") this.ask({ kind: "leave" });
    if (button.dataset.what === "appoint") this.ask({ kind: "appoint", seat, agent: this.usual });
  }
}
