// A game that is watched: a slider over all its moments, and everything that goes with where it stands. Where moments
// come from is not known here: a `source` has the story, the pictures and the chances.
import { Chart } from "./chart.js";
import { countingTable, verdictOf } from "./ending.js";
import { ExpertView } from "./expert.js";
import * as keeping from "./keeping.js";
import { show } from "./morph.js";
import { called } from "./naming.js";
import { legible } from "./signs.js";
import { Tips } from "./tips.js";

const PAUSES = { slow: 1500, usual: 700, fast: 220, once: 45 };
const AHEAD = 24, MOMENTS = 6, ASK_AGAIN = 1500;
const byId = id => document.getElementById(id);
// A moment in words that this machine has letters for.
const worded = step => ({ ...step, lines: step.lines.map(line => legible(line)) });

export class Watch {
  constructor(data, source) {
    Object.assign(this, { data, source, words: data.words });
    this.eyes = "";
    this.version = -1; // what is wanted; what is drawn may be on its way
    this.drawn = -1;
    this.story = null;
    this.pictures = new Map(); // by version, as these eyes see it
    this.asked = new Set();
    this.course = null;
    this.timer = null;
    this.chart = new Chart(byId("chart"), { go: version => this.go(version) });
    this.expert = new ExpertView({ words: data.words, lang: data.lang, watch: this });
    new Tips(byId("picture"), byId("tip"));
    this.listen();
  }

  get last() {
    return this.story ? this.story.version : 0;
  }

  async begin() {
    await this.tell();
    const wanted = /^#\d{1,7}$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
    this.go(wanted ?? (this.story?.over ? 0 : this.last), { still: true });
    this.forecast();
  }

