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

// A list whose order matters: what is chosen is dragged by its grip, or moved with the arrow keys; boxes are sent in the
// order in which they stand.
function bindOrder(list, changed) {
  list.previousElementSibling.hidden = false;
  for (const grip of list.querySelectorAll(".grip")) {
    const row = grip.parentElement;
    grip.hidden = false;
    grip.addEventListener("click", event => event.preventDefault());
    grip.addEventListener("keydown", event => {
      const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!steps) return;
      event.preventDefault();
      const chosen = [...list.children].filter(other => other.querySelector("input").checked);
      const other = chosen[chosen.indexOf(row) + steps];
      if (!other) return;
      if (steps < 0) other.before(row); else other.after(row);
      grip.focus();
      changed();
    });
    grip.addEventListener("pointerdown", event => {
      event.preventDefault();
      grip.focus();
      row.classList.add("moving");
      const drag = ({ clientY }) => {
        const others = [...list.children].filter(other => other !== row);
        const next = others.find(other => { const box = other.getBoundingClientRect(); return clientY < box.top + box.height / 2; });
        if (next ? next.previousElementSibling === row : list.lastElementChild === row) return;
        if (next) next.before(row); else list.append(row);
      };
      // The page listens, not the grip: an element that is moved loses the pointer.
      const done = new AbortController();
      const drop = () => {
        done.abort();
        row.classList.remove("moving");
        changed();
      };
      addEventListener("pointermove", drag, { signal: done.signal });
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, drop, { signal: done.signal });
    });
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
    for (const list of field.querySelectorAll(".ordered")) bindOrder(list, () => { look(field); tally(); });
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
