// The buttons that wind a film: to the first, back, play, on, to the last, a scrub bar, a speed.
//
// Winding may take its time; whoever winds tells by `show` where the film stands.

import { button, element, icon } from "./dom.js";
import { thousands } from "./words.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
/** Elements that have a use of their own for these keys, and those that have one for a space. */
const BUSY = "input, select, textarea, dialog, [role=tab], [contenteditable]";
const PRESSED = "button, summary, a";

export class Transport {
  #go;
  #speeds;
  #position = 0;
  #last = null;
  #isWinding = false;
  #wanted = null;
  #frame = 0;
  #before = 0;
  #owed = 0;

  /**
   * `go(number, isWanted)` winds the film, as long as that is wanted; `unit` names what is counted; `speeds` are `[perSecond, word]`.
   * A film whose end is unknown (`last` is null) is wound as far as it has been seen.
   */
  constructor({ go, unit, speeds, usual, label }) {
    this.#go = go;
    this.#speeds = speeds;
    this.unit = unit;
    const act = (name, sign, words) => button("", { sign, class: "round", "aria-label": words, title: words }, () => this[name]());
    this.buttons = {
      first: act("first", "first", `First ${unit}`),
      back: act("back", "back", `One ${unit} back`),
      play: act("play", "play", "Play"),
      next: act("next", "next", `One ${unit} on`),
      last: act("last", "last", `Last ${unit}`),
    };
    this.buttons.play.classList.add("main-round");
    this.bar = element("input", {
      type: "range", min: 0, max: 0, value: 0, step: 1, class: "scrub", "aria-label": capitalised(unit),
      oninput: () => this.seek(Number(this.bar.value)),
    });
    this.count = element("output", { class: "count" });
    this.speed = element("select", { "aria-label": "Speed" },
      ...speeds.map(([, word], index) => element("option", { value: index }, word)));
    this.speed.value = String(usual);
    this.root = element("div", { class: "transport", role: "group", "aria-label": label },
      element("div", { class: "row winders" }, ...Object.values(this.buttons)),
      this.bar, this.count, this.speed);
    this.pressed = (event) => this.#press(event);
    document.addEventListener("keydown", this.pressed);
  }

  /** Say where the film stands, how many of it are known, and which is the last, if known. */
  show({ position, known, last }) {
    this.#position = position;
    this.#last = last;
    this.bar.max = String(Math.max(0, last ?? known - 1));
    this.bar.value = String(position);
    const of = last === null ? "" : ` of ${thousands(last)}`;
    this.count.textContent = `${capitalised(this.unit)} ${thousands(position)}${of}`;
    this.bar.setAttribute("aria-valuetext", this.count.textContent);
    for (const name of ["first", "back"]) this.buttons[name].disabled = position <= 0;
    const atEnd = last !== null && position >= last;
    for (const name of ["next", "last"]) this.buttons[name].disabled = atEnd;
  }

  get isPlaying() {
    return this.#frame !== 0;
  }

  get perSecond() {
    return this.#speeds[Number(this.speed.value)][0];
  }

  first() { this.pause(); return this.seek(0); }
  back() { this.pause(); return this.seek(this.#position - 1); }
  next() { this.pause(); return this.seek(this.#position + 1); }
  last() {
    this.pause();
    // The end of a search may be far away: the button that plays stops the winding.
    if (this.#last === null) this.#sign("pause", "Stop here");
    return this.seek(this.#last ?? Infinity);
  }

  play() {
    if (this.isPlaying) return this.pause();
    if (this.#wanted?.number === Infinity) return this.seek(this.#position);
    if (this.#last !== null && this.#position >= this.#last) this.seek(0);
    this.#before = performance.now();
    this.#owed = 0;
    this.#sign("pause", "Pause");
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
    return undefined;
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#sign("play", "Play");
  }

  /** Wind to a number; while it winds, only the last wish counts. */
  async seek(number) {
    this.#wanted = { number: Math.max(0, number) };
    if (this.#isWinding) return;
    this.#isWinding = true;
    try {
      while (this.#wanted !== null) {
        const wanted = this.#wanted;
        await this.#go(wanted.number, () => this.#wanted === wanted);
        if (this.#wanted === wanted) this.#wanted = null;
      }
    } finally {
      this.#isWinding = false;
      this.#wanted = null;
      if (!this.isPlaying) this.#sign("play", "Play");
    }
  }

  remove() {
    this.pause();
    document.removeEventListener("keydown", this.pressed);
    this.root.remove();
  }

  #tick(now) {
    this.#owed += ((now - this.#before) / 1000) * this.perSecond;
    this.#before = now;
    const steps = Math.floor(this.#owed);
    if (steps > 0 && !this.#isWinding) {
      this.#owed = 0;
      this.seek(this.#position + steps);
    }
    if (this.#last !== null && this.#position >= this.#last) this.pause();
    else this.#frame = requestAnimationFrame((later) => this.#tick(later));
  }

  #sign(name, words) {
    if (this.buttons.play.title === words) return;
    this.buttons.play.replaceChildren(icon(name));
    this.buttons.play.setAttribute("aria-label", words);
    this.buttons.play.title = words;
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (event.defaultPrevented || event.target.closest?.(BUSY) || this.root.hidden) return;
    if (event.key === " " && event.target.closest?.(PRESSED)) return;
    event.preventDefault();
    this[KEYS[event.key]]();
  }
}

function capitalised(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
