// What happened, in words: one entry a moment, read out as it comes.
import { legible } from "./signs.js";

const MOST = 500;

export class Log {
  constructor(list, nameOf, { look, hint }) {
    Object.assign(this, { list, nameOf, hint });
    list.addEventListener("click", event => {
      const line = event.target.closest("button.then");
      if (line) look(Number(line.parentElement.dataset.version));
    });
    this.noted = 0; // the number of the last note
    this.waiting = []; // notes of moments that are still to be played out
  }

  clear() {
    this.list.replaceChildren();
    this.noted = 0;
    this.waiting = [];
  }

  // What happened besides the game: it stands after the moment at which it did.
  note(notes) {
    this.waiting.push(...notes.filter(note => note.number > this.noted));
    this.noted = this.waiting.at(-1)?.number ?? this.noted;
  }

  settle(version) {
    while (this.waiting.length && this.waiting[0].version <= version) {
      const { seat, who, line } = this.waiting.shift();
      this.append({ version, seat, who, lines: [line] }).className = "note";
    }
  }

  add(step) {
    this.settle(step.version - 1);
    if (step.lines.length) this.append(step);
  }

  append(step) {
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    const entry = document.createElement("li");
    entry.dataset.version = step.version;
    const who = document.createElement("b");
    who.textContent = this.nameOf(step.seat, step.who);
    if (step.seat >= 0) who.className = `seat-${step.seat % 6}`;
    const line = document.createElement("button");
    Object.assign(line, { type: "button", className: "then", title: this.hint });
    line.append(who, ` ${legible(step.lines[0])}`);
    entry.append(line);
    if (step.lines.length > 1) {
      const rest = document.createElement("ul");
      for (const line of step.lines.slice(1)) {
        const told = document.createElement("li");
        told.textContent = legible(line);
        rest.append(told);
      }
      entry.append(rest);
    }
    this.list.append(entry);
    while (this.list.children.length > MOST) this.list.firstElementChild.remove();
    if (near) this.list.scrollTop = this.list.scrollHeight;
    return entry;
  }
}
