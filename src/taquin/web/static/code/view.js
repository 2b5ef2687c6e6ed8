// Code: a heuristic or a search in the user's Python, tried in this browser while it is written.

import { boardApi } from "./board-api.js";
import { pythonDownload } from "./download.js";
import { CodeEditor } from "./editor.js";
import { CodeResults } from "./results.js";
import { claimedScore, ScoreCard } from "./score.js";
import {
  codeOf,
  EXAMPLES,
  FILE,
  forgetUnsaved,
  isTrusted,
  keep,
  lastCode,
  MOST_CHARACTERS,
  pack,
  trust,
} from "./user-code.js";
import { button, download, element } from "../page/dom.js";
import { text as message } from "../page/messages.js";
import { saidIn } from "../page/said.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { fromRows, writeBoard } from "../puzzle/puzzle.js";
import { begin, noPython } from "../python/side.js";
import { readEvents } from "../search/search-task.js";

/** The pause after a key before the code is tried. */
const WAIT_MS = 500;
/** The time without an answer after which the page asks whether the code ever ends. */
const HINT_MS = 5_000;
const RIVALS = {
  heuristic: ["astar(misplaced)", "astar(manhattan)", "astar(linear-conflict)"],
  search: ["bfs", "astar(manhattan)"],
};

class CodeView {
  #timer = 0;
  #hintTimer = 0;
  /** The path of the request that is to come after the one that runs; null for none. */
  #next = null;
  #controller = null;
  #packed = null;
  names = {};

