// How a search is doing while it runs.

import { element } from "./dom.js";
import { queueWords } from "./listening.js";
import { standingOf } from "./solution.js";
import { seconds, thousands } from "./words.js";

/** Return `{root, heard, begin(), best(), end()}`; `heard` takes the events of the server. */
export function solveProgress() {
  const stage = element("p", { class: "stage-word" });
  const bar = element("progress", { "aria-label": "Time used" });
  const best = element("p", { class: "best", role: "status" });
  const said = element("p", { class: "note", role: "status" });
  const figures = element("dl", { class: "counters" });
  const root = element("section", { class: "card stack tight running", "aria-label": "The search", hidden: true }, stage, bar, best, said, figures);
  let limit = null;

  function show(pairs) {
    figures.replaceChildren(...pairs.filter(([, value]) => value !== null).map(([name, value]) => (
      element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
  }

  const heard = {
    queued({ place }) {
      stage.textContent = queueWords(place);
    },
    started({ limits }) {
      limit = limits?.seconds ?? null;
      stage.textContent = "Searching …";
    },
    notice({ sentence }) {
      said.textContent = sentence;
    },
    improved(known) {
      best.textContent = `Best so far: ${standingOf(known)}.`;
    },
    progress(counters) {
      stage.textContent = counters.stage ? `Getting ready: ${counters.stage} …` : "Searching …";
      if (limit) bar.value = Math.min(1, counters.seconds / limit);
      show([
        ["time", seconds(counters.seconds)],
        ["expanded", counters.expanded ? thousands(counters.expanded) : null],
        ["made", thousands(counters.generated)],
        ["waiting", counters.frontier ? thousands(counters.frontier) : null],
        ["at least", counters.bound ? `${counters.bound} moves` : null],
      ]);
    },
  };

  return {
    root,
    heard,
    begin() {
      root.hidden = false;
      limit = null;
      bar.removeAttribute("value");
      stage.textContent = "The search begins …";
      best.textContent = said.textContent = "";
      show([]);
    },
    /** Say what was known when it was stopped. */
    best: () => best.textContent,
    end() {
      root.hidden = true;
    },
  };
}
