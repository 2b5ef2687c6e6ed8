// How a search is doing while it runs.

import { element } from "./dom.js";
import { standingOf } from "./solution.js";
import { seconds, thousands } from "./words.js";

/** Return `{root, begin(), hear({event, data}), end()}`. */
export function solveProgress() {
  const stage = element("p", { class: "stage-word" });
  const bar = element("progress", { "aria-label": "Time used" });
  const best = element("p", { class: "best", role: "status" });
  const figures = element("dl", { class: "counters" });
  const root = element("section", { class: "card stack tight running", "aria-label": "The search", hidden: true }, stage, bar, best, figures);
  let limit = null;

  function show(pairs) {
    figures.replaceChildren(...pairs.filter(([, value]) => value !== null).map(([name, value]) => (
      element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
  }

  return {
    root,
    begin() {
      root.hidden = false;
      limit = null;
      bar.removeAttribute("value");
      stage.textContent = "The search begins …";
      best.textContent = "";
      show([]);
    },
    hear({ event, data }) {
      if (event === "queued") stage.textContent = `Other searches are running: number ${data.place} in the queue.`;
      else if (event === "started") {
        limit = data.limits?.seconds ?? null;
        stage.textContent = "Searching …";
      } else if (event === "notice") stage.textContent = data.sentence;
      else if (event === "improved") best.textContent = `Best so far: ${standingOf(data)}.`;
      else if (event === "progress") {
        stage.textContent = data.stage ? `Getting ready: ${data.stage} …` : "Searching …";
        if (limit) bar.value = Math.min(1, data.seconds / limit);
        show([
          ["time", seconds(data.seconds)],
          ["expanded", data.expanded ? thousands(data.expanded) : null],
          ["made", thousands(data.generated)],
          ["waiting", data.frontier ? thousands(data.frontier) : null],
          ["at least", data.bound ? `${data.bound} moves` : null],
        ]);
      }
    },
    end() {
      root.hidden = true;
    },
  };
}
