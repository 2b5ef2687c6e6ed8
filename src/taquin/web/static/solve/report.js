// The progress of a search, and its result: a sentence, figures, and files.

import { gifControl } from "../gif/control.js";
import { solutionReel } from "../gif/reels.js";
import { file } from "../page/api.js";
import { button, download, element } from "../page/dom.js";
import { locale, sentence, text } from "../page/messages.js";
import { said } from "../page/said.js";
import { counted, seconds, thousands } from "../page/words.js";
import { queueSentence } from "../search/search-task.js";
import { term } from "../search/terms.js";
import { captionOf, describeBest, LARGEST_GAP, movesText } from "./solution.js";

/** Return `{root, handlers, begin(), best(), end()}`; `handlers` take the events of the server. */
export function solveProgress() {
  const stage = element("p", { class: "stage-word" });
  const bar = element("progress", { "aria-label": text("solve.time-used") });
  const best = element("p", { class: "best", role: "status" });
  const notice = element("p", { class: "note", role: "status" });
  const figures = element("dl", { class: "counters" });
  const root = element(
    "section",
    { class: "card stack tight running", "aria-label": text("solve.search"), hidden: true },
    stage,
    bar,
    best,
    notice,
    figures,
  );
  let limit = null;

  const handlers = {
    queued({ place }) {
      stage.textContent = queueSentence(place);
    },
    started({ limits }) {
      limit = limits?.seconds ?? null;
      stage.textContent = text("solve.searching");
    },
    notice(told) {
      notice.replaceChildren(...said(told));
    },
    improved(solution) {
      best.textContent = describeBest(solution);
    },
    progress(counters) {
      const parts = counters.message
        ? sentence("solve.preparing", { stage: element("span", {}, ...said(counters.message)) })
        : [text("solve.searching")];
      stage.replaceChildren(...parts);
      if (limit) bar.value = Math.min(1, counters.seconds / limit);
      figures.replaceChildren(
        ...pairs([
          ["solve.time", seconds(counters.seconds)],
          ["solve.expanded", counters.expanded && thousands(counters.expanded)],
          ["solve.generated", thousands(counters.generated)],
          ["solve.frontier", counters.frontier && thousands(counters.frontier)],
          ["solve.bound", counters.bound && counted(counters.bound, "move")],
        ]),
      );
    },
  };

  return {
    root,
    handlers,
    begin() {
      root.hidden = false;
      limit = null;
      bar.removeAttribute("value");
      stage.textContent = text("solve.begins");
      best.textContent = notice.textContent = "";
      figures.replaceChildren();
    },
    /** Return the sentence about the best solution so far. */
    best: () => best.textContent,
    end() {
      root.hidden = true;
    },
  };
}

/** Return the names and values of a list, without those that are null or 0. */
function pairs(list) {
  return list
    .filter(([, value]) => value)
    .map(([name, value]) =>
      element("div", {}, element("dt", {}, heading(name)), element("dd", {}, value)),
    );
}

/** Return a name; those of terms explain themselves. */
function heading(name) {
  const [, word] = name.split(".");
  return ["expanded", "frontier"].includes(word) ? term(word, text(name)) : text(name);
}

// --- the result --------------------------------------------------------------------------------

const FORMATS = { svg: () => "SVG", text: () => text("solve.format-text"), json: () => "JSON" };

/** Return the card of a result; `puzzle` is the body of its request, `boards` are those of the solution. */
export function resultCard(app, result, { puzzle, columns, boards }) {
  const hasMoves = result.moves !== null;
  // Green says one thing everywhere: no solution is shorter.
  const kind = result.optimal ? "good" : hasMoves ? "" : "bad";
  const parts = [element("p", { class: `sentence ${kind}` }, ...emphasised(said(result)))];
  if (hasMoves)
    parts.push(
      element("dl", { class: "figures four" }, ...pairs(figuresOf(result))),
      movesAsText(app, result),
      fileButtons(app, result, { puzzle, columns, boards }),
    );
  parts.push(effortList(result));
  return element("section", { class: "card stack", "aria-label": text("solve.found") }, ...parts);
}

/** Return a sentence with its first part, up to a colon or a semicolon, in bold. */
function emphasised(parts) {
  const words = parts.findIndex((part) => typeof part !== "string");
  const rest = words < 0 ? [] : parts.slice(words);
  const whole = parts.slice(0, words < 0 ? parts.length : words).join("");
  const [, outcome, details] = /^([^:;]*)(.*)$/s.exec(whole);
  return [element("strong", {}, outcome), details, ...rest];
}

function figuresOf({ cost, lower_bound: bound, gap, seconds: time }) {
  const percent = Math.ceil((gap ?? 0) * 100);
  const isKnown = percent < LARGEST_GAP * 100;
  const apart = isKnown ? text("solve.gap-percent", { percent }) : text("solve.gap-large");
  return [
    ["solve.moves", thousands(cost)],
    ["solve.bound", thousands(bound)],
    ["solve.gap", percent ? apart : text("solve.gap-none")],
    ["solve.time", seconds(time)],
  ];
}

/** Return what the search took, and by which method. */
function effortList({ algorithm, engine, stats, preparation }) {
  const { expanded, generated, seconds: time, peak_memory: memory } = stats;
  const megabytes = (/** @type {number} */ size) =>
    size.toLocaleString(locale(), { style: "unit", unit: "megabyte", maximumFractionDigits: 0 });
  const method = element("code", { lang: "en" }, `${algorithm}, ${engine}`);
  const list = pairs([
    ["solve.expanded", expanded && thousands(expanded)],
    ["solve.generated", generated && thousands(generated)],
    ["solve.rate", generated && time && thousands(Math.round(generated / time))],
    ["solve.memory", memory && megabytes(memory / 1e6)],
    ["solve.building", preparation.building >= 1 && seconds(preparation.building)],
    ["solve.loading", preparation.loading >= 1 && seconds(preparation.loading)],
    ["solve.method", engine === "complete table" ? text("solve.lookup") : method],
  ]);
  return element("dl", { class: "counters" }, ...list);
}

function movesAsText(app, result) {
  const letters = movesText(result.moves);
  const copy = button(text("solve.copy"), { class: "quiet" }, () =>
    app.copy(letters, text("solve.copied"), text("solve.not-copied"), "bad"),
  );
  return element(
    "details",
    {},
    element("summary", {}, text("solve.text")),
    element("p", { class: "moves-text" }, letters || text("solve.no-moves")),
    copy,
  );
}

function fileButtons(app, result, { puzzle, columns, boards }) {
  const save = (format) => async (event) => {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    try {
      const blob = await file("/api/export", { ...puzzle, moves: result.moves, format });
      download(blob, `taquin.${format === "text" ? "txt" : format}`);
    } catch (error) {
      app.notify(error.message, "bad");
    } finally {
      pressed.disabled = false;
    }
  };
  const { moves } = result;
  const caption = (number) => captionOf(moves, number);
  const others = Object.entries(FORMATS).map(([format, name]) => {
    const label = text("solve.save-format", { format: name() });
    return button(name(), { class: "small", "aria-label": label }, save(format));
  });
  return element(
    "div",
    { class: "row", role: "group", "aria-label": text("solve.save") },
    element("span", { class: "note" }, text("solve.save-as")),
    gifControl(app, () => solutionReel({ boards, moves, columns, caption })),
    ...others,
  );
}
