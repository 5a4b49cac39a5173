// The things of the picture under somebody's hand: pointer, keys and wheel, for every game alike.
import { PARTS, click, nameOf, narrow, numbersOf, partOf, slotsOf } from "./choosing.js";

const THINGS = "[data-a], [data-in], [data-pick], [data-why]";
const FIRST = ":is([data-a], [data-in], [data-pick])[tabindex]"; // where whoever plays by keys goes on if her thing is gone
const picks = thing => thing.getAttribute("data-pick").split(" ");
const SCROLLING = 250; // a wheel that has been scrolling the page so recently goes on doing that, and one that has not, not
const NOTCH = 80, LINE = 33; // so far a wheel turns for one step, and so far is a line, in pixels
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Things {
  constructor(place, { may, decide, takeBack, narrowed, tips, words }) {
    Object.assign(this, { place, may, decide, takeBack, narrowed, tips, words });
    this.clicked = new Set(); // names of the parts clicked so far
    this.parts = [];
    this.turns = { action: null, count: 0 }; // of the wheel, not done yet
    this.focused = null; // the name of the thing that had the focus last, if nothing else has had it since
    this.keyed = false; // whether it came there by keys
    this.scrolled = this.counted = -Infinity; // when the wheel last scrolled the page, and last counted
    this.turned = 0; // how far it has turned since its last step
    place.addEventListener("click", event => this.touch(event.target));
    place.addEventListener("keydown", event => this.key(event));
    place.addEventListener("wheel", event => this.wheel(event), { passive: false });
    document.addEventListener("focusin", ({ target }) => {
      this.focused = place.contains(target) ? nameOf(target) ?? "" : null;
      this.keyed = this.focused !== null && target.matches(":focus-visible");
    });
  }

  // A new picture lies there.
  fresh() {
    this.parts = [...this.place.querySelectorAll(PARTS)].map(partOf);
    this.clicked = new Set();
    // A thing that was clicked may be no part of any option now.
    for (const thing of this.place.querySelectorAll("[data-mark]")) thing.removeAttribute("data-mark");
    this.mark();
  }

  // All that happened has been shown: now one may go on, where one was, and with what the wheel still wants.
  settled() {
    const lost = document.activeElement === document.body && this.focused !== null;
    const first = this.keyed ? this.place.querySelector(FIRST) : null;
    if (lost) (this.named(this.focused) ?? first)?.focus({ preventScroll: true });
    const { action, count } = this.turns;
    if (!count) return;
    const more = this.may() && this.place.querySelector(`[data-more="${action}"]`);
    this.turns = { action, count: more ? count - 1 : 0 };
    if (more) this.decide(action);
  }

  named(name) {
    return [...this.place.querySelectorAll("[tabindex]")].find(thing => nameOf(thing) === name);
  }

  // A thing was clicked: a whole option is done at once, parts of options are put together.
  touch(target) {
    const thing = target.closest?.(THINGS);
    if (!thing || !this.place.contains(thing)) return false;
    if (thing.hasAttribute("data-more")) {
      this.again(Number(thing.getAttribute("data-more")));
      return true;
    }
    this.turns = { action: null, count: 0 };
    if (thing.hasAttribute("data-a")) this.decide(Number(thing.getAttribute("data-a")));
    else if (thing.hasAttribute("data-pick")) {
      if (!this.may()) return true;
      this.clicked = new Set(this.picked(thing) ? [] : picks(thing));
      this.mark();
    } else if (!thing.hasAttribute("data-in") || (thing.hasAttribute("data-go") && thing.hasAttribute("data-off"))) {
      this.tips.show(thing);
    } else if (this.may()) this.choose(nameOf(thing));
    return true;
  }

  choose(name) {
    this.clicked = click(this.parts, this.clicked, name);
    const { chosen } = this.mark();
    if (chosen !== null) this.decide(chosen);
  }

  // Whether a short cut's things are chosen, and nothing else.
  picked(thing) {
    const names = picks(thing);
    return names.length === this.clicked.size && names.every(name => this.clicked.has(name));
  }

  forget() {
    this.clicked = new Set();
    this.turns = { action: null, count: 0 };
    this.mark();
  }

  // Shows what is chosen, what still fits and what one more click would bring.
  mark() {
    const found = narrow(this.parts, this.clicked);
    const left = new Set(found.left), next = new Set(found.next);
    const fits = (options, among) => [...options].some(option => among.has(option));
    const taken = new Set(slotsOf(this.parts, this.clicked));
    let more = false; // whether there is anything to click beside what is chosen
    for (const thing of this.place.querySelectorAll(PARTS)) {
      const { name, slot, options, go } = partOf(thing);
      const chosen = this.clicked.has(name), off = !chosen && !fits(options, go ? next : left);
      more ||= !taken.has(slot) && !off;
      thing.toggleAttribute("data-mark", chosen);
      thing.toggleAttribute("data-off", off);
      thing.toggleAttribute("data-next", !taken.has(slot) && this.clicked.size > 0 && fits(options, next));
      thing.setAttribute(go ? "aria-disabled" : "aria-pressed", String(go ? off : chosen));
      if (off) {
        const until = go && (thing.getAttribute("data-until") ?? this.words.choose_first);
        thing.setAttribute("data-off", until || this.words.not_with);
      }
    }
    for (const thing of this.place.querySelectorAll("[data-pick]")) thing.toggleAttribute("data-mark", this.picked(thing));
    for (const words of this.place.querySelectorAll("[data-for]")) {
      const on = fits(numbersOf(words.getAttribute("data-for")), next);
      words.toggleAttribute("data-on", on);
      const thing = words.closest(PARTS), told = on ? words.getAttribute("data-tip") ?? words.textContent : "";
      if (thing && (on || !thing.querySelector("[data-on]"))) thing.setAttribute("aria-description", told);
    }
    this.narrowed(this.clicked.size ? found.left : null, more);
    this.tips.renew();
    return found;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat && event.key === "Enter" && !event.target.hasAttribute("data-more")) return event.preventDefault(); // one press, one move
    if (event.key === "Enter" || event.key === " ") {
      if (this.touch(event.target)) event.preventDefault();
    } else if (event.key in ARROWS && this.step(event.target, ARROWS[event.key])) event.preventDefault();
  }

  // The focus goes to the nearest thing in a direction: far aside counts more than far ahead.
  step(from, [right, down]) {
    const middle = thing => {
      const box = thing.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const thing of this.place.querySelectorAll("[tabindex]")) {
      const [left, top] = middle(thing);
      const ahead = (left - x) * right + (top - y) * down, aside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      if (thing === from || ahead < 2 || !thing.getClientRects().length || ahead + 2.2 * aside >= least) continue;
      [best, least] = [thing, ahead + 2.2 * aside];
    }
    best?.focus();
    return best !== null;
  }

  // Over a thing with `data-more` the wheel does that option again, or takes it back if it was the last thing done.
  // A page that was being scrolled when the thing came under the pointer is scrolled on.
  wheel(event) {
    if (event.ctrlKey || !event.deltaY) return;
    const thing = event.target.closest?.("[data-more]");
    const counting = event.timeStamp - this.counted < SCROLLING;
    if (event.timeStamp - this.scrolled < SCROLLING || (!thing && !counting)) {
      this.scrolled = event.timeStamp;
      return;
    }
    event.preventDefault();
    const far = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    this.turned = counting && far * this.turned > 0 ? this.turned + far : far;
    this.counted = event.timeStamp;
    if (!thing || Math.abs(this.turned) < NOTCH) return;
    this.turned = 0;
    this.turn(thing, far < 0);
  }

  turn(thing, more) {
    const action = Number(thing.getAttribute("data-more"));
    if (more) this.again(action);
    else if (this.turns.count && this.turns.action === action) this.turns.count -= 1;
    else if (this.may() && !this.takeBack(action)) this.tips.say(thing, this.words.not_last);
  }

  // Does an option now, or as soon as what is under way is done.
  again(action) {
    if (this.may()) this.decide(action);
    else this.turns = { action, count: this.turns.action === action ? this.turns.count + 1 : 1 };
  }
}
