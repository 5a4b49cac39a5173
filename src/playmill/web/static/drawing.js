// A page on which something is drawn. The server knows what is right and what everything means; here strokes are made,
// shown and taken back, and the server is told of each and says what it thinks.
import { bindEnter } from "./enter.js";
import { NOWHERE, completed, orbit, painted, pinned } from "./strokes.js";

const data = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("easel");
const at = id => document.getElementById(id);
const paper = at("paper"), text = at("text"), symmetry = at("symmetry"), players = at("players"), called = at("called");
const words = (key, ...args) => data.words[key].replace(/\{(\d)\}/g, (_, number) => args[number]);
const LONGEST = 60_000, MOST = 500, PAUSE = 150;
// What needs a drawing without mistakes.
const PLAYS = ["play", "keep", "take", "simulate", "compare", "audit"];
const DRAFT = `playmill:drawing:${form.elements.game.value}`;
const tell = said => { at("told").textContent = said; };

// A sheet is a canvas: what stays the same while something is drawn on it. The state is what is drawn. There is neither
// where the server was sent a text that cannot be drawn.
let sheet, state, spots = [], steps = [], here = 0, past = [], future = [], written = false;

const stateOf = found => ({ sheet, kinds: found.kinds, pins: found.pins, name: found.name });

function lay(found) {
  sheet = { size: found.size, places: found.places, symmetries: found.symmetries, svg: found.svg };
  state = stateOf(found);
  unfold();
}

// The picture of a sheet, with its places as things to point at, click and reach by keys.
function unfold() {
  const svg = new DOMParser().parseFromString(sheet.svg, "image/svg+xml").documentElement;
  paper.replaceChildren(document.importNode(svg, true));
  paper.firstChild.setAttribute("role", "group");
  spots = [...paper.querySelectorAll(".spot")];
  for (const spot of spots) { spot.setAttribute("role", "button"); spot.setAttribute("tabindex", "-1"); }
  here = Math.min(here, spots.length - 1);
  spots[here].setAttribute("tabindex", "0");
  form.elements.rows.value = sheet.size[0];
  form.elements.cols.value = sheet.size[1];
  for (const option of symmetry.options) option.disabled = Boolean(option.value) && !(option.value in sheet.symmetries);
  turn();
  show();
}

// Another symmetry: places without a counterpart are faint.
function turn() {
  steps = sheet.symmetries[symmetry.value] ?? [];
  const lone = new Set();
  if (steps.length) sheet.places.forEach((_, place) => { if (orbit(steps, place).includes(NOWHERE)) lone.add(place); });
  spots.forEach((spot, place) => spot.classList.toggle("lone", lone.has(place)));
  at("fill-in").hidden = !steps.length;
}

const group = () => data.groups.find(one => !one.players || one.players === Number(players.value));

function nameOf(place) {
  const [row, column] = sheet.places[place];
  const kind = data.kindsOf[state.kinds[place]].name, pins = group();
  const number = pins ? state.pins[pins.key].indexOf(place) : -1;
  return words("at", row, column, number < 0 ? kind : `${kind}, ${words("pinned", pins.name, number + 1)}`);
}

function show() {
  const pins = group();
  const numbers = new Map(pins ? state.pins[pins.key].map((place, number) => [place, number + 1]) : []);
  spots.forEach((spot, place) => {
    const kind = String(state.kinds[place]), number = numbers.get(place);
    if (spot.dataset.kind !== kind) {
      spot.dataset.kind = kind;
      spot.querySelector(".cell").setAttribute("transform", `scale(${data.kindsOf[kind].size})`);
    }
    if (spot.dataset.pin !== (number && String(number))) {
      if (number) spot.dataset.pin = number; else delete spot.dataset.pin;
      spot.querySelector("text").textContent = number ?? "";
    }
    spot.setAttribute("aria-label", nameOf(place));
  });
  if (at("pins-name")) {
    at("pins-name").textContent = pins?.name ?? "";
    at("pins-name").closest("label").hidden = !pins;
  }
  called.value = state.name;
  at("undo").disabled = !past.length;
  at("redo").disabled = !future.length;
}

// What the server thinks.
let asked = 0, waiting = null, pending = false;

const fields = more => new URLSearchParams({ drawing: drawing(), rows: form.elements.rows.value, cols: form.elements.cols.value,
  symmetry: symmetry.value, from: form.elements.from?.value ?? "", ...more });
const drawing = () => state ? JSON.stringify({ name: state.name, size: sheet.size, kinds: state.kinds, pins: state.pins }) : "";

