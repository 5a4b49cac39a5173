// The page of a game that the server shows: a recorded one, a finished table, or one that goes on.
import { takeFiles } from "./dropping.js";
import { bindKeys, showKeys } from "./keys.js";
import { Line } from "./socket.js";
import { Watch } from "./watching.js";

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);

function say(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text ?? "";
}

async function ask(what, query = {}) {
  const address = `${data.at}/${what}?${new URLSearchParams({ lang: data.lang, ...query })}`;
  try {
    const answer = await fetch(address);
    const found = await answer.json();
    if (answer.ok) return found;
    say(found.error);
  } catch {
    say(data.words.no_answer);
  }
  return null;
}

const source = {
  story: eyes => ask("story", { as: eyes }),
  pictures: (eyes, from, count) => ask("pictures", { as: eyes, from, count }),
  chances: () => ask("chances"),
};
const watch = new Watch(data, source);
takeFiles({ words: data.words, say });
byId("help").addEventListener("click", showKeys);
bindKeys({
  ...watch.keys(),
  "?": showKeys,
  "r": () => byId("rules").click(),
  "t": () => byId("theme").click(),
});
window.addEventListener("hashchange", () => {
  if (/^#\d{1,7}$/.test(location.hash)) watch.go(Number(location.hash.slice(1)));
});

await watch.begin();
if (data.table && watch.story && !watch.story.over) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  new Line(`${scheme}://${location.host}/t/${data.table}/socket`, {
    hello: () => ({ kind: "hello", tokens: [], have: watch.last, lang: data.lang }),
    heard: message => { if (message.kind === "seen" && message.version > watch.last) watch.add(message); },
    changed: state => {
      const text = { lost: data.words.reconnecting, gone: data.words.gone }[state];
      byId("link").hidden = !text;
      byId("link").textContent = text ?? "";
    },
  });
}
