// What Python says, in the language of the reader where it has a code (`web/messages.py`), else in English, marked so.

import { element } from "./dom.js";
import { hasText, sentence } from "./messages.js";

/** @typedef {{sentence?: string, error?: string, code?: string, parameters?: Record<string, any>}} Message */

/** An error that Python told; its message is a text, `saidIn(error)` has the language of its parts. */
export class PythonError extends Error {
  /** @param {Message} told */
  constructor(told) {
    super(saidAsText(told));
    this.told = told;
  }
}

/**
 * Return a message as texts and elements.
 * @param {Message} told
 * @returns {(string | HTMLElement)[]}
 */
export function said(told) {
  return write(told, (english) => [element("span", { lang: "en" }, english)]);
}

/** Return a message as a text. @param {Message} told */
export function saidAsText(told) {
  return write(told, (english) => [english]).join("");
}

/** Return the message of an error as texts and elements. @param {any} error */
export function saidIn(error) {
  return error.told ? said(error.told) : [error.message];
}

function write(told, english) {
  const name = `python.${told.code}`;
  if (!told.code || !hasText(name)) return english(told.sentence ?? told.error ?? "");
  // Messages among the parameters are lists, which become flat at the end.
  const parameters = Object.entries(told.parameters ?? {}).map(([key, value]) => [
    key,
    typeof value === "object" ? write(value, english) : value,
  ]);
  return sentence(name, Object.fromEntries(parameters)).flat();
}
