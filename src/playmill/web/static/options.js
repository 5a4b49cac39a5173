// The options as a list of real buttons: the same moves as in the picture, for keys, for screen readers, for typing.

export class Options {
  constructor({ section, list, filter, count, narrowed, words, choose }) {
    Object.assign(this, { section, list, filter, count, narrowed, words, choose });
    this.all = [];
    this.left = null; // what the clicked things leave, if something was clicked
    this.locked = false;
    this.typed = false; // moves are typed: then there is always a place for it
    this.held = null; // where in here somebody who plays by keys was last, if she has gone nowhere else since
    filter.addEventListener("input", () => this.draw());
    filter.addEventListener("keydown", event => {
      if (!filter.value && (event.key === "/" || event.key === ".")) event.preventDefault(); // the key that leads here
      if (event.key !== "Enter" || this.locked || this.shown().length !== 1) return;
      const [{ action }] = this.shown();
      filter.value = "";
      this.choose(action);
    });
    list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) this.choose(Number(button.dataset.action));
    });
    list.addEventListener("keydown", event => { if (event.repeat && event.key === "Enter") event.preventDefault(); }); // one press, one move
    document.addEventListener("focusin", event => {
      const here = this.section.contains(event.target) && (event.target === filter || event.target.matches(":focus-visible"));
      this.held = here ? event.target.dataset.action ?? "" : null;
    });
    document.addEventListener("keydown", event => { if (event.key === "Escape") this.held = null; });
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

  narrow(left, more) {
    this.more = more;
    this.left = left;
    this.draw();
  }

  lock(locked) {
    this.locked = locked;
    for (const button of this.list.querySelectorAll("button")) button.disabled = locked;
  }

  // A button that is locked or gone lets the focus fall to the top of the page: whoever plays by keys goes on where she
  // was, at the same option, at the first one, or at the field where she types.
  settled() {
    if (this.held === null || document.activeElement !== document.body) return;
    const buttons = [...this.list.querySelectorAll("button:not([disabled])")];
    const typing = this.held === "" && !this.filter.hidden && !this.section.hidden;
    const place = typing ? this.filter : buttons.find(one => one.dataset.action === this.held) ?? buttons[0];
    place?.focus();
  }

  shown() {
    const wanted = this.filter.value.trim().toLowerCase();
    const told = option => `${option.words} ${option.brings}`.toLowerCase();
    const fits = option => !wanted || option.text.toLowerCase() === wanted || told(option).includes(wanted);
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
    const line = this.more ? this.words.narrowed : this.words.narrowed_here;
    this.narrowed.textContent = this.left ? line.replace("{}", shown.length) : "";
    const there = new Map([...this.list.children].map(row => [row.dataset.said, row]));
    const rows = shown.map((option, place) => this.row(option, place, there));
    if (!rows.length && this.all.length) rows.push(this.empty ??= this.told(this.words.none_fit));
    // Only what differs is touched: a button that is replaced between press and release would lose the click.
    const wanted = new Set(rows);
    for (const old of [...this.list.children]) if (!wanted.has(old)) old.remove();
    rows.forEach((row, place) => {
      if (this.list.children[place] !== row) this.list.insertBefore(row, this.list.children[place] ?? null);
    });
  }

  told(text) {
    const row = document.createElement("li");
    row.textContent = text;
    return row;
  }

  // The row of an option: the one that is there, if it says the same, with the number it has now.
  row(option, place, there) {
    const said = JSON.stringify([option.action, option.words, option.brings, option.text]);
    let row = there.get(said);
    if (!row) {
      row = document.createElement("li");
      row.dataset.said = said;
      const [button, number, told, brings, short] = ["button", "kbd", "span", "small", "code"].map(kind => document.createElement(kind));
      button.type = "button";
      button.dataset.action = option.action;
      number.setAttribute("aria-hidden", "true");
      short.textContent = option.text;
      told.append(option.words);
      brings.textContent = option.brings;
      if (option.brings) told.append(" ", brings);
      button.append(number, told, short);
      row.append(button);
    }
    const button = row.firstChild, key = place < 9 ? String(place + 1) : "";
    button.disabled = this.locked;
    if (button.firstChild.textContent !== key) button.firstChild.textContent = key;
    return row;
  }

  nth(place) {
    const option = this.shown()[place];
    if (option) this.choose(option.action);
  }
}
