// A line of the log leads back to its moment: the table as it was then, until the present is wanted again.
import { show } from "./morph.js";

export class LookingBack {
  constructor({ picture, list, bar, words, ask, present }) {
    Object.assign(this, { picture, list, bar, words, ask, present });
    this.wanted = null; // the version that is looked at, or asked for
    bar.querySelector("button").addEventListener("click", () => this.leave());
  }

  get away() {
    return this.wanted !== null;
  }

  want(version) {
    if (version === this.wanted) return;
    this.wanted = version;
    this.ask({ kind: "look", version });
  }

  heard(past) {
    if (past.version !== this.wanted) return;
    show(this.picture, past.picture, { still: true });
    this.bar.querySelector("span").textContent = this.words.past;
    this.bar.hidden = false;
    this.mark();
  }

  mark() {
    for (const entry of this.list.children) {
      entry.toggleAttribute("aria-current", this.away && Number(entry.dataset.version) === this.wanted);
    }
  }

  // Forgets the past without drawing anything; says whether it was looked at.
  drop() {
    if (!this.away) return false;
    this.wanted = null;
    this.bar.hidden = true;
    this.mark();
    return true;
  }

  leave() {
    const was = this.drop();
    if (was) this.present();
    return was;
  }
}
