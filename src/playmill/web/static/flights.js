// What flies from thing to thing in the picture: a small disc with a few signs; where both are one, it rises there.

const SVG = "http://www.w3.org/2000/svg";
const TIME = 480;

export function fly(picture, flights) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [from, to, signs] of flights) {
    const find = name => picture.querySelector(`[data-spot="${CSS.escape(name)}"], [data-thing="${CSS.escape(name)}"]`);
    const [start, end] = [find(from), find(to)];
    if (!start || !end) continue;
    const [one, other] = [start, end].map(middle), size = Math.max(start.getBBox().height, 1) * 0.72;
    const disc = document.createElementNS(SVG, "g"), circle = document.createElementNS(SVG, "circle");
    const words = document.createElementNS(SVG, "text");
    disc.setAttribute("class", "flight");
    circle.setAttribute("r", size);
    words.setAttribute("y", size * 0.34);
    words.setAttribute("font-size", size);
    words.textContent = signs;
    disc.append(circle, words);
    (start.closest("[data-zoom] > g") ?? start.parentNode).append(disc);
    const at = ([x, y], scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;
    const rising = from === to ? [at([one[0], one[1] - size * 0.4], 0.6), at([one[0], one[1] - size * 1.6], 1)] : [at(one, 0.7), at(other)];
    disc.animate(
      [{ transform: rising[0], opacity: 1 }, { transform: rising[1], opacity: 1, offset: 0.8 }, { transform: rising[1], opacity: 0 }],
      { duration: TIME, easing: "ease-in-out", fill: "forwards" },
    ).finished.finally(() => disc.remove());
  }
}

function middle(thing) {
  const box = thing.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
