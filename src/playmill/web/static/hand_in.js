// A bot dropped on the page, or chosen: sent to the server, which answers when it is in the queue.
const file = document.getElementById("file"), notice = document.getElementById("notice");
let busy = false;

function say(text) { notice.hidden = !text; notice.textContent = text ?? ""; }

async function hand(one) {
  if (!one || busy) return;
  busy = true;
  say(file.dataset.sending);
  try {
    const answer = await fetch(`/submit?name=${encodeURIComponent(one.name)}`, { method: "POST", body: one });
    const found = await answer.json().catch(() => ({ error: file.dataset.silent }));
    if (found.to) location.assign(found.to);
    else say(found.error);
  } catch {
    say(file.dataset.silent);
  } finally {
    busy = false;
  }
}

if (file) {
  file.addEventListener("change", () => { hand(file.files[0]); file.value = ""; });
  document.addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  document.addEventListener("drop", event => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    hand(event.dataTransfer?.files?.[0]);
  });
}
