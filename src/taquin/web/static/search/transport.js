// Controls that play a film: first, back, play, next, last, a scrub bar, a speed.
//
// Seeking may take time; the owner of the film calls `show` with the position that it has reached.

import { button, element, icon } from "../page/dom.js";
import { text } from "../page/messages.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
/** Elements with their own use for these keys, and those with a use for the space bar. */
const OWN_KEYS = "input, select, textarea, dialog, [role=tab], [contenteditable]";
const OWN_SPACE = "button, summary, a";

const STEPS = (count) => text("search.speed-steps", { count });
/** The speeds of a search that is watched, as `[perSecond, text]`; a function returns the text of its speed. */
export const SPEEDS = [
  [0.5, () => text("search.speed-slow")],
  [1, STEPS],
  [3, STEPS],
  [10, STEPS],
  [60, STEPS],
  [1e6, () => text("search.speed-full")],
];
/** A longer seek shows its position in between, so that the page stays alive. */
export const SLICE_MS = 40;
/** The bar of a film whose end is unknown has at least this many steps. */
const LEAST_STEPS = 64;

/** Return the length of the bar while the end is unknown: the film fills a quarter to half of it. */
function barLength(known) {
  return Math.max(LEAST_STEPS, 2 ** (Math.ceil(Math.log2(Math.max(1, known))) + 1));
}

export class Transport {
  #seekFilm;
  #speeds;
  #position = 0;
  #last = null;
  #isSeeking = false;
  #target = null;
  #frame = 0;
  #lastTick = 0;
  #pendingSteps = 0;
  /** Called when a film stops playing. */
  onPause = () => {};

  /**
   * `seek(number, isWanted)` moves the film while `isWanted()`; `unit` is "step" or "move"; `speeds` are like SPEEDS,
   * `speed` is the index of the first choice; `keys` is the part of the page whose keys it follows.
   */
  constructor({ seek, unit, speeds, speed, label, keys = document }) {
    this.#seekFilm = seek;
    this.keys = keys;
    this.#speeds = speeds;
    this.unit = unit;
    const control = (name, title) =>
      button("", { icon: name, class: "round", "aria-label": title, title }, () => this[name]());
    this.buttons = {
      first: control("first", text(`search.first-${unit}`)),
      back: control("back", text(`search.back-${unit}`)),
      play: control("play", text("search.play")),
      next: control("next", text(`search.next-${unit}`)),
      last: control("last", text(`search.last-${unit}`)),
    };
    this.buttons.play.classList.add("main-round");
    this.bar = element("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      step: 1,
      class: "scrub",
      "aria-label": text(`search.bar-${unit}`),
      oninput: () => this.seek(Number(this.bar.value)),
    });
    this.count = element("output", { class: "count" });
    this.speed = element(
      "select",
      { "aria-label": text("search.speed") },
      ...speeds.map(([perSecond, word], index) =>
        element("option", { value: index }, typeof word === "function" ? word(perSecond) : word),
      ),
    );
    this.speed.value = String(speed);
    this.root = element(
      "div",
      { class: "transport", role: "group", "aria-label": label },
      element("div", { class: "row transport-buttons" }, ...Object.values(this.buttons)),
      this.bar,
      this.count,
      this.speed,
    );
    // Until there is a film, nothing would follow a click or a key.
    this.#enable(false);
    this.onKey = (event) => this.#press(event);
    keys.addEventListener("keydown", this.onKey);
  }

  #enable(isEnabled) {
    for (const part of [...Object.values(this.buttons), this.bar]) part.disabled = !isEnabled;
  }

  /** Show that another film begins; where the film before ended says nothing about it. */
  reset() {
    this.pause();
    this.show({ position: 0, known: 0, last: null });
  }

  /** Show the position of the film; `known` steps are read, `last` is the number of the last or null. */
  show({ position, known, last }) {
    this.#position = position;
    this.#last = last;
    this.#enable(true);
    this.bar.max = String(last ?? barLength(known));
    this.bar.value = String(position);
    this.count.textContent =
      last === null
        ? text(`search.at-${this.unit}`, { position })
        : text(`search.of-${this.unit}`, { position, last });
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

  first() {
    this.pause();
    return this.seek(0);
  }
  back() {
    this.pause();
    return this.seek(this.#position - 1);
  }
  next() {
    this.pause();
    return this.seek(this.#position + 1);
  }
  last() {
    this.pause();
    // The end of a search may be far away: meanwhile the play button stops the seeking.
    if (this.#last === null) this.#setPlayButton("pause", text("search.stop-here"));
    return this.seek(this.#last ?? Infinity);
  }

  play() {
    if (this.isPlaying) return this.pause();
    if (this.#target?.number === Infinity) return this.seek(this.#position);
    if (this.#last !== null && this.#position >= this.#last) this.seek(0);
    this.#lastTick = performance.now();
    this.#pendingSteps = 0;
    this.#setPlayButton("pause", text("search.pause"));
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
    return undefined;
  }

  pause() {
    const wasPlaying = this.isPlaying;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    // At full speed the film is on its way to a step that is far away.
    this.#target = null;
    this.#setPlayButton("play", text("search.play"));
    if (wasPlaying) this.onPause();
  }

  /** Go to a step; a newer call replaces an older one that has not finished. */
  async seek(number) {
    this.#target = { number: Math.max(0, number) };
    if (this.#isSeeking) return;
    this.#isSeeking = true;
    try {
      while (this.#target !== null) {
        const target = this.#target;
        await this.#seekFilm(target.number, () => this.#target === target);
        if (this.#target === target) this.#target = null;
      }
    } finally {
      this.#isSeeking = false;
      this.#target = null;
      if (!this.isPlaying) this.#setPlayButton("play", text("search.play"));
    }
  }

  remove() {
    this.pause();
    this.keys.removeEventListener("keydown", this.onKey);
    this.root.remove();
  }

  #tick(now) {
    this.#pendingSteps += ((now - this.#lastTick) / 1000) * this.perSecond;
    this.#lastTick = now;
    const steps = Math.floor(this.#pendingSteps);
    if (steps > 0 && !this.#isSeeking) {
      this.#pendingSteps = 0;
      this.seek(this.#position + steps);
    }
    if (this.#last !== null && this.#position >= this.#last) this.pause();
    else this.#frame = requestAnimationFrame((later) => this.#tick(later));
  }

  #setPlayButton(iconName, title) {
    if (this.buttons.play.title === title) return;
    this.buttons.play.replaceChildren(icon(iconName));
    this.buttons.play.setAttribute("aria-label", title);
    this.buttons.play.title = title;
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (event.defaultPrevented || event.target.closest?.(OWN_KEYS) || this.root.hidden) return;
    if (this.buttons.play.disabled) return;
    if (event.key === " " && event.target.closest?.(OWN_SPACE)) return;
    event.preventDefault();
    this[KEYS[event.key]]();
  }
}
