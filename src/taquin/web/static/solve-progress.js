// The progress of a search.

import { element } from "./dom.js";
import { queueSentence } from "./search-task.js";
import { describeBest } from "./solution.js";
import { counted, seconds, thousands } from "./words.js";

/** Return `{root, handlers, begin(), best(), end()}`; `handlers` take the events of the server. */
export function solveProgress() {
  const stage = element("p", { class: "stage-word" });
  const bar = element("progress", { "aria-label": "Time used" });
  const best = element("p", { class: "best", role: "status" });
  const notice = element("p", { class: "note", role: "status" });
  const figures = element("dl", { class: "counters" });
  const root = element("section", { class: "card stack tight running", "aria-label": "The search", hidden: true }, stage, bar, best, notice, figures);
  let limit = null;

  function show(pairs) {
    figures.replaceChildren(...pairs.filter(([, value]) => value !== null).map(([name, value]) => (
      element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
  }

  const handlers = {
    queued({ place }) {
      stage.textContent = queueSentence(place);
    },
    started({ limits }) {
      limit = limits?.seconds ?? null;
      stage.textContent = "Searching …";
    },
    notice({ sentence }) {
      notice.textContent = sentence;
    },
    improved(solution) {
      best.textContent = `Best so far: ${describeBest(solution)}.`;
    },
    progress(counters) {
      stage.textContent = counters.stage ? `Getting ready: ${counters.stage} …` : "Searching …";
      if (limit) bar.value = Math.min(1, counters.seconds / limit);
      show([
        ["time", seconds(counters.seconds)],
        ["expanded", counters.expanded ? thousands(counters.expanded) : null],
        ["generated", thousands(counters.generated)],
        ["waiting", counters.frontier ? thousands(counters.frontier) : null],
        ["at least", counters.bound ? counted(counters.bound, "move") : null],
      ]);
    },
  };

  return {
    root,
    handlers,
    begin() {
      root.hidden = false;
      limit = null;
      bar.removeAttribute("value");
      stage.textContent = "The search begins …";
      best.textContent = notice.textContent = "";
      show([]);
    },
    /** Return the sentence about the best solution so far. */
    best: () => best.textContent,
    end() {
      root.hidden = true;
    },
  };
}
