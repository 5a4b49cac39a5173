// A hint: what `search` would do, shown beside the options and in the picture. It comes bit by bit; a hint about a moment
// that is over is forgotten.

export class Hints {
  constructor({ button, line, list, picture, words, ask, wordsOf }) {
    Object.assign(this, { button, line, list, picture, words, ask, wordsOf });
    this.hint = null; // the last that was told
    this.version = null; // of the moment that was asked about
    button.addEventListener("click", () => this.want());
    new MutationObserver(() => this.mark()).observe(list, { childList: true });
  }

  // What the table shows now: whether a hint can be had, and whether the last one is still about it.
  update(seen, busy) {
    this.seen = seen;
    this.may = seen.hints && seen.yours && !seen.over && !busy && seen.options.length > 0;
    this.button.hidden = !seen.hints || seen.you === null || seen.over;
    this.button.setAttribute("aria-disabled", String(!this.may));
    if (this.version === null && this.noted !== seen.version) this.say("");
    this.noted = seen.version;
    if (this.version !== null && (this.version !== seen.version || !seen.yours)) this.forget();
    if (this.missed && this.version !== null) this.ask({ kind: "hint", version: this.version });
    this.missed = false;
    this.mark();
  }

  // The line is open again: what was thought meanwhile was told to nobody.
  reopened() {
    this.missed = this.version !== null && !this.hint?.done;
  }

  want() {
    if (!this.may || this.version === this.seen.version) return;
    this.version = this.seen.version;
    this.say(this.words.hint_thinking);
    this.ask({ kind: "hint", version: this.version });
  }

  heard(hint) {
    if (hint.version !== this.version) return;
    this.hint = hint;
    const best = hint.options.find(option => option.action === hint.best);
    const sure = best && Math.round(best.share * 100);
    if (!best && hint.done) {
      this.hint = this.version = null; // it may be asked for again
      this.say(hint.failed ? this.words.hint_failed : this.words.hint_nothing);
    } else if (best) {
      const parts = [this.wordsOf(hint.best), sure, hint.thoughts, this.worth(best)];
      const text = this.words.hint_says.replace(/\{(\d)\}/g, (_, place) => parts[Number(place)]);
      const expert = this.expert(hint);
      this.say(`${hint.done ? text : `${text} …`}${expert && ` ${expert}`}`);
    }
    this.mark();
  }

  // What an expert that need not think adds to it.
  expert({ expert, best }) {
    if (expert === null || expert === undefined) return "";
    return expert === best ? this.words.hint_expert_same : this.words.hint_expert_other.replace("{}", this.wordsOf(expert));
  }

  refused() {
    if (!this.hint) this.forget();
  }

  worth(option) {
    const percent = Math.round(Math.max(0, Math.min(1, option.worth)) * 100);
    if (this.hint.chance) return this.words.hint_chance.replace("{}", percent);
    return this.words.hint_worth.replace("{}", Math.round(option.worth * 100) / 100);
  }

  forget() {
    this.hint = this.version = null;
    this.say("");
    this.mark();
  }

  say(text) {
    this.line.hidden = !text;
    if (this.line.textContent !== text) this.line.textContent = text;
  }

  // Bars and numbers beside the options; the best is marked there and in the picture.
  mark() {
    const known = new Map(this.hint?.options.map(option => [option.action, option]));
    const best = this.hint?.best ?? null;
    for (const button of this.list.querySelectorAll("button")) {
      const option = known.get(Number(button.dataset.action));
      button.classList.toggle("advised", Number(button.dataset.action) === best && best !== null);
      let bar = button.querySelector(".weighed");
      if (!option) {
        bar?.remove();
        continue;
      }
      if (!bar) {
        bar = document.createElement("span");
        bar.className = "weighed";
        bar.append(document.createElement("i"), document.createElement("b"));
        button.append(bar);
      }
      bar.firstChild.style.width = `${Math.max(2, option.share * 100)}%`;
      const percent = Math.round(Math.max(0, Math.min(1, option.worth)) * 100);
      bar.lastChild.textContent = this.hint.chance ? `${percent} %` : String(Math.round(option.worth * 100) / 100);
      bar.title = `${Math.round(option.share * 100)} % · ${this.worth(option)}`;
    }
    for (const thing of this.picture.querySelectorAll("[data-hint]")) thing.removeAttribute("data-hint");
    if (best === null) return;
    for (const thing of this.picture.querySelectorAll(`[data-a="${best}"], [data-in~="${best}"]`)) {
      thing.setAttribute("data-hint", "");
    }
  }
}
