// A film: the steps of a search, played forward and backward. Only the last steps are kept.
//
//   0 ………… first ─────── position ─────── count        going back before `first` runs the search
//          └──────── kept ──────────────┘              again from its start

import { TraceModel } from "./trace-model.js";
import { resultOf } from "./trace-steps.js";

export const KEPT_STEPS = 2000;
/** The most events of all kept steps. */
export const KEPT_EVENTS = 40000;

export class Film {
  /** The number of the current step; -1 before the first. */
  position = -1;
  /** The number of steps read since the search began. */
  count = 0;
  /** The number of the last step, once it is known; it stays known when the film begins again. */
  last = null;
  model = null;
  #createSource;
  #options;
  #source = null;
  #steps = [];
  #journals = [];
  #events = 0;
  /** The read that is under way: two callers may need the same step. */
  #reading = null;
  #isOver = false;

  /**
   * `createSource` begins the search and returns `{header(), next(), close()}`; `options` are those of
   * the model.
   * @param {() => any} createSource
   * @param {object} [options]
   */
  constructor(createSource, options = {}) {
    this.#createSource = createSource;
    this.#options = options;
  }

  get first() {
    return this.count - this.#steps.length;
  }

  get step() {
    return this.#steps[this.position - this.first];
  }

  /**
   * Go to a step, or to the last one; `goesOn(position)` returns whether to go on.
   * Steps are read only when they are needed, so the search pauses with its viewer.
   * @param {number} number
   * @param {(position: number) => boolean} [goesOn]
   */
  async seek(number, goesOn = () => true) {
    if (this.#source === null || number < this.first) await this.#begin();
    while (this.position > number && this.position > 0) this.#backward();
    while (this.position < number && goesOn(this.position)) {
      if (this.position + 1 === this.count && !(await this.#read())) break;
      this.#forward();
    }
  }

  /** Return the step after the current one without going there; null at the end. */
  async peek() {
    if (this.position + 1 === this.count && !(await this.#read())) return null;
    return this.#steps[this.position + 1 - this.first] ?? null;
  }

  close() {
    this.#source?.close();
    this.#source = null;
  }

  async #begin() {
    this.close();
    await this.#reading?.catch(() => {});
    const source = this.#createSource();
    this.#source = source;
    this.model = new TraceModel(await source.header(), this.#options);
    Object.assign(this, { position: -1, count: 0 });
    this.#isOver = false;
    this.#steps = [];
    this.#journals = [];
    this.#events = 0;
    // The film begins at its first step, not before it.
    if (await this.#read()) this.#forward();
  }

  #read() {
    this.#reading ??= this.#readStep(this.#source).finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #readStep(source) {
    if (this.#isOver) return false;
    const step = await source.next();
    if (source !== this.#source) return false;
    if (step === null) return this.#end();
    this.#steps.push(step);
    this.#events += step.events.length;
    this.count += 1;
    // A limit on seconds may end the same search at another step.
    if (this.last !== null && this.count > this.last + 1) this.last = null;
    if (resultOf(step)) this.#end();
    return true;
  }

  #end() {
    this.#isOver = true;
    this.last = Math.max(0, this.count - 1);
    return false;
  }

  #forward() {
    this.position += 1;
    this.#journals.push(this.model.apply(this.step));
    while (this.#steps.length > KEPT_STEPS || this.#events > KEPT_EVENTS) {
      if (this.first >= this.position) break;
      this.#events -= this.#steps.shift().events.length;
      this.#journals.shift();
    }
  }

  #backward() {
    this.#journals.pop().undo();
    this.position -= 1;
  }
}
