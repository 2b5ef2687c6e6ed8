// The theme: light, dark, or that of the system. The choice is stored in this browser.

import { store, stored } from "./storage.js";

const KEY = "taquin-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Apply the stored choice, and let a button change it. */
export function startTheme(button) {
  apply(stored(KEY), button);
  button.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    // A choice equal to the system's is not stored, so that the page goes on following the system.
    const asSystem = (next === "dark") === dark.matches;
    store(KEY, asSystem ? null : next);
    apply(asSystem ? null : next, button);
  });
  dark.addEventListener("change", () => apply(stored(KEY), button));
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : dark.matches;
}

function apply(choice, button) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
  button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  button.title = button.getAttribute("aria-label");
  button.dataset.dark = isDark();
}
