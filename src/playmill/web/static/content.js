// Content being made: each edit is looked at by the server, which says what a player reads and what is wrong; when the
// piece has been left alone for a moment, its worth is found out, and that of the former version is given up.

const form = document.getElementById("piece");
const fields = document.getElementById("fields"), told = document.getElementById("told"), worth = document.getElementById("worth");
const former = document.getElementById("former"), away = document.getElementById("away");
const LOOK = 250, REST = 700, POLL = 400; // milliseconds: after a key, before work begins, between two looks at it
// Versions of this page may overtake each other on their way to the server: it knows them by these two. Nobody waits for
// what was begun for the page that was left for this one.
let page, left, edits = 0, looking = null, waiting = null, resting = null, polling = null;
const LEFT = "playmill:left";

function arrive() {
  page = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  left = "";
  try {
    left = sessionStorage.getItem(LEFT) ?? "";
    sessionStorage.removeItem(LEFT);
  } catch { /* a browser that keeps nothing knows of no other page */ }
}

arrive();
addEventListener("pagehide", () => {
  try { sessionStorage.setItem(LEFT, page); } catch { /* what was begun is found out to its end */ }
});
addEventListener("pageshow", event => { if (event.persisted) { arrive(); look(); } });

form.classList.add("scripted");

// Makes a place be as a text says, out of what is there: what stays keeps its focus and where the cursor is.
function show(place, html) {
  const fresh = new DOMParser().parseFromString(`<div>${html}</div>`, "text/html").body.firstElementChild;
  const focused = document.activeElement;
  morph(place, fresh);
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

const same = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");

function morph(old, fresh) {
  const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    let found = next.id && known.get(next.id);
    if (!found || found.nodeName !== next.nodeName) found = at && !next.id && same(at, next) ? at : null;
    if (!found) { old.insertBefore(next, at); continue; }
    if (found === at) at = at.nextSibling; else old.insertBefore(found, at);
    if (next.nodeType === Node.ELEMENT_NODE) update(found, next);
    else if (found.data !== next.data) found.data = next.data;
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

function update(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !(name === "open")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "SELECT") {
    const chosen = fresh.value;
    if (old.innerHTML !== fresh.innerHTML) old.replaceChildren(...fresh.childNodes);
    if (old.value !== chosen) old.value = chosen;
  } else if (old.nodeName === "INPUT") {
    if (old.type === "checkbox") old.checked = fresh.checked;
    else if (old !== document.activeElement) old.value = fresh.getAttribute("value") ?? "";
  } else if (old.nodeName === "TEXTAREA") {
    if (old !== document.activeElement) old.value = fresh.value;
  } else morph(old, fresh);
}

// Asks what there is to say of the piece as it is now; an answer to an older version is not shown.
async function look(more = {}) {
  clearTimeout(waiting);
  looking?.abort();
  const mine = (looking = new AbortController()), version = edits;
  const sent = new URLSearchParams(new FormData(form));
  for (const name of ["file", "called", "from"]) sent.delete(name);
  sent.set("script", "1");
  sent.set("page", page);
  sent.set("left", left);
  sent.set("edits", version);
  for (const [name, value] of Object.entries(more)) sent.set(name, value);
  try {
    const answer = await fetch(`${form.action}/look`, { method: "POST", body: sent, signal: mine.signal });
    if (!answer.ok) throw new Error(answer.status);
    const now = await answer.json();
    away.hidden = true;
    if (version !== edits) return;
    show(fields, now.fields);
    show(told, now.told);
    tellWorth(now);
    if (now.right && form.dataset.mine && !now.work) rest();
  } catch (error) {
    if (error.name !== "AbortError") { away.hidden = false; waiting = setTimeout(look, 2000); }
  }
}

// Work begins when nobody has touched anything for a moment.
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => look({ begin: "1" }), REST);
}

function tellWorth(now) {
  worth.classList.remove("old");
  show(worth, now.worth);
  worth.dataset.state = now.state;
  short();
  former.value = now.work;
  clearTimeout(polling);
  if (!now.work) return;
  if (["waiting", "running"].includes(now.state)) polling = setTimeout(poll, POLL);
  else if (now.state === "stopped" && form.dataset.mine) rest();
}

// On a narrow screen the figure stands beside what is read, which stays in sight.
function short() {
  const line = document.getElementById("short"), figures = [...worth.querySelectorAll(".figure")];
  line.textContent = figures.map(figure => `${figure.querySelector("b").textContent} (${figure.querySelector(".between").textContent})`).join("; ");
}

async function poll() {
  const work = former.value;
  try {
    const answer = await fetch(`${form.action}/worth/${work}`, { cache: "no-store" });
    const now = await answer.json();
    if (former.value !== work) return;
    if (answer.ok) tellWorth(now); else rest();
  } catch { polling = setTimeout(poll, 2000); }
}

function edited(pause) {
  edits += 1;
  worth.classList.add("old");
  clearTimeout(resting);
  clearTimeout(waiting);
  waiting = setTimeout(look, pause);
}

form.addEventListener("input", event => {
  const name = event.target.name ?? "";
  if (!name.startsWith("c:") && !["deals", "rules"].includes(name)) return;
  edited(event.target.matches("select, [type=checkbox]") ? 0 : LOOK);
});

// A part more or less: the same button as without scripts, without leaving the page.
form.addEventListener("click", event => {
  const button = event.target.closest("button.add, button.drop");
  if (!button) return;
  event.preventDefault();
  edits += 1;
  worth.classList.add("old");
  clearTimeout(resting);
  const before = new Set([...fields.querySelectorAll(".entry")].map(entry => entry.id));
  const list = button.closest(".of-list");
  look({ do: button.value }).then(() => {
    const added = [...fields.querySelectorAll(".entry")].find(entry => !before.has(entry.id));
    (added ?? (list?.isConnected ? list : fields)).querySelector("select, input:not([type=hidden]), button")?.focus();
  });
});

form.addEventListener("submit", event => { if (event.submitter?.value === "look" && event.submitter.name === "do") { event.preventDefault(); edited(0); } });

const from = document.getElementById("from");
from.addEventListener("change", () => form.requestSubmit(document.getElementById("begin")));

// Another language keeps what was typed.
document.getElementById("language").addEventListener("click", event => {
  event.preventDefault();
  form.requestSubmit(document.getElementById("speak"));
});

// The prompt for a language model goes to the clipboard; where a page has none, it opens, to be copied by hand.
const copy = document.getElementById("copy");
if (copy) {
  const usual = copy.textContent;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      const answer = await fetch(copy.dataset.from);
      if (!answer.ok) throw new Error(answer.status);
      await navigator.clipboard.writeText(await answer.text());
      copy.textContent = copy.dataset.done;
      setTimeout(() => { copy.textContent = usual; }, 2000);
    } catch { open(copy.dataset.from, "_blank", "noopener"); }
  });
}

// A file is read here and lies in the field for it, where it can be looked at.
const upload = document.getElementById("upload");
upload.parentElement.hidden = false;
upload.addEventListener("change", async () => {
  const [file] = upload.files;
  const tooLong = file && file.size > 60_000;
  upload.nextElementSibling.hidden = !tooLong;
  if (file && !tooLong) form.elements.file.value = await file.text();
});

short();
if (worth.dataset.right && form.dataset.mine) {
  if (["waiting", "running"].includes(worth.dataset.state)) poll();
  else if (worth.dataset.state !== "done") rest();
}
