// A form with seats and settings: what the server can do with a whole page is done here at once, and nothing is lost.

const LONGEST = 60_000; // bytes; a form may be three times as long when it is sent

export function bindForm(form) {
  // Another number of players lays as many seats, with all that was typed.
  const anew = document.getElementById("anew");
  if (anew) {
    anew.hidden = true;
    for (const choice of form.querySelectorAll('input[name="players"][type="radio"]')) {
      choice.addEventListener("change", () => form.requestSubmit(anew));
    }
  }

  // Another language, too, keeps what was typed.
  document.getElementById("language").addEventListener("click", event => {
    event.preventDefault();
    form.requestSubmit(document.getElementById("speak"));
  });

  // The numbers of an agent are asked for where it sits.
  for (const seat of form.querySelectorAll(".seat")) {
    const chosen = seat.querySelector("select");
    const show = () => {
      for (const numbers of seat.querySelectorAll(".numbers")) {
        numbers.hidden = numbers.dataset.mind !== chosen.value;
        for (const input of numbers.querySelectorAll("input")) input.disabled = numbers.hidden;
      }
    };
    chosen.addEventListener("change", show);
    show();
  }

  // A file is read here and lies in the field for it, where it can be looked at.
  const upload = document.getElementById("upload");
  upload.parentElement.hidden = false;
  upload.addEventListener("change", async () => {
    const [file] = upload.files;
    const tooLong = file && file.size > LONGEST;
    upload.nextElementSibling.hidden = !tooLong;
    if (!file || tooLong) return;
    form.elements.file.value = await file.text();
    form.requestSubmit(form.querySelector('button[name="load"]'));
  });
}
