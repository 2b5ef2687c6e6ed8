// Code: a heuristic or a search of one's own in Python, tried in this browser while it is written.

import { CodeEditor } from "./editor.js";
import { codeOf, EXAMPLES, FILE, isTrusted, MOST_CHARACTERS, pack, trust } from "./own-code.js";
import { CodeResults } from "./results.js";
import { button, download, element } from "../page/dom.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { fromRows, writeBoard } from "../puzzle/puzzle.js";
import { begin, beginAgain, noPython } from "../python/side.js";
import { readEvents } from "../search/search-task.js";

/** The pause after a key before the code is tried. */
const WAIT_MS = 500;
const RIVALS = {
  heuristic: ["astar(misplaced)", "astar(manhattan)", "astar(linear-conflict)"],
  search: ["bfs", "astar(manhattan)"],
};

class CodeView {
  #timer = 0;
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
    this.editor?.area.focus();
  }

  leave() {
    clearTimeout(this.#timer);
    this.unsubscribe();
    this.#next = null;
    this.#controller?.abort();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    if (this.results) this.results.showFault({ sentence: error.message });
    else this.root.replaceChildren(element("p", { class: "sentence bad" }, error.message));
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
      element("option", { value: "" }, "Choose …"),
      ...EXAMPLES.map(([title], index) => element("option", { value: String(index) }, title)),
    );
    this.name = element("select", {
      onchange: () => {
        this.app.state.set({ name: this.name.value });
        this.#ask("/api/own");
      },
    });
    this.nameField = element("label", { class: "field", hidden: true }, "Try", this.name);
    this.status = element("p", { class: "note code-status", role: "status" });
    this.watch = button("Watch", { icon: "play", class: "main" }, () =>
      this.#open("watch", { search: this.#search(), step: null }),
    );
    this.race = button("Race", {}, () =>
      this.#open("race", { racers: [this.#search(), ...RIVALS[this.#kind()]].join(";") }),
    );
    this.audit = button(
      "Audit",
      { title: "Check it on every board of 3×3, or of the size shown if that is smaller" },
      () => this.#ask("/api/audit"),
    );
    this.stop = button("Stop", { icon: "stop" }, () => this.#stop());
    const link = button(
      "Link",
      { icon: "link", class: "quiet", title: "Copy a link with this code" },
      () => this.#share(),
    );
    const save = button("Save", { icon: "save", class: "quiet", title: `Save as ${FILE}` }, () =>
      download(new Blob([this.editor.text]), FILE),
    );
    this.asking = element(
      "section",
      { class: "sentence asking", "aria-label": "Code of the link", hidden: true },
      element(
        "p",
        {},
        "This code came with the link, and runs only after your click. Read it first.",
      ),
      element(
        "p",
        {},
        "It runs in a sandbox of this browser. It can read the board, use the processor and memory until you stop it or close this page, and show results that are wrong.",
      ),
      element(
        "p",
        {},
        "It cannot send anything to any site, open pages, read or keep anything in this browser, or change this page or its files.",
      ),
      button("Run it", { icon: "play", class: "main" }, () => this.#allow()),
    );
    this.other = boardChooser(this.app);
    this.root.append(
      element(
        "section",
        { class: "code-side stack", "aria-label": "Your code" },
        element(
          "div",
          { class: "row code-head" },
          element("label", { class: "field" }, "Start from", this.example),
          this.nameField,
          link,
          save,
        ),
        this.asking,
        this.editor.root,
        this.editor.help,
        this.results.fault,
        element("div", { class: "row" }, this.watch, this.race, this.audit, this.stop, this.status),
      ),
      element("div", { class: "stack" }, this.results.root, this.other.root),
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
    this.audit.disabled = this.#kind() !== "heuristic";
  }

  #showRunning(isRunning) {
    this.stop.hidden = !isRunning;
  }

  // --- the code -------------------------------------------------------------------------------

  /** Show the code of the address. */
  async #load() {
    const { code } = this.app.state.get();
    this.#packed = code ?? null;
    const text = await codeOf({ code });
    if (this.#packed !== (code ?? null)) return;
    this.editor.text = text;
    this.asking.hidden = isTrusted(text);
    if (this.asking.hidden) this.#ask("/api/own");
    else this.#forget();
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
    this.editor.area.focus();
    this.#ask("/api/own");
  }

  #edited() {
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

  /** Put the code into the address. */
  async #save() {
    const { text } = this.editor;
    if (text.length > MOST_CHARACTERS)
      throw new Error(`The code has more than ${MOST_CHARACTERS} characters: too many for a link.`);
    if (this.asking.hidden) trust(text);
    const packed = text === EXAMPLES[0][1] ? null : await pack(text);
    this.#packed = packed;
    this.app.state.set({ code: packed });
  }

  #useExample() {
    const [, code] = EXAMPLES[Number(this.example.value)] ?? [];
    this.example.value = "";
    if (!code) return;
    this.editor.area.focus();
    this.editor.area.select();
    // The browser can undo this.
    if (!document.execCommand("insertText", false, code)) this.editor.text = code;
    this.asking.hidden = true;
    this.editor.goTo(1);
    this.#edited();
  }

  async #share() {
    await this.#save();
    const link = this.app.state.link();
    await navigator.clipboard.writeText(link).then(
      () => this.app.notify("The link with this code is copied."),
      () => this.app.notify("The link with this code is in the address bar."),
    );
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
      if (this.#controller?.signal === signal) this.status.textContent = sentence;
    };
    const running = path === "/api/audit" ? "The audit runs …" : "Trying it …";
    say(sandbox.isReady ? running : "Python is on its way …");
    sandbox.ready.then(
      () => say(running),
      () => {},
    );
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
          fault: (fault) => {
            this.results.showFault(fault);
            this.editor.mark(fault.line ?? 0);
          },
        },
        () => {
          if (this.#next) throw new DOMException("The code has changed.", "AbortError");
        },
      );
    } catch (error) {
      this.fail(error);
    }
    if (!this.#next) this.results.end();
    this.status.textContent = "";
  }

  #stop() {
    const { sandbox } = this.browser;
    this.#next = null;
    this.#controller?.abort();
    // Code that does not hold its worker may go on beside it.
    if (this.browser.sandbox === sandbox) this.browser.endSandbox();
    this.app.notify("Stopped. The code is tried again after the next change.");
  }

  // --- the way to other views -----------------------------------------------------------------

  #kind() {
    return this.names[this.name.value];
  }

  #search() {
    const own = `${FILE}:${this.name.value}`;
    return this.#kind() === "heuristic" ? `astar(${own})` : own;
  }

  async #open(view, changes) {
    clearTimeout(this.#timer);
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

// --- the download of Python for the browser ----------------------------------------------------

/** The download that runs, `{share, show, ended}`; it goes on while another view is open. Null for none. */
let running = null;

/** Return the card; `onDone` is called when Python is there. */
function pythonDownload(bytes, onDone) {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const start = button(`Download Python (${size})`, { icon: "save", class: "main" }, () =>
    follow(running ?? begun()),
  );
  const bar = element("progress", { max: "1", "aria-label": "Download of Python" });
  const percent = element("span", { class: "note" });
  const progress = element("div", { class: "download-progress" }, bar, percent);
  const fault = element("p", { class: "sentence bad", role: "alert" });
  const root = element(
    "section",
    { class: "card download stack", "aria-label": "Python for the browser" },
    element(
      "p",
      {},
      `Your code runs in this browser. It needs Python for the browser, ${size}, downloaded once.`,
    ),
    start,
    progress,
    fault,
  );

  function showRunning(isRunning) {
    start.hidden = isRunning;
    progress.hidden = !isRunning;
    fault.hidden = true;
  }

  function show(share) {
    if (share) bar.value = share;
    percent.textContent = `${Math.floor(100 * share)} %`;
  }

  /** Show a download until it ends. */
  async function follow(download) {
    showRunning(true);
    download.show = show;
    show(download.share);
    try {
      await download.ended;
      await onDone();
    } catch (error) {
      showRunning(false);
      bar.removeAttribute("value");
      fault.textContent = error.message;
      fault.hidden = false;
    }
  }

  showRunning(false);
  if (running) follow(running);
  return root;
}

/** Begin a download. */
function begun() {
  const download = { share: 0, show: (_share) => {}, ended: null };
  running = download;
  download.ended = requested(download).finally(() => {
    running = null;
  });
  return download;
}

async function requested(download) {
  let isDone = false;
  await readEvents("/api/python", {}, undefined, {
    progress({ done, total }) {
      download.share = done / total;
      download.show(download.share);
    },
    result() {
      isDone = true;
    },
  });
  if (!isDone) throw new Error("The download was interrupted: try again.");
  await beginAgain();
}
