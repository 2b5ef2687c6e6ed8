// How the page looks: its theme, its colours on a canvas, large for a projector, or in a frame of another page.
//
//     #watch?projector=1    the header is folded, everything is larger, the frontier is beside the tree
//     /?embed#watch         no header at all: for slides and course systems
//
// The theme is light, dark, or that of the system; the choice is stored in this browser.

import { text } from "./messages.js";
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
  name(button, text(isDark() ? "page.light" : "page.dark"));
  button.dataset.dark = isDark();
}

function name(button, words) {
  button.setAttribute("aria-label", words);
  button.title = words;
}

// --- the projector, and frames of other pages --------------------------------------------------

const page = document.documentElement;

/** Return whether the page is shown by a projector. */
export function isProjected() {
  return page.classList.contains("projector");
}

/** Follow the address, and let a button and the Escape key change it. */
export function startProjector(state, button) {
  page.classList.toggle("embed", new URLSearchParams(window.location.search).has("embed"));
  const apply = ({ projector }) => {
    page.classList.toggle("projector", Boolean(projector));
    name(button, text(projector ? "page.leaveProjector" : "page.projector"));
    button.setAttribute("aria-pressed", String(Boolean(projector)));
  };
  const set = (isOn) => state.set({ projector: isOn ? 1 : null });
  button.addEventListener("click", () => set(!isProjected()));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isProjected() && !document.querySelector("dialog[open]"))
      set(false);
  });
  state.subscribe(apply);
  apply(state.get());
}

// --- colours for drawings on a canvas ----------------------------------------------------------

/** How a board of a tree looks; each has a soft colour too. */
const LOOKS = ["expanded", "only", "waiting", "duplicate", "cut", "pruned", "goal"];
const SURFACES = ["page", "ink", "note", "faint", "line", "path", "accent", "agent"];
const TILES = ["tray", "tile", "tile-line", "tile-ink", "filler", "wall", "moved", "moved-line"];
const TOKENS = [...SURFACES, ...TILES, ...LOOKS, ...LOOKS.map((look) => `${look}-soft`)];

/** Return the present colour of each token; a hidden element resolves those that depend on the theme. */
export function readColours() {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.hidden = true;
  // A system with few colours would give all tokens the same one.
  probe.style.setProperty("forced-color-adjust", "none");
  const colours = {};
  for (const token of TOKENS) {
    probe.style.color = `var(--${token})`;
    colours[token] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** Call `listener` whenever the theme changes; return the function that removes it. */
export function onThemeChange(listener) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
}