  listen() {
    byId("slider").addEventListener("input", () => this.go(Number(byId("slider").value)));
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.does[button.dataset.go]());
    }
    byId("log").addEventListener("click", event => {
      const line = event.target.closest("[data-version]");
      if (line) this.go(Number(line.dataset.version));
    });
    byId("moments").addEventListener("click", event => {
      const line = event.target.closest("[data-version]");
      if (line) this.go(Number(line.dataset.version));
    });
    byId("speed").value = keeping.setting("watching-speed", "usual");
    byId("speed").addEventListener("change", () => keeping.set("watching-speed", byId("speed").value));
    byId("eyes").addEventListener("change", () => this.see(byId("eyes").value));
    byId("copy-link").addEventListener("click", () => this.copy());
  }

  // What buttons and keys do.
  does = {
    "first": () => this.go(0),
    "last": () => this.go(this.last),
    "back": () => this.go(this.version - 1),
    "on": () => this.go(this.version + 1),
    "turn-back": () => this.go(this.turn(-1)),
    "turn-on": () => this.go(this.turn(1)),
    "play": () => this.play(this.timer === null),
  };

  keys() {
    return {
      "ArrowLeft": this.does.back,
      "ArrowRight": this.does.on,
      "ArrowUp": this.does["turn-back"],
      "ArrowDown": this.does["turn-on"],
      "Home": this.does.first,
      "End": this.does.last,
      " ": this.does.play,
      "m": () => this.nextMoment(),
      "e": () => this.nextMistake(),
      "f": () => this.nextEyes(),
      "+": () => this.faster(1),
      "-": () => this.faster(-1),
      "digit": place => this.go(Math.round((place + 1) / 10 * this.last)),
    };
  }

  // Where the next turn begins, or this or the last one did: a turn is all that one seat does in a row.
  turn(way) {
    const seatAt = version => this.story.steps[version]?.seat;
    let version = this.version;
    if (way > 0) {
      const seat = seatAt(version + 1);
      do version += 1; while (version < this.last && seatAt(version + 1) === seat);
    } else {
      const seat = seatAt(version);
      do version -= 1; while (version > 0 && seatAt(version) === seat);
    }
    return version;
  }

  nextMoment() {
    const found = (this.course?.moments ?? []).map(moment => moment.to).sort((a, b) => a - b);
    if (found.length) this.go(found.find(version => version > this.version) ?? found[0]);
  }

  nextMistake() {
    const found = this.expert.versions;
    if (found.length) this.go(found.find(version => version > this.version) ?? found[0]);
  }

  nextEyes() {
    const choice = byId("eyes");
    if (choice.options.length < 2) return;
    choice.selectedIndex = (choice.selectedIndex + 1) % choice.options.length;
    this.see(choice.value);
  }

  faster(by) {
    const speed = byId("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
    speed.dispatchEvent(new Event("change"));
  }

  // The whole story as these eyes see it.
  async tell() {
    const found = await this.source.story(this.eyes);
    if (!found) return;
    this.story = { ...found, steps: found.steps.map(worded) };
    byId("slider").max = this.last;
    this.fillEyes();
    this.fillSeats();
    const log = byId("log");
    log.replaceChildren(...this.story.steps.filter(step => step.lines.length).map(step => this.line(step)));
    const download = byId("download");
    if (download) download.hidden = !found.over;
    put(byId("settings"), found.changed ?? "");
    this.expert.markLog();
  }

  // Moments that came while one looks on: of a game that goes on.
  add(seen) {
    const following = this.version === this.last;
    const fresh = seen.steps.filter(step => step.version > this.last).map(worded);
    this.story.steps.push(...fresh.map(({ picture, ...step }) => step));
    for (const step of fresh) {
      if (step.picture) this.pictures.set(step.version, { picture: step.picture });
      if (step.lines.length) byId("log").append(this.line(step));
    }
    const ended = seen.over && !this.story.over;
    Object.assign(this.story, { version: seen.version, over: seen.over, end: seen.end, seats: seen.seats });
    byId("slider").max = this.last;
    if (following && this.timer === null) this.go(this.last);
    else this.note();
    if (ended) this.tell().then(() => this.forecast());
  }

  line(step) {
    const entry = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.version = step.version;
    button.tabIndex = -1;
    const who = document.createElement("b");
    who.textContent = this.nameOf(step.seat);
    button.append(who, ` ${step.lines[0]}`);
    for (const line of step.lines.slice(1)) {
      const told = document.createElement("span");
      told.textContent = line;
      button.append(told);
    }
    entry.append(button);
    return entry;
  }

  nameOf(seat) {
    const seats = this.story?.seats ?? [];
    return called(seats[seat]?.name, seat, { players: seats.length, words: this.words });
  }

  fillEyes() {
    const { over, seats } = this.story;
    const eyes = this.source.eyes ?? ["", ...(over && seats.length > 1 ? seats.map(seat => String(seat.seat)) : []), ...(over ? ["open"] : [])];
    const named = { "": this.words.everybody, "open": this.words.open };
    byId("eyes").replaceChildren(...eyes.map(value => new Option(named[value] ?? this.nameOf(Number(value)), value)));
    byId("eyes").value = this.eyes;
    byId("seen-by").hidden = eyes.length < 2;
  }

  fillSeats() {
    byId("seats").replaceChildren(...this.story.seats.map(seat => {
      const row = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = this.nameOf(seat.seat);
      const note = document.createElement("span");
      note.className = "faint";
      note.textContent = seat.agent ? this.data.agents[seat.agent] ?? seat.agent : "";
      row.append(name, note);
      return row;
    }));
  }

  async see(eyes) {
    this.eyes = eyes;
    this.pictures = new Map();
    this.asked = new Set();
    this.drawn = -1;
    await this.tell();
    this.go(this.version, { still: true });
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    if (on && this.version >= this.last) this.go(0);
    if (on && this.story?.over !== undefined) this.timer = setTimeout(() => this.tick(), PAUSES[byId("speed").value]);
    const button = byId("play");
    button.setAttribute("aria-pressed", String(on));
  }

  tick() {
    if (this.version >= this.last) return this.play(false);
    // A picture that is still on its way is waited for.
    if (this.drawn === this.version) this.go(this.version + 1);
    this.timer = setTimeout(() => this.tick(), PAUSES[byId("speed").value]);
  }

  go(version, { still = false } = {}) {
    if (!this.story) return;
    const before = this.version;
    this.version = Math.max(0, Math.min(version, this.last));
    byId("slider").value = this.version;
    if (!still || location.hash) history.replaceState(null, "", `#${this.version}`);
    this.note();
    this.draw(still || Math.abs(this.version - before) > 1);
  }

  // Shows the picture of where one is, as soon as it is there, and asks for those that come next.
  async draw(still) {
    const version = this.version, eyes = this.eyes;
    this.ask(version, version + AHEAD);
    const found = this.pictures.get(version);
    if (found && this.drawn !== version) {
      const drawn = show(byId("picture"), found.picture, { still });
      byId("picture").classList.toggle("broad", Boolean(drawn && !drawn.querySelector(":scope > .part")));
      this.drawn = version;
      byId("whole").hidden = !found.text;
      byId("whole").querySelector("pre").textContent = found.text ?? "";
    } else if (!found) {
      await this.waiting;
      if (version === this.version && eyes === this.eyes && this.pictures.has(version)) this.draw(true);
    }
  }

  ask(from, to) {
    const wanted = [];
    for (let version = Math.max(0, from); version <= Math.min(to, this.last); version++) {
      if (!this.asked.has(version) && !this.pictures.has(version)) wanted.push(version);
    }
    // Going back one needs those before.
    if (!wanted.includes(from) && wanted.length < AHEAD / 2) return;
    if (!wanted.length) return;
    const first = wanted[0], count = wanted.at(-1) - first + 1, eyes = this.eyes, asked = this.asked;
    const start = wanted.includes(from) ? Math.max(0, first - 8) : first;
    for (let version = start; version < first + count; version++) asked.add(version);
    this.waiting = this.source.pictures(eyes, start, first + count - start).then(found => {
      if (eyes !== this.eyes) return;
      if (found) found.forEach((one, place) => this.pictures.set(start + place, one));
      else for (let version = start; version < first + count; version++) asked.delete(version);
    });
  }

  // Everything that says where one is.
  note() {
    const { story, version, words } = this;
    const step = story.steps[version];
    byId("place").textContent = `${version} / ${this.last}${story.over ? "" : ` · ${words.live}`}`;
    byId("slider").setAttribute("aria-valuetext", `${version} / ${this.last}`);
    const [first, ...rest] = step?.lines ?? [];
    put(byId("turn"), first ? `${this.nameOf(step.seat)} ${first}`.trim() : words.start);
    byId("asks").replaceChildren(...rest.map(line => {
      const told = document.createElement("li");
      told.textContent = line;
      return told;
    }));
    this.markLine(version);
    this.expert.mark(version);
    const over = story.over && version === this.last && story.end;
    byId("end").hidden = !over;
    if (over) {
      const { winners, alone, counting } = story.end;
      const { short, why } = verdictOf(story.end, { nameOf: seat => this.nameOf(seat), words });
      put(byId("verdict"), short);
      put(byId("why"), why);
      byId("verdict").classList.toggle("long", alone);
      byId("counting").hidden = !counting?.length;
      if (counting?.length) byId("counting").replaceChildren(countingTable(counting, winners, seat => this.nameOf(seat)));
    }
    this.sides();
  }

  markLine(version) {
    const log = byId("log");
    log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    log.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    const line = [...log.querySelectorAll("[data-version]")].findLast(one => Number(one.dataset.version) <= version);
    (line ?? log.querySelector("button"))?.setAttribute("tabindex", "0");
    if (!line) return void (log.scrollTop = 0);
    line.setAttribute("aria-current", "step");
    const top = line.offsetTop - log.offsetTop, bottom = top + line.offsetHeight;
    if (top < log.scrollTop || bottom > log.scrollTop + log.clientHeight) log.scrollTop = top - log.clientHeight / 2;
  }

  async forecast() {
    clearTimeout(this.forecasting);
    const found = await this.source.chances();
    if (!found) return;
    const { state, course } = found;
    byId("chances").hidden = false;
    const pending = ["waiting", "working", "busy", "enough"].includes(state);
    const known = (course?.share ?? 0) >= 1; // only decisions are still analysed
    put(byId("chances-note"), known && state === "working" ? "" : this.words[state === "waiting" ? "working" : state] ?? "");
    byId("chart").hidden = !course?.points.length;
    byId("moments").parentElement.hidden = !byId("moments").children.length;
    if (course?.points.length && JSON.stringify(course) !== JSON.stringify(this.course)) {
      this.course = course;
      byId("by").textContent = this.words.by.replace("{0}", course.playouts).replace("{1}", course.agent);
      this.chart.draw(course, this.last);
      this.tellMoments(course);
      this.expert.show(course.analysis);
      this.sides();
    }
    if (pending || (this.story && !this.story.over)) {
      this.forecasting = setTimeout(() => this.forecast(), state === "done" || state === "later" ? 8 * ASK_AGAIN : ASK_AGAIN);
    }
  }

  sideName(side) {
    return this.story.seats.length === 1 ? this.words.success : this.nameOf(side);
  }

  sides() {
    if (!this.course) return;
    const point = this.chart.mark(this.version);
    byId("sides").replaceChildren(...(point?.sides ?? []).map((side, seat) => {
      const row = document.createElement("li");
      row.className = `seat-${seat % 6}`;
      const name = document.createElement("b");
      name.textContent = `${this.sideName(seat)} ${percent(side.value)} %`;
      const band = document.createElement("span");
      band.className = "faint";
      band.textContent = side.low < side.high ? ` (${percent(side.low)}–${percent(side.high)})` : "";
      row.append(name, band);
      return row;
    }));
  }

  tellMoments(course) {
    const rows = course.moments.slice(0, MOMENTS).map(moment => this.moment(moment));
    if (!rows.length && course.share >= 1) {
      const none = document.createElement("li");
      none.className = "faint";
      none.textContent = this.words.no_moments;
      rows.push(none);
    }
    byId("moments").replaceChildren(...rows);
    byId("moments").parentElement.hidden = !rows.length;
    if (rows.length && !this.opened) byId("moments").parentElement.open = this.opened = true;
  }

  moment({ since, to, side, change }) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.version = to;
    const where = document.createElement("b");
    where.textContent = to - since === 1 ? this.words.move.replace("{}", to) : this.words.moves.replace("{0}", since + 1).replace("{1}", to);
    const step = this.story.steps[to];
    const what = ` ${this.nameOf(step?.seat)} ${step?.lines[0] ?? ""}`;
    const told = document.createElement("span");
    const points = value => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(value * 100))}`;
    const bounds = [change.low, change.high].map(points);
    told.textContent = this.words.changed.replace("{0}", this.sideName(side)).replace("{1}", points(change.value))
      .replace("{2}", bounds[0]).replace("{3}", bounds[1]);
    told.className = change.value > 0 ? "up" : "down";
    button.append(where, what, told);
    row.append(button);
    return row;
  }

  async copy() {
    const button = byId("copy-link"), before = button.textContent;
    history.replaceState(null, "", `#${this.version}`);
    const address = new URL(location.href);
    if (this.data.key) address.searchParams.set("key", this.data.key);
    try { await navigator.clipboard.writeText(address.href); } catch { return; }
    button.textContent = this.words.copied;
    setTimeout(() => { button.textContent = before; }, 1500);
  }
}

const percent = value => Math.round(value * 100);

// A live region is read out when it changes: it is touched only then.
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}
