// What drawing does to a drawing, and nothing else: `kinds` by place, `pins` by group and number, and `steps`, the ways
// in which a symmetry carries places to one another (none without one). Nothing here is changed; new ones are returned.

export const NOWHERE = -1;

// All places that are alike with one, itself first; NOWHERE is among them if some lie outside the canvas.
export function orbit(steps, place) {
  const found = [place];
  for (const one of found) {
    if (one === NOWHERE) continue;
    for (const step of steps) if (!found.includes(step[one])) found.push(step[one]);
  }
  return found;
}

const without = (pins, places) => Object.fromEntries(
  Object.entries(pins).map(([key, group]) => [key, group.map(pin => places.includes(pin) ? null : pin)]));

// A place and all that are alike become of a kind; null if that cannot be, because some lie outside. What becomes empty
// (kind 0) loses its pins.
export function painted({ kinds, pins }, steps, place, kind) {
  const alike = orbit(steps, place);
  if (kind && alike.includes(NOWHERE)) return null;
  const mine = alike.filter(one => one !== NOWHERE);
  const next = kinds.slice();
  for (const one of mine) next[one] = kind;
  return { kinds: next, pins: kind ? pins : without(pins, mine) };
}

// A click with the pins of a group: takes away the pin that is there, with those alike; else the free ones go there and
// to the places alike, in the order of their numbers. Where the symmetry has a place for each, one click places all of
// them anew. Null if all are placed.
export function pinned({ kinds, pins }, key, steps, place) {
  const alike = orbit(steps, place).filter(one => one !== NOWHERE);
  const group = pins[key], count = group.length;
  if (group.includes(place)) return { kinds, pins: { ...pins, [key]: group.map(pin => alike.includes(pin) ? null : pin) } };
  if (alike.length >= count && alike.length % count === 0) {
    return { kinds, pins: { ...pins, [key]: group.map((_, number) => alike[number * alike.length / count]) } };
  }
  const places = count % alike.length ? [place] : alike.filter(one => !group.includes(one));
  const next = group.map(pin => pin === null && places.length ? places.shift() : pin);
  return next.every((pin, number) => pin === group[number]) ? null : { kinds, pins: { ...pins, [key]: next } };
}

// The whole drawing made alike: what is drawn anywhere is drawn at all places alike, in reading order the first of them
// decides; what has no counterpart goes.
export function completed({ kinds, pins }, steps) {
  const next = kinds.slice(), gone = [];
  const done = new Set();
  kinds.forEach((_, place) => {
    if (done.has(place)) return;
    const alike = orbit(steps, place);
    const mine = alike.filter(one => one !== NOWHERE);
    const kind = alike.length > mine.length ? 0 : mine.toSorted((one, other) => one - other).map(one => kinds[one]).find(Boolean) ?? 0;
    for (const one of mine) { done.add(one); next[one] = kind; if (!kind) gone.push(one); }
  });
  return { kinds: next, pins: without(pins, gone) };
}
