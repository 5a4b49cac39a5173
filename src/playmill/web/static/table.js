// A table: what the server shows, and what a person does about it.
import { countingTable, verdictOf } from "./ending.js";
import { fly } from "./flights.js";
import { Hints } from "./hints.js";
import * as keeping from "./keeping.js";
import { InWords } from "./in_words.js";
import { bindKeys, showKeys } from "./keys.js";
import { Log } from "./log.js";
import { LookingBack } from "./looking_back.js";
import { show } from "./morph.js";
import { Notices } from "./notices.js";
import { Options } from "./options.js";
import { People } from "./people.js";
import { Playing } from "./playing.js";
import { Line } from "./socket.js";
import { Things } from "./things.js";
import { Tips } from "./tips.js";
import { Zoom } from "./zoom.js";

const COMPILING = 5000, NOTICE = 7000, CURTAIN = 1500;
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const { words, table } = data;
const picture = byId("picture");

keeping.takeFromAddress(table);

let seen = null; // the last that was shown by the server
let state = "connecting"; // of the line
let pending = null; // a wish on its way: its id, and the version it was made at
let done = []; // the actions decided here since anybody else has acted, the last one last
let thinkingSince = 0;
let falling = null; // the curtain, in a moment
let offered = false; // whether the link for the others was shown to whoever waits for them
let present = null; // the last picture that was drawn of what is

const people = new People(byId("seats"), {
  words, agents: data.agents, usual: data.usual, ask, grace: byId("grace"), ready: byId("ready"), curtain: byId("curtain"),
});
const log = new Log(byId("log"), (seat, who) => people.nameOf(seat, who || undefined), { look: lookBack, hint: words.look_there });
const options = new Options({
  section: byId("choosing"),
  list: byId("options"),
  filter: byId("filter"),
  count: byId("count"),
  narrowed: byId("narrowed"),
  words,
  choose: decide,
});
const hints = new Hints({
  button: byId("hint"),
  line: byId("hinted"),
  list: byId("options"),
  picture,
  words,
  ask,
  wordsOf: action => seen.options.find(option => option.action === action)?.words ?? "",
});
const notices = new Notices(byId("notices"));
const zoom = new Zoom(picture, { box: byId("zoom"), closer: byId("closer"), farther: byId("farther"), whole: byId("whole") });
const things = new Things(picture, {
  may: () => Boolean(seen?.yours) && !playing.busy && pending === null && !past.away,
  decide,
  takeBack,
  narrowed: (left, more) => options.narrow(left, more),
  tips: new Tips(picture, byId("tip")),
  words,
});
const past = new LookingBack({
  picture, list: byId("log"), bar: byId("past"), words, ask,
  present: () => {
    redraw();
    inWords.show(seen.words);
    things.settled();
  },
});
const inWords = new InWords(byId("words"), { options, ask, switcher: byId("in-words") });
const playing = new Playing({ draw, settled, speed: () => byId("speed").value });
byId("speed").value = keeping.setting("speed", "usual");

const scheme = location.protocol === "https:" ? "wss" : "ws";
const line = new Line(`${scheme}://${location.host}/t/${table}/socket`, {
  hello: () => ({
    kind: "hello",
    tokens: keeping.tokensOf(table),
    have: lastVersion(),
    noted: log.noted,
    lang: data.lang,
    seat: isDown() ? null : seen?.you ?? null,
    words: inWords.on,
  }),
  heard,
  changed,
});

function lastVersion() {
  return playing.steps.at(-1)?.version ?? playing.version;
}

function ask(message) {
  return line.ask(message);
}

function heard(message) {
  if (message.kind === "seen") return look(message);
  if (message.kind === "hint") return hints.heard(message);
  if (message.kind === "past") {
    past.heard(message);
    if (past.away && message.words !== undefined) inWords.show(message.words);
    return things.fresh();
  }
  if (message.kind === "refused") {
    hints.refused();
    past.leave();
    if (message.id === pending?.id) pending = null;
    done = [];
    say(message.why);
  }
  if (message.kind === "done" && message.token) {
    keeping.sitDown(table, message.token);
    links();
  }
  settledOrNot();
}

function look(message) {
  const other = seen && message.version < lastVersion();
  if (other || message.steps[0]?.version === 0) {
    playing.forget();
    log.clear();
  }
  seen = message;
  if (pending && seen.version > pending.version) pending = null; // done, and here is what came of it
  people.update(seen);
  keeping.note(table, { title: data.title, game: data.game, over: seen.over });
  clearTimeout(falling);
  if (behindTheCurtain()) return settledOrNot();
  inWords.show(seen.words);
  log.note(seen.notes);
  playing.add(seen.steps);
  links();
}

