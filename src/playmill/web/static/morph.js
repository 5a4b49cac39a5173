// Turns one picture into the next without replacing it: what stays keeps its focus and hover, what moves slides.
//
// Elements are the same thing if they have the same `data-thing`, `id`, `data-a` or `data-of` (what a thing lies in); else
// by their order. Styles are set through the object model, since the page allows no inline style.

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = 320;
// What no picture needs: should a name ever slip into one unescaped, there is nothing it can do.
const UNWANTED = new Set(["script", "foreignObject", "iframe", "animate", "set"]);
const isUnwanted = name => name.startsWith("on") || name === "href" || name.endsWith(":href");
// What the page itself has set.
const KEPT = new Set(["style", "data-mark", "data-held", "data-lens"]);
const sheets = new Map();
const sliding = new WeakMap();
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The picture of a text. What it says about style is taken out first: as markup the page would refuse it.
export function parsePicture(text) {
  const styles = [];
  const plain = text
    .replace(/<style>([^<]*)<\/style>/g, (_, style) => { styles.push(style); return ""; })
    .replace(/ style="/g, ' data-style="');
  const parsed = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  for (const element of [...parsed.querySelectorAll("*")]) if (UNWANTED.has(element.localName)) element.remove();
  for (const title of [...parsed.querySelectorAll("* > * > title")]) tell(title);
  for (const thing of parsed.querySelectorAll("[data-why]")) explain(thing);
  return { picture: parsed, styles };
}

function explain(thing) {
  const why = thing.getAttribute("data-why");
  thing.setAttribute("role", "img");
  thing.setAttribute(thing.hasAttribute("aria-label") ? "aria-description" : "aria-label", why);
}

// What is said of a thing becomes its name: a browser would show a title late, and neither to fingers nor to keys.
function tell(title) {
  const thing = title.parentNode, line = title.textContent;
  title.remove();
  thing.setAttribute("data-tip", line);
  thing.setAttribute("aria-label", line);
}

export function adopt(styles) {
  for (const style of styles) {
    if (sheets.has(style)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(style, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
}

// Shows a picture in a place, out of the one that is there.
export function show(place, text, { still = false } = {}) {
  const { picture, styles } = parsePicture(text);
  if (picture.nodeName !== "svg") return null;
  adopt(styles);
  const old = place.querySelector(":scope > svg");
  if (!old || old.getAttribute("class") !== picture.getAttribute("class")) {
    const fresh = copied(picture);
    place.replaceChildren(fresh);
    return fresh;
  }
  const places = still ? null : whereThingsAre(old), throws = still ? null : stirred(old);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  morph(old, picture);
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true }); // it was moved
  if (places) slide(old, places);
  if (throws) tumble(old, throws);
  return old;
}

function copied(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return document.createTextNode(node.data ?? "");
  const made = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) setAttribute(made, name, value);
  for (const child of node.childNodes) made.append(copied(child));
  return made;
}

function setAttribute(element, name, value) {
  if (name === "xmlns" || isUnwanted(name)) return;
  if (element.getAttribute(name) === value) return;
  if (element.hasAttribute("data-lens") && (name === "viewBox" || name === "height")) return; // see zoom.js
  element.setAttribute(name, value);
  if (name === "data-style") element.style.cssText = value;
}

export function morph(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) setAttribute(old, name, value);
  if (old.hasAttribute("style") && !fresh.hasAttribute("data-style")) old.removeAttribute("style");
  morphChildren(old, fresh);
}

const keyOf = node =>
  node.nodeType === Node.ELEMENT_NODE
    ? node.getAttribute("data-thing") ?? node.getAttribute("id") ?? node.getAttribute("data-a") ?? node.getAttribute("data-of")
    : null;

function morphChildren(old, fresh) {
  const named = new Map();
  for (const child of old.childNodes) {
    const key = keyOf(child);
    if (key !== null) named.set(`${child.localName}:${key}`, child);
  }
  let at = old.firstChild;
  for (const wanted of fresh.childNodes) {
    const key = keyOf(wanted);
    const found = key !== null ? named.get(`${wanted.localName}:${key}`) : nextAlike(at, wanted);
    if (found) {
      if (key !== null) named.delete(`${wanted.localName}:${key}`);
      if (found === at) at = at.nextSibling;
      else old.insertBefore(found, at);
      if (found.nodeType === Node.ELEMENT_NODE) morph(found, wanted);
      else if (found.data !== wanted.data) found.data = wanted.data;
    } else {
      old.insertBefore(copied(wanted), at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// The child that an unnamed element can become: the next unnamed one, if it is of the same kind; else none, and what
// is left over in the end goes.
function nextAlike(at, wanted) {
  while (at && keyOf(at) !== null) at = at.nextSibling;
  if (!at || at.nodeType !== wanted.nodeType) return null;
  if (at.nodeType !== Node.ELEMENT_NODE) return at;
  const same = at.localName === wanted.localName && at.getAttribute("class") === wanted.getAttribute("class");
  return same ? at : null;
}

function whereThingsAre(picture) {
  const places = new Map();
  for (const thing of picture.querySelectorAll("[data-thing]")) {
    places.set(thing.getAttribute("data-thing"), thing.getBoundingClientRect());
  }
  return places;
}

// By thing, the mark of the last time it was thrown.
function stirred(picture) {
  const found = [...picture.querySelectorAll("[data-stir]")];
  return new Map(found.map(one => [one.closest("[data-thing]")?.getAttribute("data-thing"), one.getAttribute("data-stir")]));
}

// Things that were thrown again since the last picture tumble, each a little later than the one before.
function tumble(picture, before) {
  if (isStill()) return;
  let delay = 0;
  for (const thing of picture.querySelectorAll("[data-stir]")) {
    if (before.get(thing.closest("[data-thing]")?.getAttribute("data-thing")) === thing.getAttribute("data-stir")) continue;
    thing.animate(
      [{ transform: "translateY(-14px) rotate(-220deg) scale(.75)" }, { transform: "none" }],
      { duration: 420, delay, easing: "cubic-bezier(.2, .8, .3, 1.1)", fill: "backwards" },
    );
    delay += 35;
  }
}

// Things that stand elsewhere now slide there from where they stood, wherever in the picture they are drawn; new ones
// slide out of the thing that `data-from` names.
function slide(picture, places) {
  if (!places.size || isStill()) return;
  for (const thing of picture.querySelectorAll("[data-thing]")) {
    const before = places.get(thing.getAttribute("data-thing")) ?? places.get(thing.getAttribute("data-from"));
    sliding.get(thing)?.cancel(); // it goes on from where it is seen
    const now = before && thing.getBoundingClientRect();
    if (!before || (Math.abs(before.x - now.x) < 1 && Math.abs(before.y - now.y) < 1)) continue;
    if (Math.abs(before.y - now.y) < 1 && Math.abs(before.width - now.width) > 2) continue; // it has only grown
    const [duration, delay = 0] = (thing.getAttribute("data-slide") ?? `${SLIDE}`).split(" ").map(Number);
    const scale = thing.getScreenCTM()?.a || 1; // of the part it lies in, too
    const from = `translate(${(before.x - now.x) / scale}px, ${(before.y - now.y) / scale}px)`;
    const going = thing.animate([{ transform: from }, { transform: "none" }], { duration, delay, easing: delay ? "ease-in-out" : "ease-out", composite: "add", fill: "backwards" });
    sliding.set(thing, going);
  }
}
