// Which options the things clicked so far leave. The picture says which things belong to which options, so no rules
// are needed here: a thing with `data-a` is a whole option, one with `data-in="3 7 12"` is a part of options 3, 7, 12,
// and one that has `data-go` besides is the last word of them: it is said when the rest has been chosen.
// The order of clicks does not matter, and a second click takes the first one back.
// Things with the same `data-alike` that belong to the same options stand for each other: either of them is the part.

export const PARTS = "[data-in]";

export const nameOf = thing => thing.getAttribute("data-thing") ?? thing.getAttribute("data-in");
export const numbersOf = text => new Set((text ?? "").split(" ").filter(Boolean).map(Number));

export const partOf = thing => ({
  name: nameOf(thing),
  options: numbersOf(thing.getAttribute("data-in")),
  go: thing.hasAttribute("data-go"),
  slot: thing.hasAttribute("data-alike") ? `${thing.getAttribute("data-alike")} ${thing.getAttribute("data-in")}` : nameOf(thing),
});

// The parts by their names: which of them each stands for.
export const slotsOf = (parts, clicked) => {
  const slots = new Map(parts.map(({ name, slot }) => [name, slot ?? name]));
  return [...clicked].map(name => slots.get(name) ?? name);
};

// The parts that each option is made of.
export function thingsOf(parts) {
  const things = new Map();
  for (const { name, slot, options } of parts) {
    for (const option of options) {
      if (!things.has(option)) things.set(option, new Set());
      things.get(option).add(slot ?? name);
    }
  }
  return things;
}

// What clicking leaves: the options that fit, those that one more click makes whole, and the one that is chosen.
// A whole option is chosen at once if no other fits any more, or if its last word was said.
export function narrow(parts, clicked) {
  const things = thingsOf(parts), slots = slotsOf(parts, clicked), once = new Set(slots).size === slots.length;
  const fitting = [...things].filter(([, needed]) => once && slots.every(slot => needed.has(slot)));
  const lacking = count => fitting.filter(([, needed]) => needed.size === clicked.size + count).map(([option]) => option);
  const left = fitting.map(([option]) => option), whole = clicked.size ? lacking(0) : [];
  const said = parts.some(({ name, go }) => go && clicked.has(name));
  return { left, next: lacking(1), chosen: whole.length === 1 && (said || left.length === 1) ? whole[0] : null };
}

// What is clicked after one more click. What does not fit with it any more is let go, the oldest clicks first.
export function click(parts, clicked, name) {
  if (clicked.has(name)) return new Set([...clicked].filter(other => other !== name));
  const kept = [name];
  for (const earlier of [...clicked].reverse()) {
    if (narrow(parts, new Set([...kept, earlier])).left.length) kept.push(earlier);
  }
  return new Set(kept.reverse());
}
