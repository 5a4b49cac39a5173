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
