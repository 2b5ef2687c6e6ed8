// The colours of the style sheet, for drawings on a canvas.

const TOKENS = [
  "page", "ink", "note", "faint", "line", "path", "accent", "tray", "tile", "tile-line", "tile-ink",
  "filler", "wall", "moved", "moved-line", "agent",
  "expanded", "expanded-soft", "only", "only-soft", "waiting", "waiting-soft", "duplicate", "duplicate-soft",
  "cut", "cut-soft", "pruned", "pruned-soft", "goal", "goal-soft",
];

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
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
}
