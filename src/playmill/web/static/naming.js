// How players are called. Pictures and rules know them by their numbers alone, so a name has its number beside it.

const BACKWARDS = /[\u0590-\u08FF\uFB1D-\uFEFC]/; // writing that would turn round what stands after it

export function called(name, seat, { players, words }) {
  if (seat === undefined || seat < 0) return "";
  if (!name) return words.player.replace("{}", seat + 1);
  const apart = BACKWARDS.test(name) ? `\u2068${name}\u2069` : name;
  return players > 1 ? `${apart} (${seat + 1})` : apart;
}
