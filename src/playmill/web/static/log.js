// What happened, in words: one entry a moment, read out as it comes.

const MOST = 500;

export class Log {
  constructor(list, nameOf) {
    this.list = list;
    this.nameOf = nameOf;
  }

  clear() {
    this.list.replaceChildren();
  }

  add(step) {
    if (!step.lines.length) return;
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    const entry = document.createElement("li");
    entry.dataset.version = step.version;
    const who = document.createElement("b");
    who.textContent = this.nameOf(step.seat);
    if (step.seat >= 0) who.className = `seat-${step.seat % 6}`;
    entry.append(who, ` ${step.lines[0]}`);
    if (step.lines.length > 1) {
      const rest = document.createElement("ul");
      for (const line of step.lines.slice(1)) {
        const told = document.createElement("li");
        told.textContent = line;
        rest.append(told);
      }
      entry.append(rest);
    }
    this.list.append(entry);
    while (this.list.children.length > MOST) this.list.firstElementChild.remove();
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }
}
