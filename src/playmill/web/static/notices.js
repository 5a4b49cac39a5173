// What has just fired, said for a few seconds beside the picture; the log has it all and is what is read out.
import { legible } from "./signs.js";

const STAY = 3800, MOST = 4;

export class Notices {
  constructor(box) {
    this.box = box;
  }

  say(lines) {
    for (const line of lines.slice(-MOST)) {
      const notice = document.createElement("p");
      notice.textContent = legible(line);
      this.box.append(notice);
      while (this.box.children.length > MOST) this.box.firstElementChild.remove();
      setTimeout(() => notice.remove(), STAY + 25 * line.length);
    }
  }

  clear() {
    this.box.replaceChildren();
  }
}
