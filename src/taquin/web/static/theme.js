// Light, dark, or as the system has it; the choice is kept in this browser.

const KEY = "taquin-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Take up the choice of an earlier visit, and let a button change it. */
export function startTheme(button) {
  apply(kept(), button);
  button.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    // What the system has anyway is not kept, so that the page goes on following it.
    const asSystem = (next === "dark") === dark.matches;
    keep(asSystem ? null : next);
    apply(asSystem ? null : next, button);
  });
  dark.addEventListener("change", () => apply(kept(), button));
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

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(choice) {
  try {
    if (choice) localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing still shows the choice until the page is closed.
  }
}
