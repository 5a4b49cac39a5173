// A form of settings: what differs from the rules is marked as it is typed, and can be set back field by field.

const textsOf = field => {
  const inputs = [...field.querySelectorAll("input[name^='v:'], select[name^='v:'], textarea[name^='v:']")];
  switch (field.dataset.widget) {
    case "switch": return [String(inputs.at(-1).checked)];
    case "many": return inputs.filter(input => input.checked).map(input => input.value);
    case "cards": return inputs.filter(input => input.checked).map(input => input.value);
    default: return inputs.map(input => input.value.trim());
  }
};

function setBack(field) {
  const usual = JSON.parse(field.dataset.usual);
  const inputs = [...field.querySelectorAll("input[name^='v:'], select[name^='v:'], textarea[name^='v:']")];
  switch (field.dataset.widget) {
    case "switch": inputs.at(-1).checked = usual[0] === "true"; break;
    case "many":
    case "cards": for (const input of inputs) if (input.type !== "hidden") input.checked = usual.includes(input.value); break;
    default: inputs.forEach((input, place) => { input.value = usual[place] ?? ""; });
  }
}

export function bindSettings(form, count) {
  const fields = [...form.querySelectorAll(".setting")];

  function look(field) {
    const texts = textsOf(field);
    const differs = JSON.stringify(texts) !== field.dataset.usual && JSON.stringify(texts) !== JSON.stringify(JSON.parse(field.dataset.usual));
    field.classList.toggle("differs", differs && !(field.dataset.widget === "number" && texts[0] === ""));
    if (field.dataset.widget === "number") {
      const number = Number(texts[0]), { low, high } = field.dataset;
      const off = texts[0] !== "" && (!Number.isFinite(number) || (low && number < Number(low)) || (high && number > Number(high)));
      field.classList.toggle("off", Boolean(off));
    }
    for (const select of field.querySelectorAll("select")) {
      const about = select.selectedOptions[0]?.dataset.about ?? "";
      select.title = about;
    }
    const chosen = field.querySelector(".chosen-about");
    if (chosen) {
      const abouts = [...field.querySelectorAll("select")].map(select => select.selectedOptions[0])
        .filter(option => option?.dataset.about).map(option => `${option.textContent}: ${option.dataset.about}`);
      chosen.replaceChildren(...[...new Set(abouts)].map(text => Object.assign(document.createElement("li"), { textContent: text })));
    }
    const summary = field.querySelector(".many > summary");
    if (summary) summary.textContent = summary.textContent.replace(/\d+/, texts.length);
  }

  function tally() {
    if (!count) return;
    const changed = fields.filter(field => field.closest("#settings") && field.classList.contains("differs")).length;
    count.hidden = !changed;
    count.textContent = count.dataset.text.replace("{}", changed);
  }

  for (const field of fields) {
    // What the chosen things do is told under them as they are chosen; without scripts there is the list of all.
    if (field.querySelector("option[data-about]")) {
      const list = document.createElement("ul");
      list.className = "chosen-about";
      list.setAttribute("aria-live", "polite");
      (field.querySelector(".places") ?? field.querySelector("select")).after(list);
    }
    field.addEventListener("input", () => { look(field); tally(); });
    field.querySelector(".usually").addEventListener("click", event => {
      event.preventDefault();
      setBack(field);
      look(field);
      tally();
      for (const mistake of field.querySelectorAll(".mistake")) mistake.remove();
      field.classList.remove("wrong");
      field.querySelector("input:not([type=hidden]), select, textarea")?.focus();
    });
    look(field);
  }
  tally();
  form.querySelector(".wrong")?.scrollIntoView({ block: "center" });
}
