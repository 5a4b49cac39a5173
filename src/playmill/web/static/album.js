// A game that is watched without a server: everything is in the page itself.
import { bindKeys, showKeys } from "./keys.js";
import { Watch } from "./watching.js";

const byId = id => document.getElementById(id);

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), sign => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const album = await unpacked(byId("album").textContent);

// Pictures in their order, put together from their pieces: each from the one before.
function put(frames) {
  let before = [];
  return frames.map(([start, end, ...between]) => {
    before = [...before.slice(0, start), ...between, ...(end ? before.slice(-end) : [])];
    return before;
  });
}
const lists = new Map();
function listsOf(lang, eyes) {
  const key = `${lang} ${eyes}`;
  if (!lists.has(key)) lists.set(key, put(album.frames[lang][eyes]));
  return lists.get(key);
}

const sourceIn = lang => ({
  eyes: album.eyes,
  story: async eyes => structuredClone(album.stories[lang][eyes]),
  pictures: async (eyes, from, count) => listsOf(lang, eyes).slice(from, from + count).map((pieces, place) => ({
    picture: pieces.map(piece => album.pieces[piece]).join(""),
    text: eyes === "open" ? album.texts[lang][from + place] : undefined,
  })),
  chances: async () => album.course && { state: "done", course: album.course },
});

let watch = null;
function speak(lang) {
  watch?.play(false);
  document.documentElement.lang = lang;
  document.title = `${album.title[lang]} – Playmill`;
  byId("here").replaceChildren(byId(`page-${lang}`).content.cloneNode(true));
  watch = new Watch({ words: album.words[lang], agents: {}, lang }, sourceIn(lang));
  byId("help").addEventListener("click", showKeys);
  byId("theme").addEventListener("click", turnLight);
  byId("language").addEventListener("click", () => speak(lang === "en" ? "ru" : "en"));
  watch.begin();
}

function turnLight() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

speak(document.documentElement.lang);
// The language may change, and with it all that is watched: keys find what is there now.
bindKeys({
  ...Object.fromEntries(Object.keys(watch.keys()).map(key => [key, place => watch.keys()[key](place)])),
  "?": showKeys,
  "t": turnLight,
});
addEventListener("hashchange", () => {
  if (/^#\d{1,7}$/.test(location.hash)) watch.go(Number(location.hash.slice(1)));
});
