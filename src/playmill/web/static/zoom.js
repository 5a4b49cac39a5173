// A closer look at what the picture marks with `data-zoom="x y width height"`, an inner <svg>: less of it is shown, larger.
// The wheel with Ctrl, two fingers and buttons zoom; dragging moves. A click stays a click.

const MOST = 12, STEP = 1.5, DRAG = 6, SMALL = 26, GOOD = 36, LARGE = 34;

export class Zoom {
  constructor(place, { closer, farther, whole, box }) {
    Object.assign(this, { place, box });
    this.shown = null; // what is shown: x, y, width, height
    this.own = false; // whether somebody has chosen it
    this.hold = null; // where a drag or a pinch began
    this.dragged = false;
    closer.addEventListener("click", () => this.by(STEP));
    farther.addEventListener("click", () => this.by(1 / STEP));
    whole.addEventListener("click", () => { this.own = true; this.set(this.all()); });
    place.addEventListener("wheel", event => this.wheel(event), { passive: false });
    place.addEventListener("pointerdown", event => this.press(event));
    addEventListener("pointermove", event => this.drag(event));
    addEventListener("pointerup", () => { if (this.hold?.mouse) this.hold = null; });
    place.addEventListener("click", event => this.clicked(event), { capture: true });
    place.addEventListener("touchstart", event => this.touch(event), { passive: false });
    place.addEventListener("touchmove", event => this.pinch(event), { passive: false });
    place.addEventListener("touchend", event => this.touch(event));
    place.addEventListener("focusin", event => this.follow(event.target));
    new ResizeObserver(() => { if (this.lens) this.set(this.shown ?? this.all()); }).observe(place);
  }

  get lens() {
    return this.place.querySelector("[data-zoom]");
  }

  all() {
    const [x, y, width, height] = this.lens.getAttribute("data-zoom").split(" ").map(Number);
    return { x, y, width, height };
  }

  // A new picture: what is shown of it stays, unless it is another field. What is too small for a finger is brought near.
  fresh() {
    const lens = this.lens;
    this.box.hidden = true;
    if (!lens) return;
    const all = lens.getAttribute("data-zoom");
    if (all !== this.known) [this.shown, this.known, this.own] = [null, all, false];
    this.set(this.shown ?? this.all());
    if (!this.own && matchMedia("(pointer: coarse)").matches) this.near();
  }

  near() {
    const things = [...this.lens.querySelectorAll("[data-a], [data-in]")].map(thing => (thing.querySelector(".hit") ?? thing));
    const wide = Math.min(...things.map(thing => thing.getBoundingClientRect().width));
    if (!things.length || wide >= SMALL) return;
    const boxes = things.map(thing => thing.getBBox());
    const mean = side => boxes.reduce((sum, box) => sum + box[side[0]] + box[side[1]] / 2, 0) / boxes.length;
    this.own = true;
    const all = this.all(), times = Math.min(MOST, GOOD / wide);
    const [width, height] = [all.width / times, all.height / times];
    this.set({ x: mean(["x", "width"]) - width / 2, y: mean(["y", "height"]) - height / 2, width, height });
  }

  // The buttons stand over the upper right corner of what they zoom, if it is small or already near.
  lay() {
    const lens = this.lens;
    if (!lens) return;
    this.box.hidden = !this.shown && this.finest() >= LARGE;
    const stage = this.box.parentNode.getBoundingClientRect();
    const corner = new DOMPoint(lens.width.baseVal.value, 0).matrixTransform(lens.parentNode.getScreenCTM());
    this.box.style.left = `${corner.x - stage.left - this.box.offsetWidth}px`;
    this.box.style.top = `${Math.max(0, corner.y - stage.top - this.box.offsetHeight / 2)}px`;
  }

  // How wide the narrowest thing in it is on the screen; where there is none, nothing is small.
  finest() {
    const things = [...this.lens.querySelectorAll(".hit")].map(hit => hit.getBoundingClientRect().width);
    return things.length ? Math.min(...things) : Infinity;
  }

  frame() {
    return this.lens.firstElementChild.getScreenCTM();
  }

