// The position in words instead of the picture, made by the server out of what this seat may know; moves are typed.
import * as keeping from "./keeping.js";

export class InWords {
  constructor(place, { options, ask, switcher }) {
    Object.assign(this, { place, options, ask, switcher });
    this.on = keeping.setting("in-words", "") === "yes";
    switcher.addEventListener("click", () => this.toggle());
    this.draw();
  }

  toggle() {
    this.on = !this.on;
    keeping.set("in-words", this.on ? "yes" : "");
    this.ask({ kind: "words", wanted: this.on });
    this.draw();
  }

  draw() {
    this.options.typed = this.on;
    this.options.draw();
    this.place.hidden = !this.on;
    this.switcher.setAttribute("aria-pressed", String(this.on));
    document.body.classList.toggle("in-words", this.on);
  }

  // A reader's place in the text is kept: lines that say the same stay what they are.
  show(text) {
    if (text === undefined) return;
    const lines = text.split("\n");
    while (this.place.children.length > lines.length) this.place.lastElementChild.remove();
    lines.forEach((line, number) => {
      const row = this.place.children[number] ?? this.place.appendChild(document.createElement("span"));
      if (row.textContent !== `${line}\n`) row.textContent = `${line}\n`;
      row.classList.toggle("columns", /\S {2,}\S/.test(line));  // what is set in columns is not broken into lines
    });
  }

  clear() {
    this.place.replaceChildren();
  }
}
