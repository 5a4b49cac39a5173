// What an expert would have done at the decisions of a finished game, and what it cost to do otherwise: of the move where
// one is, of each player, and of the decisions that cost most.
const MOST = 12;
const byId = id => document.getElementById(id);

function made(kind, text = "", name = "") {
  const element = document.createElement(kind);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

export class ExpertView {
  constructor({ words, lang, watch }) {
    Object.assign(this, { words, watch });
    this.place = lang === "ru" ? 1 : 0;
    this.found = null;
    byId("mistakes").addEventListener("click", event => {
      const line = event.target.closest("[data-version]");
      if (line) watch.go(Number(line.dataset.version));
    });
  }

  // What is known so far; nothing while a game goes on.
  show(found) {
    byId("analysis").hidden = !found;
    if (!found) return;
    this.found = found;
    this.decisions = new Map(found.decisions.map(one => [one.at + 1, one]));
    const done = found.share >= 1, note = byId("analysis-note");
    note.hidden = done;
    note.textContent = done ? "" : this.words.analysing.replace("{}", Math.round(found.share * 100));
    byId("by-expert").textContent = this.words.by_expert
      .replace("{0}", this.words.expert).replace("{1}", found.expert).replace("{2}", found.playouts);
    byId("analysed").replaceChildren(this.table(found.players));
    const rows = found.mistakes.slice(0, MOST).map(one => this.mistake(one));
    if (!rows.length && done) rows.push(made("li", this.words.no_mistakes, "faint"));
    byId("mistakes").replaceChildren(...rows);
    byId("mistakes").parentElement.hidden = !rows.length;
    this.mark(this.watch.version);
    this.markLog();
  }

  // The moves that cost something, in their order, for whoever goes from one to the next.
  get versions() {
    return (this.found?.mistakes ?? []).map(one => one.at + 1).sort((a, b) => a - b);
  }

  // Signs in the log, as people who write about games use them.
  markLog() {
    for (const old of byId("log").querySelectorAll(".sign")) old.remove();
    for (const one of this.found?.mistakes ?? []) {
      const line = byId("log").querySelector(`[data-version="${one.at + 1}"]`);
      line?.querySelector("b")?.after(made("i", ` ${this.sign(one.cost.value)}`, "sign"));
    }
  }

  sign(cost) {
    return this.found.pays || cost < 0.05 ? "?!" : cost < 0.1 ? "?" : "??";
  }

  // What the expert says of the move that led to where one is.
  mark(version) {
    const one = this.decisions?.get(version), line = byId("expert");
    let text = "";
    if (one) {
      const surely = this.words.expert_sure.replace("{}", Math.round(one.sure * 100));
      const glance = one.glance >= 0 && one.glance !== one.best
        ? `, ${this.words.expert_glance.replace("{}", this.action(one.glance))}` : "";
      const confirmed = this.found.mistakes.find(other => other.at === one.at) ?? one;
      if (one.best === one.action) {
        text = `${this.words.expert_same} (${surely}${glance})`;
      } else {
        const kind = confirmed.cost.low > 0 ? this.words.expert_other : this.words.expert_alike;
        text = kind.replace("{0}", `${this.action(one.best)} (${surely}${glance})`).replace("{1}", this.cost(confirmed.cost));
      }
    }
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  }

  action(action) {
    return this.found.words[action][this.place];
  }

  number(value) {
    const shown = this.found.pays ? value.toFixed(2) : (value * 100).toFixed(1);
    const text = /[1-9]/.test(shown) ? shown.replace("-", "−") : shown.replace("-", "");
    return this.place ? text.replace(".", ",") : text;
  }

  cost({ value, low, high }) {
    const parts = [value, low, high].map(one => this.number(one));
    return (this.found.pays ? this.words.cost_paid : this.words.cost_chance).replace(/\{(\d)\}/g, (_, place) => parts[place]);
  }

  table(players) {
    const table = document.createElement("table"), head = document.createElement("tr");
    head.append(made("th"), ...["decisions", "as_expert", "cost_each"].map(key => {
      const cell = made("th", this.words[key]);
      cell.scope = "col";
      return cell;
    }));
    const body = players.map((one, seat) => {
      const row = document.createElement("tr"), name = made("th", this.watch.nameOf(seat), `seat-${seat % 6}`);
      name.scope = "row";
      const share = one.decisions ? `${Math.round(100 * one.agreed / one.decisions)} %` : "—";
      const cost = one.cost ? this.cost(one.cost) : one.decisions ? this.words.never_differed : "—";
      row.append(name, made("td", one.decisions), made("td", share), made("td", cost));
      return row;
    });
    const top = document.createElement("thead"), rest = document.createElement("tbody");
    top.append(head);
    rest.append(...body);
    table.append(top, rest);
    return table;
  }

  mistake(one) {
    const row = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.dataset.version = one.at + 1;
    const where = made("b", this.words.move.replace("{}", one.at + 1));
    const what = ` ${this.watch.nameOf(one.player)} ${this.action(one.action)} `;
    const better = this.words.expert_other.replace("{0}", this.action(one.best)).replace("{1}", this.cost(one.cost));
    button.append(where, what, made("i", this.sign(one.cost.value), "sign"), made("span", better));
    row.append(button);
    return row;
  }
}