  set(wanted) {
    const all = this.all(), times = Math.min(MOST, Math.max(1, all.width / wanted.width));
    const width = all.width / times, height = width * this.deepen() / this.lens.width.baseVal.value;
    const within = (value, low, room) => room < 0 ? low + room / 2 : Math.max(low, Math.min(low + room, value));
    const x = within(wanted.x, all.x, all.width - width);
    const y = within(wanted.y + (wanted.height - height) / 2, all.y, all.height - height);
    this.shown = times > 1.01 ? { x, y, width, height } : null;
    this.lens.toggleAttribute("data-held", this.shown !== null);
    const box = this.shown && [x, y, width, height].map(number => number.toFixed(2)).join(" ");
    this.lens.setAttribute("viewBox", box ?? this.lens.getAttribute("data-zoom"));
    this.lay();
  }

  // The lens gets as deep as the picture's style says by `--lens`, for pages too narrow for its own shape.
  deepen() {
    const all = this.all(), own = this.lens.width.baseVal.value * all.height / all.width;
    const deep = parseFloat(getComputedStyle(this.lens).getPropertyValue("--lens")) || own;
    this.lens.setAttribute("data-lens", "");
    this.lens.setAttribute("height", deep);
    return deep;
  }

  // Where a point of the screen lies in what is drawn.
  point(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.frame().inverse());
  }

  by(times, at = null) {
    if (!this.lens) return;
    this.own = true;
    const now = this.shown ?? this.all();
    const fixed = at ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
    const [width, height] = [now.width / times, now.height / times];
    const part = { x: (fixed.x - now.x) / now.width, y: (fixed.y - now.y) / now.height };
    this.set({ x: fixed.x - part.x * width, y: fixed.y - part.y * height, width, height });
  }

  wheel(event) {
    if (!event.ctrlKey || !this.lens?.contains(event.target)) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 250), this.point(event.clientX, event.clientY));
  }

  press(event) {
    this.dragged = false;
    if (event.pointerType !== "mouse" || event.button !== 0 || !this.shown || !this.lens?.contains(event.target)) return;
    this.hold = { mouse: true, x: event.clientX, y: event.clientY, shown: this.shown };
  }

  drag(event) {
    if (this.hold?.mouse) this.move(event.clientX, event.clientY);
  }

  move(clientX, clientY) {
    const { x, y, shown } = this.hold;
    if (!this.dragged && Math.hypot(clientX - x, clientY - y) < DRAG) return;
    this.dragged = true;
    const scale = this.frame().a;
    this.set({ ...shown, x: shown.x - (clientX - x) / scale, y: shown.y - (clientY - y) / scale });
  }

  // The click that ends a drag is none.
  clicked(event) {
    if (this.dragged) event.stopPropagation();
    this.dragged = false;
  }

  touch(event) {
    const touches = [...event.touches], lens = this.lens;
    this.hold = null;
    if (!lens || !touches.length || !touches.every(one => lens.contains(one.target))) return;
    const [one, other] = touches;
    if (touches.length === 1) {
      this.dragged = false;
      if (this.shown) this.hold = { x: one.clientX, y: one.clientY, shown: this.shown };
    } else if (touches.length === 2) {
      event.preventDefault();
      const middle = this.point((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
      this.hold = { far: apart(one, other), middle, shown: this.shown ?? this.all() };
    }
  }

  pinch(event) {
    if (!this.hold || this.hold.mouse) return;
    const [one, other] = event.touches;
    event.preventDefault();
    if (!this.hold.far) return this.move(one.clientX, one.clientY);
    const { far, middle, shown } = this.hold, times = apart(one, other) / far;
    this.dragged = this.own = true;
    const [width, height] = [shown.width / times, shown.height / times];
    this.set({ x: middle.x - (middle.x - shown.x) / times, y: middle.y - (middle.y - shown.y) / times, width, height });
    const moved = this.point((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2), now = this.shown;
    if (now) this.set({ ...now, x: now.x + middle.x - moved.x, y: now.y + middle.y - moved.y });
  }

  // What keys have reached is brought into sight.
  follow(thing) {
    if (!this.shown || !this.lens?.contains(thing) || !thing.matches(":focus-visible")) return;
    const { x, y, width, height } = this.shown, box = thing.getBBox();
    const [middle, level] = [box.x + box.width / 2, box.y + box.height / 2];
    if (middle > x && middle < x + width && level > y && level < y + height) return;
    this.set({ x: middle - width / 2, y: level - height / 2, width, height });
  }
}

const apart = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
