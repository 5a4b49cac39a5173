// What this browser keeps of its tables: the tokens of its seats, and what it last saw of each.

const PREFIX = "playmill:table:";
const memory = new Map();

function read(table) {
  if (memory.has(table)) return memory.get(table);
  try { return JSON.parse(localStorage.getItem(PREFIX + table)) ?? {}; } catch { return {}; }
}

function write(table, kept) {
  memory.set(table, kept);
  try {
    localStorage.setItem(PREFIX + table, JSON.stringify(kept));
    return true;
  } catch {
    return false; // kept as long as the page lives
  }
}

export function tokensOf(table) {
  return read(table).tokens ?? [];
}

export function addToken(table, token) {
  const kept = read(table);
  const tokens = [token, ...(kept.tokens ?? []).filter(other => other !== token)].slice(0, 8);
  return write(table, { ...kept, tokens });
}

export function note(table, facts) {
  write(table, { ...read(table), ...facts, at: Date.now() });
}

// Tokens behind the # of the address become this browser's own, and leave the address; of a browser that keeps nothing
// they stay there, or reloading the page would lose the seat.
export function takeFromAddress(table) {
  const tokens = location.hash.slice(1).split(",").filter(token => /^[\w-]{20,64}$/.test(token));
  if (!tokens.length) return;
  const kept = tokens.reverse().map(token => addToken(table, token)).every(Boolean);
  if (kept) history.replaceState(null, "", location.pathname + location.search);
}

// The token of a seat that is to be taken: made here, so that it can be asked for again should the answer be lost.
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// A seat taken here: where the browser keeps nothing, the address does.
export function sitDown(table, token) {
  if (!addToken(table, token)) history.replaceState(null, "", `#${tokensOf(table).join(",")}`);
}

export function allTables() {
  const found = [];
  try {
    for (let place = 0; place < localStorage.length; place++) {
      const key = localStorage.key(place);
      if (key.startsWith(PREFIX)) found.push({ table: key.slice(PREFIX.length), ...read(key.slice(PREFIX.length)) });
    }
  } catch { /* nothing is kept */ }
  return found.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

export function setting(name, usual) {
  try { return localStorage.getItem(`playmill:${name}`) ?? usual; } catch { return usual; }
}

export function set(name, value) {
  try { localStorage.setItem(`playmill:${name}`, value); } catch { /* it lasts as long as the page */ }
}
