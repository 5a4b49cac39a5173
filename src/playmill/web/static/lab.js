// The form of the laboratory: the settings as at a table, and numbers proposed where a range is asked for.
import { bindEnter } from "./enter.js";
import { bindSettings } from "./settings.js";
import { bindForm } from "./laying.js";

const form = document.getElementById("lay");
bindSettings(form, document.getElementById("changed"));
bindForm(form);
bindEnter(form);

// Whatever lays the page anew, the question that is open stays open.
for (const question of form.querySelectorAll(".question")) {
  question.addEventListener("toggle", () => { if (question.open) form.elements.open.value = question.dataset.kind; });
}

// Around what the rules say, as far as the setting may go.
function around(option) {
  const now = Number(option.dataset.now), least = option.dataset.low, most = option.dataset.high;
  let low = Math.min(Math.floor(now / 2), now - 1), high = Math.max(Math.ceil(now * 1.5), now + 1);
  if (least !== "") low = Math.max(low, Number(least));
  if (most !== "") high = Math.min(high, Number(most));
  return [low, high];
}

document.querySelector(".question [role=alert]")?.scrollIntoView({ block: "center" });

const over = document.getElementById("over");
function propose() {
  const option = over.selectedOptions[0];
  if (!option) return;
  const [low, high] = around(option);
  form.elements.over_from.value = low;
  form.elements.over_to.value = high;
  form.elements.over_step.value = Math.max(1, Math.ceil((high - low) / 8));
}
over?.addEventListener("change", propose);
if (over && !form.elements.over_from.value) propose();

const path = document.getElementById("free-path");
if (path) {
  path.parentElement.hidden = false;
  document.getElementById("free-add").addEventListener("click", () => {
    const option = path.selectedOptions[0], free = document.getElementById("free");
    if (!option) return;
    const [low, high] = around(option), named = free.value.split("\n").some(line => line.startsWith(`${option.value}:`));
    if (!named) free.value = [...free.value.split("\n").filter(line => line.trim()), `${option.value}:${low}..${high}`].join("\n");
    free.focus();
  });
}