function draw(step, still) {
  log.add(step);
  if (step.seat !== seen.you) done = [];
  if (!step.picture) return;
  present = step.picture;
  past.drop();
  redraw(still);
  if (still) return;
  notices.say(step.notices);
  fly(picture, step.flights);
}

function redraw(still = true) {
  const drawn = present && show(picture, present, { still });
  zoom.fresh();
  things.fresh();
  picture.classList.toggle("broad", Boolean(drawn && !drawn.querySelector(":scope > .part")));
}

// Only what is over is looked back at, and only when nothing is being played out.
function lookBack(version) {
  if (!seen || playing.busy || pending !== null) return;
  if (version === seen.version) past.leave();
  else past.want(version);
}

// One screen for several people: whoever has moved sees what came of it for a moment, then the curtain falls. What it
// hides is taken out of the page; what the next one alone may see is not even sent before she says that it is her.
function curtain() {
  clearTimeout(falling);
  if (seen.curtain !== null) falling = setTimeout(fall, seen.you === null ? 0 : CURTAIN);
}

function fall() {
  clearTimeout(falling);
  playing.forget();
  past.drop();
  present = null;
  picture.replaceChildren();
  inWords.clear();
  log.clear();
  options.set([]);
  people.drop(seen.curtain);
  document.body.classList.add("curtained");
}

const isDown = () => document.body.classList.contains("curtained");

// What comes while the curtain is down is not shown; if it rises, because a move was taken back, all is shown anew.
function behindTheCurtain() {
  if (!isDown()) return false;
  if (seen.curtain !== null) return true;
  document.body.classList.remove("curtained");
  people.lift();
  if (seen.steps[0]?.version === 0 || seen.you === null) return false;
  ask({ kind: "lift", seat: seen.you });
  return true;
}

// Everything that happened has been played out: now it is somebody's turn.
function settled() {
  if (!seen) return;
  log.settle(seen.version);
  curtain();
  options.set(seen.options);
  settledOrNot();
  things.settled();
  const byKeys = options.held !== null || things.keyed;
  options.settled();
  if (byKeys && document.activeElement === document.body && !byId("end").hidden) byId("verdict").focus();
}

function settledOrNot() {
  const busy = playing.busy || pending !== null;
  options.lock(busy);
  picture.classList.toggle("busy", busy);
  byId("skip").hidden = !playing.busy;
  if (!seen) return;
  undoState(busy);
  hints.update(seen, busy);
  turn();
  end();
  put(byId("settings"), seen.changed ?? "");
}

function turn() {
  const yours = seen.yours && !playing.busy;
  let text = "", more = seen.asks ?? "";
  if (seen.trouble) [text, more] = [seen.trouble, ""];
  else if (!seen.started) text = people.waitsFor(seen);
  else if (seen.over) text = words.over;
  else if (pending !== null) text = words.sending;
  else if (yours) text = words.your_turn;
  else if (seen.turn >= 0 && seen.seats[seen.turn].agent) {
    text = words.thinking.replace("{}", people.nameOf(seen.turn));
    thinkingSince ||= Date.now();
    more = Date.now() - thinkingSince > COMPILING ? words.compiling : "";
  } else if (seen.turn >= 0) text = words.turn_of.replace("{}", people.nameOf(seen.turn));
  if (yours || seen.over || !seen.seats[seen.turn]?.agent) thinkingSince = 0;
  document.body.classList.toggle("waiting", !seen.started && !seen.trouble);
  document.body.classList.toggle("invited", seen.seats.some(seat => seat.open) && !seen.seats.some(seat => seat.you) && !seen.over);
  byId("look-back").hidden = !seen.started;
  put(byId("turn"), text);
  put(byId("asks"), seen.flaw ?? (seen.over ? "" : more));
  byId("now").classList.toggle("yours", yours);
  const asked = seen.curtain !== null || (people.waits && !byId("ready").hidden);
  const called = yours ? words.your_turn : asked ? text : "";
  document.title = `${called ? `● ${called}` : data.title} – Playmill`;
}

// A live region is read out when it changes: it is touched only then.
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