// Its answer, unless nobody needs it any more: what it thinks of a drawing that has been changed since.
async function ask(more) {
  const mine = ++asked;
  clearTimeout(waiting);
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields(more), headers: { Accept: "application/json" } });
    const found = await answer.json();
    return more.act !== "look" || mine === asked ? found : null;
  } catch { tell(words("away")); return null; }
}

const lines = (list, texts, kind) => list.replaceChildren(...texts.map(line =>
  Object.assign(document.createElement("li"), { textContent: line, className: kind })));

// Where nothing is drawn yet, the mistake in that is told only to whoever wants to play on it.
function invite(invites) {
  at("begin").hidden = !invites;
  at("mistakes").hidden = invites;
}

function judge(found) {
  lines(at("mistakes"), found.mistakes, "mistake");
  invite(found.invites);
  at("right").hidden = found.mistakes.length > 0;
  if (!found.facts) return;
  lines(at("notes"), found.notes, "note");
  lines(at("in-words"), found.rows, "");
  at("facts").replaceChildren(...found.facts.flatMap(([name, value]) => [["dt", name], ["dd", value]]
    .map(([tag, line]) => Object.assign(document.createElement(tag), { textContent: line }))));
  if (!written) text.value = found.text;
}

async function look() {
  const found = await ask({ act: "look" });
  if (!found) return false;
  pending = false;
  judge(found);
  return true;
}

function look_soon() {
  pending = true;
  clearTimeout(waiting);
  waiting = setTimeout(look, PAUSE);
  try { sessionStorage.setItem(DRAFT, drawing()); } catch { /* it lasts as long as the page */ }
}

// One step that can be taken back; strokes of one drag are one.
function keep() {
  if (state) past.push(state);
  if (past.length > MOST) past.shift();
  future = [];
}

function put(next) {
  state = { ...state, ...next };
  written = false;
  show();
  look_soon();
}

function go(from, to, said) {
  if (!from.length) return;
  to.push(state);
  state = from.pop();
  if (state.sheet !== sheet) { sheet = state.sheet; unfold(); }
  written = false;
  show();
  look_soon();
  tell(said);
}
const undo = () => go(past, future, words("undone")), redo = () => go(future, past, words("redone"));

// Another drawing, from the server: what was there before can be had back.
function adopt(found) {
  judge(found);
  if (!found.svg) return;
  pending = false;
  keep();
  written = false;
  lay(found);
  text.value = found.text;
  try { sessionStorage.setItem(DRAFT, drawing()); } catch { /* it lasts as long as the page */ }
}

const tool = () => form.elements.tool.value;

// What a click at a place does: draws with the tool, or takes away what it would have drawn. All strokes of a drag are one
// step back; whether there is one yet is returned.
const kindAt = place => state.kinds[place] === Number(tool()) ? 0 : Number(tool());

function stroke(place, kind, begun = false) {
  const next = painted(state, steps, place, kind);
  if (!next) { tell(words("outside")); return begun; }
  if (state.kinds[place] === kind) return begun;
  if (!begun) keep();
  put(next);
  tell(`${nameOf(place)}${steps.length ? `; ${words("many", orbit(steps, place).filter(one => one !== NOWHERE).length)}` : ""}`);
  return true;
}

function pin(place) {
  const next = pinned(state, group().key, steps, place);
  if (!next) { tell(words("all_pinned")); return; }
  keep();
  put(next);
  tell(nameOf(place));
}

// By pointer: a drag paints all it passes, also where it is quicker than the browser tells.
const spotAt = (x, y) => { const spot = document.elementFromPoint(x, y)?.closest("#canvas .spot"); return spot ? spots.indexOf(spot) : -1; };
let drag = null;

function pass(x, y) {
  const far = Math.hypot(x - drag.x, y - drag.y), parts = Math.max(1, Math.ceil(far / 6));
  for (let part = 1; part <= parts; part += 1) {
    const place = spotAt(drag.x + (x - drag.x) * part / parts, drag.y + (y - drag.y) * part / parts);
    if (place >= 0 && place !== drag.last) {
      drag.last = place;
      if (state.kinds[place] !== drag.kind) drag.begun = stroke(place, drag.kind, drag.begun);
    }
  }
  drag.x = x;
  drag.y = y;
}

paper.addEventListener("pointerdown", event => {
  const place = spotAt(event.clientX, event.clientY);
  if (event.button || place < 0 || !event.isPrimary) return;
  event.preventDefault();
  focus(place, false);
  if (tool() === "pin") { pin(place); return; }
  event.target.releasePointerCapture?.(event.pointerId);
  const kind = kindAt(place);
  drag = { kind, x: event.clientX, y: event.clientY, last: place, begun: stroke(place, kind) };
});
addEventListener("pointermove", event => { if (drag && event.isPrimary) pass(event.clientX, event.clientY); });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { drag = null; });

