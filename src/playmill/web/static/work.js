// The page of a job: how far it is, twice a second, oftener until there is a first figure, and its report as often as
// there is a newer one. The page of a contest has a report only.

const main = document.getElementById("work");
const at = main?.dataset.at;
const report = document.getElementById("report");
const bar = document.getElementById("bar");
let state = main?.dataset.state, pages = Number(main?.dataset.pages), looks = 0;

// As high as what is in it, so that nothing scrolls within the page.
function fit() {
  const inside = report?.contentDocument?.documentElement;
  if (inside) report.style.height = `${Math.max(300, inside.scrollHeight + 4)}px`;
}
report?.addEventListener("load", fit);
addEventListener("resize", fit);

// What a colleague opens: this page, with the key of the server if it has one, and without the owner's.
const copy = document.getElementById("copy");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const key = copy.dataset.key ? `?key=${encodeURIComponent(copy.dataset.key)}` : "";
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}${key}`);
    const before = copy.textContent;
    copy.textContent = copy.dataset.done;
    setTimeout(() => { copy.textContent = before; }, 1500);
  });
}

const whole = new Intl.NumberFormat(document.documentElement.lang);

function tell(now) {
  const told = document.getElementById("label");
  if (now.label) told.textContent = now.label;
  const counted = document.getElementById("counted");
  // What prepares the next setting knows nothing of how far all of it is: that stays as it was.
  if (now.total && bar) { bar.max = now.total; bar.value = now.done; }
  if (now.total) counted.textContent = `${whole.format(now.done)} / ${whole.format(now.total)}`;
  else if (now.done) counted.textContent = whole.format(now.done);
  if (now.pages !== pages) {
    pages = now.pages;
    report.hidden = false;
    document.getElementById("not-yet").hidden = true;
    document.getElementById("interim").hidden = false;
    // Put in place of the old one without a step back in the history of the browser.
    const next = `${at}/report?pages=${pages}`;
    if (report.contentWindow && report.getAttribute("src")) report.contentWindow.location.replace(next);
    else report.src = next;
  }
}

// A server that is away is asked again; until it is back nothing can be asked of it, and no click leads to nowhere.
function away(gone) {
  document.getElementById("away").hidden = !gone;
  for (const button of document.querySelectorAll(".acts button")) button.disabled = gone;
}

async function look() {
  try {
    const answer = await fetch(`${at}/state`, { cache: "no-store" });
    if (answer.status === 404) { location.assign("/lab"); return; }
    const now = await answer.json();
    if (now.state !== state) { location.reload(); return; }
    away(false);
    tell(now);
  } catch {
    away(true);
  }
  setTimeout(look, pages || looks++ > 50 ? 500 : 100);
}

if (["waiting", "running"].includes(state)) look();
