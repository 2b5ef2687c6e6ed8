// Learn: five chapters on search, each with its figures and three questions.
//
//     #learn?chapter=2        without a number, the chapter that was read last

import { element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { store, stored } from "../page/state.js";
import { isReady } from "../python/side.js";
import { mountView } from "../puzzle/current-puzzle.js";
import { puzzleOf } from "../puzzle/puzzle.js";
import { StepQuiz } from "../watch/step-quiz.js";
import { CHAPTERS, NUMBERS } from "./chapters.js";
import { filmOf, SearchFigure, USUAL, watchVisibility } from "./figure.js";
import { MemoryFigure } from "./memory.js";
import { NeighboursFigure } from "./neighbours.js";

const KEY = "taquin-learn";
const FIGURES = { search: SearchFigure, memory: MemoryFigure, neighbours: NeighboursFigure };
/** The mark-up of the prose: `_term_`, and `b^d^` for an exponent. */
const MARKS = { _: "em", "^": "sup" };

class LearnView {
  #parts = [];
  /** What this browser keeps: the chapter read last, and the questions answered of each. */
  #progress = { last: 1, answered: {} };

  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.#read();
    this.contents = element("ol");
    this.article = element("article", { class: "chapter" });
    root.classList.add("learn");
    root.append(
      element("nav", { class: "contents", "aria-label": text("learn.contents") }, this.contents),
      this.article,
    );
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view === "learn" && state.chapter !== before.chapter) this.#open(true);
    });
  }

  async begin() {
    this.#open(false);
  }

  fail(error) {
    this.app.notify(error.message, "bad");
  }

  leave() {
    this.unsubscribe();
    for (const part of this.#parts) part.remove();
  }

  get #number() {
    const number = Number(this.app.state.get().chapter ?? this.#progress.last);
    return CHAPTERS[number - 1] ? number : 1;
  }

  #open(isFocused) {
    for (const part of this.#parts) part.remove();
    const number = this.#number;
    const chapter = CHAPTERS[number - 1];
    this.#keep({ last: number });
    const { app } = this;
    const quiz = chapterQuiz(app, chapter, (count) => this.#answered(chapter.name, count));
    const figures = new Map();
    for (const part of chapter.parts)
      if (typeof part === "object") figures.set(part, new FIGURES[part.kind]({ app, parts: part }));
    this.#parts = [...figures.values(), quiz];
    const title = element("h2", { tabindex: -1 }, titleOf(chapter));
    this.article.replaceChildren(
      element("p", { class: "note" }, text("learn.place", { number, total: CHAPTERS.length })),
      title,
      ...chapter.parts.map(
        (part) => figures.get(part)?.root ?? paragraph(`${chapter.name}-${part}`),
      ),
      element("h3", {}, text("learn.questions")),
      paragraph(`${chapter.name}-quiz`),
      quiz.root,
      element(
        "nav",
        { class: "row spread", "aria-label": text("learn.others") },
        ...this.#others(),
      ),
    );
    this.#showContents();
    if (!isFocused) return;
    window.scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }

  #others() {
    const number = this.#number;
    return [number - 1, number + 1].map((other) =>
      CHAPTERS[other - 1]
        ? this.#link(
            other,
            text(other < number ? "learn.previous" : "learn.next", {
              title: titleOf(CHAPTERS[other - 1]),
            }),
          )
        : element("span"),
    );
  }

  /** Return a link to a chapter, which leaves the board of the address as it is. */
  #link(number, ...children) {
    const isCurrent = number === this.#number;
    return element(
      "a",
      {
        href: `#learn?chapter=${number}`,
        "aria-current": isCurrent && "page",
        onclick: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          this.app.open("learn", { chapter: number });
        },
      },
      ...children,
    );
  }

  #showContents() {
    this.contents.replaceChildren(
      ...CHAPTERS.map((chapter, index) => {
        const count = this.#progress.answered[chapter.name] ?? 0;
        const total = chapter.quiz.steps.length;
        const note = count ? text("learn.answered", { count, total }) : "";
        return element(
          "li",
          { class: count === total && "done" },
          this.#link(index + 1, titleOf(chapter)),
          element("span", { class: "note" }, note),
        );
      }),
    );
  }

  // --- progress -------------------------------------------------------------------------------

  #answered(name, count) {
    const { answered } = this.#progress;
    this.#keep({ answered: { ...answered, [name]: Math.max(answered[name] ?? 0, count) } });
    this.#showContents();
  }

  #read() {
    try {
      Object.assign(this.#progress, JSON.parse(stored(KEY) ?? "{}"));
    } catch {
      // What is kept there is not ours, or damaged.
    }
  }

  #keep(changes) {
    Object.assign(this.#progress, changes);
    store(KEY, JSON.stringify(this.#progress));
  }
}

function titleOf({ name }) {
  return text(`learn.title-${name}`);
}

/** Return the three questions of a chapter; the search runs while they are in view. */
function chapterQuiz(app, { quiz: { board, search, steps } }, onAnswered) {
  const film = filmOf(app, board, search);
  const { goal } = puzzleOf({ ...USUAL, board });
  const quiz = new StepQuiz({ film, goal, steps, onAnswered });
  quiz.card.say(text(isReady() ? "watch.begins" : "learn.begins"));
  const unwatch = watchVisibility(quiz.root, (isVisible) => {
    // A search that nobody reads would hold a worker; the film begins again where it was.
    if (!isVisible) film.close();
    else if (!quiz.count.textContent) quiz.begin();
  });
  const remove = () => {
    unwatch();
    quiz.remove();
  };
  return { root: quiz.root, remove };
}

/** Return a paragraph of the prose with its numbers and its mark-up. */
function paragraph(name) {
  const prose = text(`learn.prose-${name}`, NUMBERS)
    // Formulas and boards stay on their lines.
    .replace(/ (?=[=≤<>+−/·])|(?<=[=≤<>+−/·\d]) (?=[\d=≤<>+−/·]|[a-z(]\b)/g, "\u00a0")
    .replaceAll("*(", "*\u2060(");
  const pieces = prose.split(/([_^])(.+?)\1/);
  const parts = pieces.map((piece, index) => {
    if (index % 3 === 2) return element(MARKS[pieces[index - 1]], {}, piece);
    return index % 3 === 0 ? piece : "";
  });
  return element("p", {}, ...parts);
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(LearnView);
