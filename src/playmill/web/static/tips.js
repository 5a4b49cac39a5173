// What a thing is, and why it cannot be had: said beside it while one points at it, has it in focus, or taps it.

const WAIT = 280, STAY = 4000, HOLD = 450;
const TOLD = "[data-why], [data-off], [data-tip]";

export class Tips {
  constructor(place, bubble) {
    Object.assign(this, { place, bubble });
    this.thing = null;
    this.timer = null;
    place.addEventListener("pointerover", event => {
      if (event.pointerType === "mouse") this.soon(event.target.closest(TOLD));
    });
    place.addEventListener("pointerleave", () => this.hide());
    place.addEventListener("focusin", event => {
      if (event.target.matches(":focus-visible")) this.show(event.target.closest(TOLD));
    });
    place.addEventListener("focusout", () => this.hide());
    addEventListener("pointerdown", event => this.press(event));
    for (const kind of ["pointerup", "pointercancel", "pointermove"]) addEventListener(kind, event => this.release(event));
    place.addEventListener("click", event => this.clicked(event), { capture: true });
    place.addEventListener("contextmenu", event => { if (this.held) event.preventDefault(); });
    addEventListener("scroll", () => this.hide(), { passive: true, capture: true });
    document.addEventListener("keydown", event => { if (event.key === "Escape") this.hide(); });
  }

  // A finger that stays on a thing asks what it is; the click that follows is none.
  press(event) {
    this.hide();
    this.held = false;
    const thing = event.pointerType === "touch" && this.place.contains(event.target) && event.target.closest(TOLD);
    if (!thing) return;
    this.from = [event.clientX, event.clientY];
    this.timer = setTimeout(() => { this.held = true; this.show(thing); }, HOLD);
  }

  release(event) {
    if (event.pointerType !== "touch" || this.held) return;
    const [x, y] = this.from ?? [0, 0];
    if (event.type !== "pointermove" || Math.hypot(event.clientX - x, event.clientY - y) > 8) clearTimeout(this.timer);
  }

  clicked(event) {
    if (this.held) event.stopPropagation();
    this.held = false;
  }

  soon(thing) {
    if (thing === this.thing) return;
    clearTimeout(this.timer);
    if (!thing) return this.hide();
    this.timer = setTimeout(() => this.show(thing), this.bubble.hidden ? WAIT : WAIT / 3);
  }

  show(thing) {
    this.thing = thing;
    if (!thing) return this.hide();
    const brings = [...thing.querySelectorAll("[data-on][data-tip]")].map(one => one.getAttribute("data-tip"));
    const own = ["data-tip", "data-why", "data-off"].map(name => thing.getAttribute(name)).filter(Boolean);
    const lines = [...own, ...brings];
    if (!lines.length) return this.hide();
    this.put(thing, [...new Set(lines)]);
  }

  // Something is said of a thing once, for a few seconds.
  say(thing, line) {
    this.thing = thing;
    this.put(thing, [line]);
    this.timer = setTimeout(() => this.hide(), STAY);
  }

  put(thing, lines) {
    clearTimeout(this.timer);
    this.bubble.replaceChildren(...lines.map((line, place) => {
      const row = document.createElement(lines.length > 1 && place === 0 ? "b" : "span");
      row.textContent = line;
      return row;
    }));
    this.bubble.hidden = false;
    const around = thing.getBoundingClientRect(), own = this.bubble.getBoundingClientRect();
    const top = around.top - own.height - 10;
    const left = Math.max(6, Math.min(innerWidth - own.width - 6, around.left + around.width / 2 - own.width / 2));
    this.bubble.style.left = `${left}px`;
    this.bubble.style.top = `${top > 4 ? top : Math.min(innerHeight - own.height - 4, around.bottom + 10)}px`;
  }

  // What was said may not hold any more.
  renew() {
    if (this.bubble.hidden) return;
    if (this.thing?.isConnected) this.show(this.thing);
    else this.hide();
  }

  hide() {
    clearTimeout(this.timer);
    this.thing = null;
    this.bubble.hidden = true;
  }
}
