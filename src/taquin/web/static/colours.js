// The colours of the page for what is painted on a canvas, which knows no style sheet.

const TOKENS = [
  "page", "ink", "note", "faint", "line", "path", "accent", "tray", "tile", "tile-line", "tile-ink",
  "filler", "wall", "moved", "moved-line", "agent",
  "expanded", "expanded-soft", "waiting", "waiting-soft", "duplicate", "duplicate-soft",
  "cut", "cut-soft", "pruned", "pruned-soft", "goal", "goal-soft",
];

/** Return each token as the colour it has now; a probe resolves what depends on the theme. */
export function readColours() {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.hidden = true;
  const colours = {};
  for (const token of TOKENS) {
    probe.style.color = `var(--${token})`;
    colours[token] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** Call back whenever the theme changes; return how to end that. */
export function onTheme(changed) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    dark.removeEventListener("change", changed);
  };
}
