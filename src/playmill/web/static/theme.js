// Light or dark before anything is drawn; without a choice it is what the system says.
(() => {
  const root = document.documentElement;
  const chosen = () => { try { return localStorage.getItem("playmill:theme"); } catch { return null; } };
  if (chosen()) root.dataset.theme = chosen();
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("playmill:theme", root.dataset.theme); } catch { /* it lasts as long as the page */ }
    });
  });
})();
