// Moments played out one after the other, so that a person sees what happened. The server is ahead already: all
// waiting is done here.

const PAUSES = { slow: 1300, usual: 550, fast: 160, once: 0 };
const LONGEST = 7000; // however much was missed, seeing it takes no longer

export class Playing {
  constructor({ draw, settled, speed }) {
    Object.assign(this, { draw, settled, speed });
    this.steps = [];
    this.version = -1;
    this.timer = null;
  }

  get busy() {
    return this.steps.length > 0 || this.timer !== null;
  }

  add(steps) {
    const last = this.steps.at(-1)?.version ?? this.version;
    this.steps.push(...steps.filter(step => step.version > last));
    if (this.timer === null) this.go();
  }

  // Begins anew, as somebody else or after a long absence.
  forget() {
    clearTimeout(this.timer);
    this.timer = null;
    this.steps = [];
    this.version = -1;
  }

  skip() {
    clearTimeout(this.timer);
    this.timer = null;
    while (this.steps.length) this.one(true);
    this.settled();
  }

  one(still) {
    const step = this.steps.shift();
    this.version = step.version;
    this.draw(step, still);
    return step;
  }

  go() {
    this.timer = null;
    while (this.steps.length) {
      const step = this.one(false);
      const pause = Math.min(PAUSES[this.speed()] ?? PAUSES.usual, LONGEST / (this.steps.length || 1));
      if (this.steps.length && step.picture && pause > 0) {
        this.timer = setTimeout(() => this.go(), pause);
        return;
      }
    }
    this.settled();
  }
}
