// A contest as it stands: it is asked for again every few seconds while somebody looks, and shown if it has changed.
import "./work.js";

const PAUSE = 5000;
const standing = document.getElementById("standing"), report = document.getElementById("report");
let timer = null;

async function look() {
  clearTimeout(timer);
  try {
    const answer = document.hidden ? null : await fetch(location, { cache: "no-store" });
    if (answer?.ok) put(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch { /* the server is away; it is asked again */ }
  timer = setTimeout(look, PAUSE);
}

function put(fresh) {
  const next = fresh.getElementById("standing");
  if (!next || next.innerHTML === standing.innerHTML) return;
  if (Boolean(fresh.getElementById("report")) !== Boolean(report)) { location.reload(); return; }
  const focused = standing.contains(document.activeElement) && document.activeElement.getAttribute("href");
  standing.replaceChildren(...next.childNodes);
  if (focused) standing.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  report?.contentWindow.location.reload();
}

document.addEventListener("visibilitychange", look);
timer = setTimeout(look, PAUSE);
