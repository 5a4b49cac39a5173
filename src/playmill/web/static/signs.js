// Signs that need a font of their own: where the machine has none, words go without them instead of with empty boxes.

const SIGNS = /(?:(?:\p{Emoji_Presentation}\uFE0F?|\p{Extended_Pictographic}\uFE0F)\u200D?)+ ?/gu;
let drawn = null; // whether this machine has such a font: found out once

// A palm tree and something that no font has look alike where both are the empty box.
function hasSigns() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!canvas) return true;
  canvas.font = "24px sans-serif";
  const picture = text => {
    canvas.clearRect(0, 0, 60, 40);
    canvas.fillText(text, 2, 28);
    return canvas.getImageData(0, 0, 60, 40).data.join();
  };
  return picture("\u{1F334}") !== picture("\u{10FFFD}") && picture("\u{1F334}") !== picture("\u{1F7FF}");
}

export function legible(text, has = (drawn ??= hasSigns())) {
  return has ? text : text.replace(SIGNS, "");
}
