// Keys by what they mean, in either layout of the keyboard; nothing while somebody types or a dialog is open.

const SAME_PLACE = {
  "ч": "x",
  "ь": "m", "а": "f", "г": "u", "р": "h", "т": "n", "е": "t", "к": "r", ".": "/", ",": "?", "=": "+", "−": "-",
};

export function bindKeys(actions) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest?.("input:not([type=range]), textarea, select");
    if (typing && event.key === "Escape") return void typing.blur();
    if (typing) return;
    if (event.key === " " && event.target.closest?.("button, a, summary, [role=button]")) return; // it does what is marked
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const russian = document.documentElement.lang === "ru" || /^[а-я]$/.test(key);
    const meant = key in actions ? key : russian ? SAME_PLACE[key] : undefined;
    if (/^[1-9]$/.test(key)) actions.digit(Number(key) - 1);
    else if (meant in actions) actions[meant]();
    else return;
    event.preventDefault();
  });
}

// The list of all keys; its title is where whoever hears the page begins, not the button that closes it.
export function showKeys() {
  const list = document.getElementById("keys");
  list.showModal();
  list.querySelector("h2").focus();
}
