// What forms of the laboratory have in common: nothing is removed by a slip, and Enter does what stands beside a field.

// Whoever clicks what cannot be undone is asked whether she means it.
export function bindSure(place = document) {
  for (const button of place.querySelectorAll("[data-sure]")) {
    button.addEventListener("click", event => { if (!confirm(button.dataset.sure)) event.preventDefault(); });
  }
}

// Enter in a field presses the button of its question or line, if there is one that says so by `data-enter`.
export function bindEnter(form) {
  form.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[inputmode], input[maxlength]")) return;
    const button = event.target.closest(".line, .question, fieldset")?.querySelector("[data-enter]");
    if (!button) return;
    event.preventDefault();
    if (!button.disabled) form.requestSubmit(button);
  });
}