  constructor(root, app) {
    this.root = root;
    this.app = app;
    root.classList.add("code");
    this.unsubscribe = app.state.subscribe((state, before) => this.#changed(state, before));
  }

  async begin() {
    const { browser, download } = await begin();
    if (!browser) {
      this.root.replaceChildren(
        download
          ? pythonDownload(download, () => this.#downloaded())
          : element("p", { class: "sentence" }, noPython()),
      );
      return;
    }
    this.root.replaceChildren();
    this.browser = browser;
    this.#build();
    await this.#showPuzzle();
    await this.#load();
    browser.ready?.catch((error) => this.fail(error));
  }

  async #downloaded() {
    // Another view may be open by now.
    if (!this.root.isConnected) return;
    await this.begin().catch((error) => this.fail(error));
    this.editor?.focus();
  }

  leave() {
    this.unsubscribe();
    if (this.#timer) this.#save().catch((error) => this.app.notify(error.message, "bad"));
    clearTimeout(this.#hintTimer);
    this.#next = null;
    this.#controller?.abort();
    this.editor?.view.destroy();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    const fault = element("p", { class: "sentence bad" }, ...saidIn(error));
    (this.results?.fault ?? this.root).replaceChildren(fault);
  }

  // --- the elements ---------------------------------------------------------------------------

  #build() {
    this.results = new CodeResults({ onBoard: (rows) => this.#openBoard(rows) });
    this.editor = new CodeEditor({
      onChange: () => this.#edited(),
      faultId: this.results.fault.id,
    });
    this.example = element(
      "select",
      { onchange: () => this.#useExample() },
      element("option", { value: "" }, message("code.choose")),
      ...EXAMPLES.map(([name], index) =>
        element("option", { value: String(index) }, message(name)),
      ),
    );
    this.name = element("select", {
      onchange: () => {
        this.app.state.set({ name: this.name.value, score: null });
        this.score.hide();
        this.#ask("/api/own");
      },
    });
    this.nameField = element(
      "label",
      { class: "field", hidden: true },
      message("code.try"),
      this.name,
    );
    this.status = element("p", { class: "note code-status", role: "status" });
    this.watch = button(message("code.watch"), { icon: "play", class: "main" }, () =>
      this.#open("watch", { search: this.#search(), step: null }),
    );
    this.race = button(message("code.race"), {}, () =>
      this.#open("race", { racers: [this.#search(), ...RIVALS[this.#kind()]].join(";") }),
    );
    this.audit = button(message("code.audit"), { title: message("code.audit_title") }, () =>
      this.#ask("/api/audit"),
    );
    this.scoring = button(message("score.run"), { title: message("score.run_title") }, () => {
      this.score.begin();
      this.#ask("/api/score");
    });
    this.score = new ScoreCard({ onShare: () => this.#share() });
    this.stop = button(message("code.stop"), { icon: "stop" }, () => this.#stop());
    const quiet = (name, icon, onclick) =>
      button(
        message(`code.${name}`),
        { icon, class: "quiet", title: message(`code.${name}_title`, { file: FILE }) },
        onclick,
      );
    this.file = element("input", {
      type: "file",
      accept: ".py,text/x-python",
      hidden: true,
      onchange: () => this.#openFile().catch((error) => this.fail(error)),
    });
    this.asking = element(
      "section",
      { class: "sentence asking", "aria-label": message("code.of_link"), hidden: true },
      element("p", {}, message("code.asking")),
      element("p", {}, message("code.can")),
      element("p", {}, message("code.cannot")),
      button(message("code.run"), { icon: "play", class: "main" }, () => this.#allow()),
    );
    this.offer = element("div", { class: "sentence row offer", hidden: true });
    this.other = boardChooser(this.app);
    this.root.append(
      element(
        "section",
        { class: "code-side stack", "aria-label": message("code.yours") },
        element(
          "div",
          { class: "row code-head" },
          element("label", { class: "field" }, message("code.start"), this.example),
          this.nameField,
          quiet("link", "link", () => this.#share()),
          quiet("open", "text", () => this.file.click()),
          quiet("save", "save", () => download(new Blob([this.editor.text]), FILE)),
          this.file,
        ),
        this.asking,
        this.offer,
        this.editor.root,
        this.editor.help,
        this.results.fault,
        element(
          "div",
          { class: "row" },
          ...[this.watch, this.race, this.audit, this.scoring, this.stop, this.status],
        ),
        boardApi(),
      ),
      element("div", { class: "stack" }, this.score.root, this.results.root, this.other.root),
    );
    this.#showNames({ names: {}, name: "" });
    this.#showRunning(false);
  }

  #showNames({ names, name }) {
    this.names = names;
    this.name.replaceChildren(
      ...Object.keys(names).map((each) => element("option", { value: each }, each)),
    );
    this.name.value = name;
    this.nameField.hidden = Object.keys(names).length < 2;
    this.watch.disabled = this.race.disabled = !name;
    this.audit.disabled = this.scoring.disabled = this.#kind() !== "heuristic";
  }

  #showRunning(isRunning) {
    this.stop.hidden = !isRunning;
  }

  // --- the code -------------------------------------------------------------------------------

  /** Show the code of the address. */
  async #load() {
    const state = this.app.state.get();
    const { code } = state;
    this.#packed = code ?? null;
    const text = await codeOf({ code });
    if (this.#packed !== (code ?? null)) return;
    this.editor.text = text;
    this.asking.hidden = isTrusted(text);
    this.#offerLast();
    this.score.hide();
    const score = claimedScore(state);
    if (score !== null) this.score.claim(score);
    if (this.asking.hidden) this.#ask("/api/own");
    else this.#forget();
  }

  /** Offer the code that was last written in this browser, if it is not this one. */
  #offerLast() {
    const last = lastCode();
    this.offer.hidden = last === null || last === this.editor.text;
    if (this.offer.hidden) return;
    this.offer.replaceChildren(
      element("span", {}, message("code.last")),
      button(message("code.restore"), { class: "quiet" }, () => this.#use(last)),
      button("", { icon: "close", class: "quiet", "aria-label": message("code.dismiss") }, () => {
        this.offer.hidden = true;
        this.editor.focus();
      }),
    );
  }

  /** Stop what runs, and show no results. */
  #forget() {
    this.#next = null;
    this.#controller?.abort();
    this.browser.endSandbox();
    this.results.begin();
    this.results.end();
    this.#showNames({ names: {}, name: "" });
  }

  #allow() {
    trust(this.editor.text);
    this.asking.hidden = true;
    this.editor.focus();
    this.#ask("/api/own");
  }

  #edited() {
    keep(this.editor.text, { mayRun: this.asking.hidden });
    this.score.hide();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () =>
        this.#save().then(
          () => this.#ask("/api/own"),
          (error) => this.fail(error),
        ),
      WAIT_MS,
    );
  }

  /** Put the code into the address, without a score that it had before an edit. */
  async #save() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { text } = this.editor;
    if (text.length > MOST_CHARACTERS)
      throw new Error(message("code.too_long", { most: MOST_CHARACTERS }));
    if (this.asking.hidden) trust(text);
    const packed = text === EXAMPLES[0][1] ? null : await pack(text);
    if (text !== this.editor.text) return;
    const isSame = packed === this.#packed;
    this.#packed = packed;
    this.app.state.set(isSame ? {} : { code: packed, score: null });
    this.app.state.link();
    forgetUnsaved();
  }

  #useExample() {
    const [, code] = EXAMPLES[Number(this.example.value)] ?? [];
    this.example.value = "";
    if (code) this.#use(code);
  }

  async #openFile() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const text = (await file.text()).replaceAll("\r\n", "\n");
    if (text.length > MOST_CHARACTERS)
      throw new Error(message("code.too_long", { most: MOST_CHARACTERS }));
    this.#use(text);
  }

