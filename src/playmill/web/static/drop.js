// The page on which a replay is dropped.
import { takeFiles } from "./dropping.js";

const { words } = JSON.parse(document.getElementById("data").textContent);
const notice = document.getElementById("notice");
const take = takeFiles({
  words,
  say: text => { notice.hidden = !text; notice.textContent = text ?? ""; },
});
const file = document.getElementById("file");
file.addEventListener("change", () => { take(file.files[0]); file.value = ""; });
