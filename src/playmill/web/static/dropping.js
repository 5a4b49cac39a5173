// Files dropped on a page, or chosen: sent to the server, which says where the game in them can be watched.

const MOST = 4_000_000;

export function takeFiles({ words, say }) {
  let busy = false;
  async function take(file) {
    if (!file || busy) return;
    if (file.size > MOST) return say(words.too_large);
    busy = true;
    say(words.checking);
    try {
      const body = await file.arrayBuffer().catch(() => null);
      if (!body) return say(words.not_read);
      const answer = await fetch("/watch", { method: "POST", body });
      const found = await answer.json().catch(() => ({ error: words.no_answer }));
      if (found.to) location.assign(found.to);
      else say(found.error);
    } catch {
      say(words.no_answer);
    } finally {
      busy = false;
    }
  }
  document.addEventListener("dragover", event => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", event => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", event => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(event.dataTransfer?.files?.[0]);
  });
  return take;
}