function end() {
  const over = seen.over && !playing.busy && seen.end, shown = !byId("end").hidden;
  byId("end").hidden = !over;
  if (!over) return;
  const { winners, alone } = seen.end;
  const won = winners.includes(seen.you), mine = seen.seats.filter(seat => seat.you);
  const verdict = verdictOf(seen.end, { nameOf: seat => people.nameOf(seat), you: mine.length === 1 ? seen.you : null, words });
  put(byId("verdict"), verdict.short);
  put(byId("why"), verdict.why);
  byId("verdict").classList.toggle("long", alone);
  byId("end").classList.toggle("won", won && !alone);
  const counted = seen.end.counting;
  byId("counting").hidden = !counted.length;
  if (counted.length) byId("counting").replaceChildren(countingTable(counted, winners, seat => people.nameOf(seat)));
  const form = byId("again");
  form.elements.like.value = table;
  form.elements.mine.value = seen.you ?? "";
  form.elements.token.value = keeping.tokensOf(table)[0] ?? "";
  byId("next").hidden = !seen.again;
  if (seen.again) byId("next").querySelector("a").href = `/t/${seen.again}`;
  form.querySelector("button").classList.toggle("main", !seen.again);
  if (!shown) byId("end").scrollIntoView({ block: "nearest" }); // on a phone the last move was made far below it
}

function undoState(busy) {
  const button = byId("undo");
  button.hidden = seen.you === null || seen.over;
  button.setAttribute("aria-disabled", String(busy || !seen.undo.may));
  button.title = seen.undo.why ?? "";
  const why = byId("undo-why");
  if (seen.undo.may) why.hidden = true;
}

function undo() {
  if (!seen || playing.busy || pending !== null || seen.you === null || seen.over) return;
  if (seen.undo.may) {
    done.pop();
    wish({ kind: "undo" });
    settledOrNot();
  } else {
    byId("undo-why").hidden = false;
    byId("undo-why").textContent = seen.undo.why;
  }
}

// Takes an action back if it was the last one decided here; says whether it did.
function takeBack(action) {
  if (done.at(-1) !== action || !seen.undo.may) return false;
  undo();
  return true;
}

function decide(action) {
  if (!seen?.yours || playing.busy || pending !== null) return;
  if (!seen.options.some(option => option.action === action)) return;
  past.leave();
  byId("undo-why").hidden = true;
  done.push(action);
  wish({ kind: "move", action });
  settledOrNot();
}

function wish(message) {
  const version = seen.version;
  pending = { id: ask({ ...message, version }), version };
}

function changed(now) {
  state = now;
  if (state === "open") hints.reopened();
  const text = { connecting: words.connecting, lost: words.reconnecting, gone: words.gone, broken: words.broken }[state];
  byId("link").hidden = !text;
  byId("link").textContent = text ?? "";
}

let noticeTimer = null;
function say(text) {
  const notice = byId("notice");
  notice.hidden = false;
  notice.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, NOTICE);
}

function links() {
  const address = `${location.origin}/t/${table}${data.key ? `?key=${encodeURIComponent(data.key)}` : ""}`;
  byId("invite").value = address;
  const tokens = keeping.tokensOf(table);
  byId("own").hidden = !tokens.length || !seen?.seats.some(seat => seat.you);
  byId("seat-link").value = tokens.length ? `${address}#${tokens.join(",")}` : "";
  byId("remove").hidden = !seen?.owner;
  if (offered || !seen || seen.started || !seen.seats.some(seat => seat.you)) return;
  offered = byId("links").open = true; // once: whoever closes it has seen it
}

byId("undo").addEventListener("click", undo);
byId("remove").addEventListener("click", () => { if (confirm(words.sure)) ask({ kind: "remove" }); });
byId("skip").addEventListener("click", () => playing.skip());
byId("speed").addEventListener("change", () => keeping.set("speed", byId("speed").value));
byId("help").addEventListener("click", showKeys);
document.addEventListener("click", async event => {
  const from = event.target.closest?.("[data-copy]");
  if (!from) return;
  const field = byId(from.dataset.copy);
  try { await navigator.clipboard.writeText(field.value); } catch { field.select(); return; }
  const before = from.textContent;
  from.textContent = words.copied;
  setTimeout(() => { from.textContent = before; }, 1500);
});
setInterval(() => { if (seen && !seen.yours) turn(); }, 2000);
bindKeys({
  "?": showKeys,
  "/": () => { byId("filter").hidden = false; byId("filter").focus(); },
  "u": undo,
  "h": () => hints.want(),
  "n": () => playing.busy && playing.skip(),
  "r": () => byId("rules").click(),
  "t": () => byId("theme").click(),
  "x": () => inWords.toggle(),
  "+": () => faster(1),
  "-": () => faster(-1),
  "Escape": () => past.leave() || things.forget(),
  "digit": place => options.nth(place),
});

function faster(by) {
  const speed = byId("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  speed.dispatchEvent(new Event("change"));
}

changed("connecting");