// Which places a stroke would change.
const twins = places => spots.forEach((spot, place) => spot.classList.toggle("twin", places.includes(place)));
paper.addEventListener("pointerover", event => {
  const spot = event.target.closest(".spot");
  twins(spot && event.pointerType === "mouse" ? orbit(steps, spots.indexOf(spot)) : []);
});
for (const end of ["pointerleave", "focusout"]) paper.addEventListener(end, () => twins([]));

// By keys: arrows lead to the place beside, above or below.
function focus(place, seen = true) {
  spots[here].setAttribute("tabindex", "-1");
  here = place;
  spots[here].setAttribute("tabindex", "0");
  spots[here].focus({ preventScroll: !seen, focusVisible: seen });
  if (seen) twins(orbit(steps, here));
}

paper.addEventListener("focusin", event => {
  const place = spots.indexOf(event.target);
  if (place >= 0 && place !== here) focus(place);
});

const middle = place => { const box = spots[place].getBoundingClientRect(); return box.left + box.width / 2; };

function beside(key) {
  const [row, column] = sheet.places[here];
  const wanted = { ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1] }[key];
  if (wanted) return sheet.places.findIndex(([r, c]) => r === wanted[0] && c === wanted[1]);
  const next = row + (key === "ArrowUp" ? -1 : 1), x = middle(here);
  const among = sheet.places.map((_, place) => place).filter(place => sheet.places[place][0] === next);
  return among.reduce((best, place) => best < 0 || Math.abs(middle(place) - x) < Math.abs(middle(best) - x) - 1 ? place : best, -1);
}

paper.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith("Arrow")) {
    const place = beside(event.key);
    if (place >= 0) focus(place);
  } else if (event.key === " " || event.key === "Enter") {
    if (tool() === "pin") pin(here); else stroke(here, kindAt(here));
  } else return;
  event.preventDefault();
});

addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input:not([type=radio]), textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo(); else if (key === "y" || key === "z") redo(); else return;
  event.preventDefault();
});

at("undo").addEventListener("click", undo);
at("redo").addEventListener("click", redo);
at("clear").addEventListener("click", () => {
  if (!state) return;
  keep();
  put({ kinds: state.kinds.map(() => 0), pins: Object.fromEntries(Object.entries(state.pins).map(([key, pins]) => [key, pins.map(() => null)])) });
});
at("fill-in").addEventListener("click", () => { keep(); put(completed(state, steps)); });
symmetry.addEventListener("change", () => { if (sheet) turn(); });
players.addEventListener("change", () => { if (state) show(); });
called.addEventListener("input", () => {
  if (!state) return;
  state = { ...state, name: called.value };
  look_soon();
});
text.addEventListener("input", () => { written = true; });

async function read(file) { // what is written, or a file, becomes the drawing
  const found = await ask({ act: "read", drawing: "", [text.name]: file });
  if (!found) return;
  if (found.svg && found.alike) symmetry.value = found.alike;
  adopt(found);
}

at("file").addEventListener("change", async event => {
  const [file] = event.target.files;
  if (!file) return;
  if (file.size > LONGEST) judge({ mistakes: [event.target.dataset.long] }); else await read(await file.text());
  event.target.value = "";
});

// What changes the drawing is done here; all else goes to the server as a form, with the drawing as it is now.
form.addEventListener("submit", async event => {
  const button = event.submitter, act = button?.name === "act" ? button.value : "";
  at("drawing").value = written ? "" : drawing();
  if (["resize", "blank", "suggest", "open", "look"].includes(act)) {
    event.preventDefault();
    const found = await ask({ act });
    if (!found) return;
    if (["suggest", "open"].includes(act) && found.svg) symmetry.value = found.alike;
    if (act === "look") judge(found); else adopt(found);
  } else if (act === "read") {
    event.preventDefault();
    await read(text.value);
  } else if (!written && (pending || (PLAYS.includes(act) && at("mistakes").children.length))) {
    event.preventDefault();
    if (!await look()) return;
    if (!PLAYS.includes(act) || !at("mistakes").children.length) { form.requestSubmit(button); return; }
    invite(false);
    at("judged").scrollIntoView({ block: "center" });
    tell(at("mistakes").firstChild.textContent);
  }
});

function begin() {
  for (const node of document.querySelectorAll("[data-script]")) node.hidden = false;
  invite(at("mistakes").hidden);
  written = !data.svg;
  if (written) return;
  lay(data);
  let draft = null;
  try { draft = sessionStorage.getItem(DRAFT); } catch { /* there is none */ }
  if (data.fresh && draft) ask({ act: "read", drawing: draft }).then(found => { if (found?.svg) { adopt(found); past = []; show(); } });
}
begin();
bindEnter(form);
