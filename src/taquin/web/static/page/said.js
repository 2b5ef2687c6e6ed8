// What Python says, in the language of the reader where it has a code (`web/messages.py`), else in English, marked so.

import { element } from "./dom.js";
import { saidAsText, written } from "./messages.js";

/** @import { Told } from "./messages.js" */

/** An error that Python told; its message is a text, `saidIn(error)` has the language of its parts. */
export class PythonError extends Error {
  /** @param {Told} told */
  constructor(told) {
    super(saidAsText(told));
    this.told = told;
  }
}

/**
 * Return a message as texts and elements.
 * @param {Told} told
 * @returns {(string | HTMLElement)[]}
 */
export function said(told) {
  return written(told, (english) => [element("span", { lang: "en" }, english)]);
}

/** Return the message of an error as texts and elements. @param {any} error */
export function saidIn(error) {
  return error.told ? said(error.told) : [error.message];
}
