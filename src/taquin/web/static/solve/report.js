// The progress of a search, and its result: a sentence, figures, and files.

import { file } from "../page/api.js";
import { button, download, element } from "../page/dom.js";
import { counted, seconds, thousands } from "../page/words.js";
import { begin } from "../python/side.js";
import { queueSentence } from "../search/search-task.js";
import { describeBest, movesText } from "./solution.js";

/** Return `{root, handlers, begin(), best(), end()}`; `handlers` take the events of the server. */
export function solveProgress() {
  const stage = element("p", { class: "stage-word" });
  const bar = element("progress", { "aria-label": "Time used" });
  const best = element("p", { class: "best", role: "status" });
  const notice = element("p", { class: "note", role: "status" });
  const figures = element("dl", { class: "counters" });
  const root = element(
    "section",
    { class: "card stack tight running", "aria-label": "The search", hidden: true },
    stage,
    bar,
    best,
    notice,
    figures,
  );
  let limit = null;

  function show(pairs) {
    figures.replaceChildren(
      ...pairs
        .filter(([, value]) => value !== null)
        .map(([name, value]) =>
          element("div", {}, element("dt", {}, name), element("dd", {}, value)),
        ),
    );
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
        ["frontier", counters.frontier ? thousands(counters.frontier) : null],
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

// --- the result --------------------------------------------------------------------------------

const FORMATS = [
  ["gif", "GIF"],
  ["svg", "SVG"],
  ["text", "Text"],
  ["json", "JSON"],
];

/** A gap that is larger says no more than that nothing is known. */
const LARGEST_GAP = 10;

/** Return the card of a result; `puzzle` is the body of the request for it. */
export function resultCard(app, result, puzzle) {
  const hasMoves = result.moves !== null;
  const kind = result.outcome === "solved" ? "good" : hasMoves ? "" : "bad";
  const [, outcome, details] = /^([^:;]*)(.*)$/s.exec(result.sentence);
  const parts = [
    element("p", { class: `sentence ${kind}` }, element("strong", {}, outcome), details),
  ];
  if (hasMoves)
    parts.push(figureList(result), movesAsText(app, result), fileButtons(app, result, puzzle));
  parts.push(element("p", { class: "note" }, `${result.effort}.`));
  return element("section", { class: "card stack", "aria-label": "What was found" }, ...parts);
}

function figureList(result) {
  const gap = !result.gap
    ? "none"
    : result.gap < LARGEST_GAP
      ? `${Math.ceil(result.gap * 100)} %`
      : "large";
  const pairs = [
    ["Moves", thousands(result.cost)],
    ["At least", thousands(result.lower_bound)],
    ["Gap", gap],
    ["Time", seconds(result.seconds)],
  ];
  return element(
    "dl",
    { class: "figures four" },
    ...pairs.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, String(value))),
    ),
  );
}

function movesAsText(app, result) {
  const text = movesText(result.moves);
  const copy = button("Copy", { class: "quiet" }, async () => {
    try {
      await navigator.clipboard.writeText(text);
      app.notify("The moves are copied.");
    } catch {
      app.notify("This browser does not let the page copy: select the text instead.", "bad");
    }
  });
  return element(
    "details",
    {},
    element("summary", {}, "The moves as text"),
    element("p", { class: "moves-text" }, text || "none"),
    copy,
  );
}

function fileButtons(app, result, puzzle) {
  const save = (format) => async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    try {
      const blob = await file("/api/export", {
        ...puzzle,
        moves: result.moves,
        format,
        ...themeFor(format),
      });
      download(blob, `taquin.${format === "text" ? "txt" : format}`);
    } catch (error) {
      app.notify(error.message, "bad");
    } finally {
      pressed.disabled = false;
    }
  };
  const row = element(
    "div",
    { class: "row", role: "group", "aria-label": "Save the solution" },
    element("span", { class: "note" }, "Save as"),
  );
  // Only a server has the library that writes a GIF.
  begin().then(
    ({ hasServer }) =>
      row.append(
        ...FORMATS.filter(([format]) => hasServer || format !== "gif").map(([format, name]) =>
          button(name, { class: "small", "aria-label": `Save as ${name}` }, save(format)),
        ),
      ),
    () => {},
  );
  return row;
}

function themeFor(format) {
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen
    ? chosen === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  return format === "gif" ? { theme: isDark ? "dark" : "light" } : {};
}
