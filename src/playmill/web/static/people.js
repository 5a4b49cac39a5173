// Who sits where: seats to take, to leave, to give to an agent and take back; who is ready, who is away.
import * as keeping from "./keeping.js";
import { called } from "./naming.js";

export class People {
  constructor(list, { words, agents, usual, ask, grace, ready, curtain }) {
    Object.assign(this, { list, words, agents, usual, ask, grace, ready, curtain });
    this.seats = [];
    list.addEventListener("click", event => this.clicked(event));
    grace.addEventListener("change", () => ask({ kind: "grace", seconds: Number(grace.value) }));
    ready.addEventListener("click", () => ask({ kind: "ready", ready: this.waits }));
    curtain.querySelector("button").addEventListener("click", () => ask({ kind: "lift", seat: this.next }));
  }

  // What whoever sits there is called, or whoever sat there then.
  nameOf(seat, name = this.seats[seat]?.name) {
    return called(name, seat, { players: this.seats.length, words: this.words });
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
    this.updateRest(seen);
    // The same seats come again whenever anything happens: a button that is replaced while it is pressed loses the click.
    const drawn = rows.map(row => row.outerHTML).join("");
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const typed = this.list.querySelector("input:focus")?.value;
    this.list.replaceChildren(...rows);
    const again = focused && this.list.querySelector(`[data-key="${focused}"]`);
    again?.focus();
    if (again && typed !== undefined) again.value = typed;
  }

  updateRest(seen) {
    const mine = seen.seats.filter(seat => seat.you && seat.held && !seat.agent);
    this.waits = mine.some(seat => seat.waits);
    this.ready.hidden = seen.started || Boolean(seen.trouble) || !mine.length || seen.seats.some(seat => seat.open);
    this.ready.textContent = this.waits ? this.words.ready : this.words.not_ready;
    this.ready.classList.toggle("main", this.waits);
    this.grace.closest("label").hidden = !seen.owner || seen.over || seen.seats.filter(seat => seat.open || seat.held).length < 2;
    if (![...this.grace.options].some(option => option.value === String(seen.grace))) {
      this.grace.add(new Option(`${seen.grace} s`, seen.grace));
    }
    this.grace.value = String(seen.grace);
  }

  // What a table that has not begun waits for.
  waitsFor(seen) {
    if (seen.seats.some(seat => seat.open)) return seen.seats.some(seat => seat.you) ? this.words.waiting : this.words.take_seat;
    return this.waits ? this.words.ask_ready : this.words.wait_ready;
  }

  // Between the turns of two people at one screen: nothing is shown until the second says that she is there.
  drop(seat) {
    this.next = seat;
    const name = this.nameOf(seat);
    this.curtain.querySelector("h2").textContent = this.words.next_is.replace("{}", name);
    this.curtain.querySelector("p").textContent = this.words.nobody_looks.replace("{}", name);
    this.curtain.hidden = false;
    this.curtain.querySelector("button").focus();
  }

  lift() {
    this.curtain.hidden = true;
  }

  row(seat, seen) {
    const row = document.createElement("li");
    row.className = [seen.turn === seat.seat && "turn", seat.you && "you"].filter(Boolean).join(" ");
    const dot = document.createElement("span");
    const there = seat.here || (seat.agent && !seat.held);
    dot.className = `dot seat-${seat.seat % 6}${there ? " there" : ""}`;
    dot.title = seat.agent && !seat.held ? "" : there ? this.words.here : this.words.away;
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = this.words.player.replace("{}", seat.seat + 1);
    const note = document.createElement("span");
    note.className = "faint";
    note.textContent = this.notes(seat, seen).filter(Boolean).join(", ");
    row.append(dot, name, note);
    const acts = document.createElement("span");
    acts.className = "acts";
    if (!seen.over && !seen.trouble) acts.append(...this.buttons(seat, seen));
    if (acts.children.length) row.append(acts);
    return row;
  }

  notes(seat, seen) {
    const agent = seat.agent && (this.agents[seat.agent] ?? seat.agent);
    if (seat.open) return [this.words.free];
    if (agent && !seat.held) return [agent];
    return [
      seat.name,
      seat.you && this.words.you,
      !seat.here && this.words.away,
      agent && this.words.stands_in.replace("{}", agent),
      !seen.started && !seat.waits && !agent && this.words.is_ready,
    ];
  }

  buttons(seat, seen) {
    const made = [];
    const give = (what, text, kind = "") => made.push(this.button(what, seat.seat, text, kind));
    const mine = seen.seats.some(one => one.you);
    if (seat.open && !mine) {
      made.push(this.name(seat.seat));
      give("sit", this.words.sit, "main");
    }
    if (seat.open && mine && !seen.started) give("sit", this.words.sit_too);
    if (seat.open && seen.owner) give("appoint", this.words.let_play);
    if (seat.held && !seat.here && !seat.agent && seen.owner) give("appoint", this.words.stand_in);
    if (seat.held && !seat.here && seen.owner && !seen.started) give("dismiss", this.words.free_seat);
    if (seat.you && seat.agent) give("dismiss", this.words.take_back, "main");
    if (seat.you) {
      give("rename", "✎");
      made.at(-1).title = made.at(-1).ariaLabel = this.words.rename;
    }
    if (seat.you) give("leave", this.words.leave);
    return made;
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
    const what = button.dataset.what;
    if (what === "sit") this.ask({ kind: "sit", seat, token: keeping.newToken(), name: button.previousElementSibling?.value ?? "" });
    if (what === "leave") this.ask({ kind: "leave", seat });
    if (what === "appoint") this.ask({ kind: "appoint", seat, agent: this.usual });
    if (what === "dismiss") this.ask({ kind: "appoint", seat, agent: "" });
    if (what === "rename") this.rename(button, seat);
  }

  rename(button, seat) {
    const name = prompt(this.words.name, this.seats[seat].name);
    if (name !== null) this.ask({ kind: "name", seat, name });
  }
}
