// Another number of players lays as many seats at once.
for (const choice of document.querySelectorAll('input[name="players"][type="radio"]')) {
  choice.addEventListener("change", () => { location.search = `?players=${choice.value}`; });
}
