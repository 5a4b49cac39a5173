// The options as a list of real buttons: the same moves as in the picture, for keys, for screen readers, for typing.

export class Options {
  constructor({ section, list, filter, count, narrowed, words, choose }) {
    Object.assign(this, { section, list, filter, count, narrowed, words, choose });
    this.all = [];
    this.left = null; // what the clicked things leave, if something was clicked
    this.locked = false;
    this.typed = false; // moves are typed: then there is always a place for it
    filter.addEventListener("input", () => this.draw());
    filter.addEventListener("keydown", event => {
      if (event.key !== "Enter" || this.locked || this.shown().length !== 1) return;
      const [{ action }] = this.shown();
      filter.value = "";
      this.choose(action);
    });
    list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) this.choose(Number(button.dataset.action));
    });
    list.addEventListener("pointerover", event => this.point(event, true));
    list.addEventListener("pointerout", event => this.point(event, false));
    list.addEventListener("focusin", event => this.point(event, true));
    list.addEventListener("focusout", event => this.point(event, false));
  }

  // What an option stands for is marked in the picture while it is pointed at.
  point(event, on) {
    const button = event.target.closest("button");
    if (!button) return;
    const { action } = button.dataset;
    for (const thing of document.querySelectorAll(`#picture :is([data-a="${action}"], [data-in~="${action}"])`)) {
      thing.toggleAttribute("data-point", on);
    }
  }

  // The same options may come again at any moment: what is being typed then is not lost.
  set(options) {
    const same = options.length === this.all.length && options.every(({ action }, at) => action === this.all[at].action);
    this.all = options;
    this.left = null;
    if (!same) this.filter.value = "";
    this.draw();
  }

  narrow(left) {
    this.left = left;
    this.draw();
  }

  lock(locked) {
    this.locked = locked;
    for (const button of this.list.querySelectorAll("button")) button.disabled = locked;
  }

  shown() {
    const wanted = this.filter.value.trim().toLowerCase();
    const fits = option => !wanted || option.text.toLowerCase() === wanted || option.words.toLowerCase().includes(wanted);
    const left = this.left && new Set(this.left);
    const found = this.all.filter(option => (!left || left.has(option.action)) && fits(option));
    const exact = found.filter(option => option.text.toLowerCase() === wanted);
    return exact.length ? exact : found;
  }

  draw() {
    const shown = this.shown();
    this.section.hidden = !this.all.length;
    this.filter.hidden = this.all.length < 8 && !this.typed;
    this.count.textContent = this.all.length > 1 ? `(${shown.length})` : "";
    this.narrowed.hidden = !this.left;
    this.narrowed.textContent = this.left ? this.words.narrowed.replace("{}", shown.length) : "";
    const rows = shown.map((option, place) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.action = option.action;
      button.disabled = this.locked;
      const number = document.createElement("kbd");
      number.textContent = place < 9 ? place + 1 : "";
      number.setAttribute("aria-hidden", "true");
      const short = document.createElement("code");
      short.textContent = option.text;
      button.append(number, option.words, short);
      row.append(button);
      return row;
    });
    if (!rows.length && this.all.length) {
      const row = document.createElement("li");
      row.textContent = this.words.none_fit;
      rows.push(row);
    }
    this.list.replaceChildren(...rows);
  }

  nth(place) {
    const option = this.shown()[place];
    if (option) this.choose(option.action);
  }
}
