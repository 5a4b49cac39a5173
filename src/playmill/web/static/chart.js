// The chance of each side over a game: a line with its band for every side, the moments that changed most, and a mark
// where one is. Drawn in thousandths of the width, so that it fits under the slider whatever the page's size.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 1000, HIGH = 200;

function made(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

export class Chart {
  constructor(place, { go }) {
    this.last = 1;
    this.points = [];
    this.svg = made("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    place.replaceChildren(this.svg, ...["100 %", "50 %", "0"].map(text => {
      const label = document.createElement("span");
      label.textContent = text;
      return label;
    }));
    this.svg.addEventListener("click", event => {
      const box = this.svg.getBoundingClientRect();
      go(Math.round((event.clientX - box.left) / box.width * this.last));
    });
    this.at = made("line", { class: "at", y1: 0, y2: HIGH });
  }

  x(version) {
    return this.last ? version / this.last * WIDE : 0;
  }

  draw(course, last) {
    this.last = last;
    this.points = course.points;
    this.svg.replaceChildren();
    for (const share of [0.25, 0.5, 0.75]) {
      made("line", { class: "grid", x1: 0, x2: WIDE, y1: share * HIGH, y2: share * HIGH }, this.svg);
    }
    for (const moment of course.moments) {
      const x = this.x(moment.to);
      made("line", { class: "moment", x1: x, x2: x, y1: 0, y2: HIGH }, this.svg);
    }
    const sides = this.points[0]?.sides.length ?? 0;
    const path = (side, bound, points = this.points) =>
      points.map(point => `${this.x(point.at).toFixed(1)} ${((1 - point.sides[side][bound]) * HIGH).toFixed(1)}`);
    for (let side = 0; side < sides; side++) {
      const around = [...path(side, "high"), ...path(side, "low", this.points.toReversed())];
      made("path", { class: `band seat-${side % 6}`, d: `M${around.join("L")}Z` }, this.svg);
    }
    for (let side = 0; side < sides; side++) {
      made("path", { class: `line seat-${side % 6}`, d: `M${path(side, "value").join("L")}` }, this.svg);
    }
    this.svg.append(this.at);
  }

  // Marks where one is, and returns what is known there: the last point that was looked at before.
  mark(version) {
    this.at.setAttribute("x1", this.x(version));
    this.at.setAttribute("x2", this.x(version));
    return this.points.findLast(point => point.at <= version) ?? null;
  }
}