  /** Replace the code by the reader's choice, which may run. */
  #use(code) {
    this.asking.hidden = true;
    this.offer.hidden = true;
    this.editor.replace(code);
  }

  async #share() {
    await this.#save();
    const link = this.app.state.link();
    await this.app.copy(link, message("code.copied"), message("code.in_address"));
  }

  // --- trying it ------------------------------------------------------------------------------

  /** Ask for a report or an audit; one that runs goes on to its next event, and is then dropped. */
  #ask(path) {
    if (!this.asking.hidden) return;
    this.#next = path;
    if (!this.#controller) this.#run().catch((error) => this.fail(error));
  }

  async #run() {
    this.#showRunning(true);
    while (this.#next) {
      const path = this.#next;
      this.#next = null;
      this.#controller = new AbortController();
      await this.#report(path, this.#controller.signal);
    }
    this.#controller = null;
    this.#showRunning(false);
  }

  async #report(path, signal) {
    const { board, goal, metric, name } = this.app.state.get();
    const body = {
      board,
      goal,
      metric,
      name: this.names[name] || path === "/api/own" ? name : this.name.value,
      code: this.editor.text,
    };
    const sandbox = this.browser.prepareSandbox();
    const say = (sentence) => {
      const isNew = this.#controller?.signal === signal && this.status.textContent !== sentence;
      if (isNew) this.status.textContent = sentence;
    };
    const running = message(path === "/api/audit" ? "code.auditing" : "code.trying");
    const hint = message("code.endless", { button: message("code.stop") });
    const wait = () => {
      clearTimeout(this.#hintTimer);
      if (!signal.aborted) this.#hintTimer = setTimeout(() => say(hint), HINT_MS);
    };
    const go = () => {
      say(running);
      wait();
    };
    if (sandbox.isReady) go();
    else {
      say(message("code.python_loads"));
      sandbox.ready.then(go, () => {});
    }
    if (path === "/api/own") this.results.begin();
    this.editor.mark(0);
    try {
      this.results.searches = await this.app.searches();
      await readEvents(
        path,
        body,
        signal,
        {
          ...this.results.handlers,
          names: (names) => this.#showNames(names),
          step: (step) => this.score.step(step),
          score: (score) => this.#showScore(score),
          fault: (fault) => {
            if (path === "/api/score") this.score.hide();
            this.results.showFault(fault);
            this.editor.mark(fault.line ?? 0);
          },
        },
        () => {
          if (this.#next) throw new DOMException("the code has changed", "AbortError");
          if (!signal.aborted) go();
        },
      );
    } catch (error) {
      this.fail(error);
    }
    clearTimeout(this.#hintTimer);
    if (!this.#next) this.results.end();
    this.status.textContent = "";
  }

  #stop() {
    const { sandbox } = this.browser;
    this.#next = null;
    this.#controller?.abort();
    // Code that does not hold its worker may go on beside it.
    if (this.browser.sandbox === sandbox) this.browser.endSandbox();
    this.score.stop();
    this.app.notify(message("code.stopped"));
  }

  #showScore(score) {
    this.score.show(score);
    this.app.state.set({ score: score.score });
  }

  // --- the way to other views -----------------------------------------------------------------

  #kind() {
    return this.names[this.name.value];
  }

  #search() {
    const name = `${FILE}:${this.name.value}`;
    return this.#kind() === "heuristic" ? `astar(${name})` : name;
  }

  async #open(view, changes) {
    await this.#save();
    this.app.open(view, changes);
  }

  #openBoard(rows) {
    const { cells, columns } = fromRows(rows);
    this.app.state.set({ board: writeBoard(cells, columns) });
  }

  async #showPuzzle() {
    const puzzle = await currentPuzzle(this.app);
    this.results.showPuzzle(puzzle);
    this.other.show(puzzle);
  }

  #changed(state, before) {
    if (state.view !== "code" || !this.results) return;
    if (isPuzzleChanged(state, before)) {
      this.#showPuzzle()
        .then(() => this.#ask("/api/own"))
        .catch((error) => this.fail(error));
    }
    if ((state.code ?? null) !== this.#packed) this.#load().catch((error) => this.fail(error));
  }
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(CodeView);
