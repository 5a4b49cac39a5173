// Which options the things clicked so far leave. The picture says which things belong to which options, so no rules
// are needed here: a thing with `data-a` is a whole option, one with `data-in="3 7 12"` is a part of options 3, 7, 12.
// An option is chosen when all of its things have been clicked, or when it is the only one left.

export const PARTS = "[data-in]";

export function optionsOf(thing) {
  return new Set((thing.getAttribute("data-in") ?? "").split(" ").filter(Boolean).map(Number));
}

// The things of each option, as the names of the parts that it is made of.
export function thingsOf(parts) {
  const things = new Map();
  for (const { name, options } of parts) {
    for (const option of options) {
      if (!things.has(option)) things.set(option, new Set());
      things.get(option).add(name);
    }
  }
  return things;
}

// What clicking leaves: the options that fit, and the one that is chosen by it, if any.
export function narrow(parts, clicked) {
  const things = thingsOf(parts);
  const fitting = [...things].filter(([, needed]) => [...clicked].every(name => needed.has(name)));
  const left = fitting.map(([option]) => option);
  if (!clicked.size) return { left, chosen: null };
  const whole = fitting.filter(([, needed]) => needed.size === clicked.size).map(([option]) => option);
  const chosen = whole.length === 1 ? whole[0] : left.length === 1 ? left[0] : null;
  return { left, chosen };
}
