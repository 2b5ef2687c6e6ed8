// The texts of the page, in the language of its reader.
//
//     text("play.undo")                     "Undo"
//     text("units.move", { count: 2000 })   "2,000 moves"
//     sentence("learn.source", { link })    ["The ", <a>, " explains it."]
//
// `messages/en.json` and its translations have sections of messages. A message is a text, or an object with a text for
// each plural form that the language has: `{"one": "{count} move", "other": "{count} moves"}`; `count` chooses it.
// Numbers among the parameters are written as the language writes them. The language is the reader's choice, which
// this browser stores, or the browser's. "pseudo" is English with accents, in brackets: what stays plain on the page
// is a text outside the tables.

import { store, stored } from "./storage.js";

/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

/** @typedef {string | Record<string, string>} Message */
/** @typedef {Record<string, Record<string, Message>>} Messages */
/** @typedef {{sentence?: string, error?: string, code?: string, parameters?: Record<string, any>}} Told */

const KEY = "taquin-language";
const PSEUDO = "pseudo";

/** @type {{messages: Messages, language: string, isPseudo: boolean, plurals: Intl.PluralRules, numbers: Intl.NumberFormat} | null} */
let current = null;

/**
 * Use a table of messages.
 * @param {Messages} messages
 * @param {string} language
 */
export function useMessages(messages, language) {
  const isPseudo = language === PSEUDO;
  const locale = isPseudo ? "en" : language;
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  current = { messages, language: locale, isPseudo, plurals, numbers };
}

/** Fetch the messages in the reader's language. Before that, no text can be written. */
export async function loadMessages() {
  const language = chosenLanguage();
  const file = `../messages/${language === PSEUDO ? "en" : language}.json`;
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  useMessages(await response.json(), language);
  document.documentElement.lang = locale();
}

/** Return the language of the page, as `Intl` and the attribute `lang` write it. */
export function locale() {
  return loaded().language;
}

/** Store the reader's choice, and open the page again. @param {string} language */
export function chooseLanguage(language) {
  store(KEY, language);
  window.location.reload();
}

/** @returns {string} */
function chosenLanguage() {
  const choice = stored(KEY);
  if (choice === PSEUDO || Object.hasOwn(LANGUAGES, choice ?? "")) return choice ?? "en";
  const wanted = navigator.languages.map((language) => language.split("-")[0]);
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? "en";
}

/**
 * Return a message with its parameters filled in.
 * @param {string} name the section and the message, "play.undo"
 * @param {Record<string, string | number>} [parameters]
 */
export function text(name, parameters = {}) {
  return sentence(name, parameters).join("");
}

/**
 * Return a message as a list of texts and elements, for parameters that are elements.
 * @template T
 * @param {string} name
 * @param {Record<string, string | number | T>} parameters
 * @returns {(string | T)[]}
 */
export function sentence(name, parameters) {
  const { numbers, isPseudo } = loaded();
  const parts = messageOf(name, parameters.count).split(/\{(\w+)\}/);
  const pieces = parts.map((part, index) => {
    if (index % 2 === 0) return isPseudo ? accented(part) : part;
    const value = parameters[part];
    if (value === undefined) throw new Error(`${name} needs {${part}}`);
    return typeof value === "number" ? numbers.format(value) : value;
  });
  return isPseudo ? ["[", ...pieces, "]"] : pieces;
}

/**
 * Return what Python tells, by its code; `english` returns the parts for a sentence that the table lacks.
 * @template T
 * @param {Told} told
 * @param {(english: string) => (string | T)[]} english
 * @returns {(string | T)[]}
 */
export function written(told, english) {
  const name = `python.${told.code}`;
  if (!told.code || !hasText(name)) return english(told.sentence ?? told.error ?? "");
  // Messages among the parameters are lists, which become flat at the end.
  const parameters = Object.entries(told.parameters ?? {}).map(([key, value]) => [
    key,
    typeof value === "object" ? written(value, english) : value,
  ]);
  return sentence(name, Object.fromEntries(parameters)).flat();
}

/** Return what Python tells as a text. @param {Told} told */
export function saidAsText(told) {
  return written(told, (english) => [english]).join("");
}

/** Return whether there is a message of this name. @param {string} name */
export function hasText(name) {
  return find(name) !== undefined;
}

/** @param {string} name @param {unknown} count */
function messageOf(name, count) {
  const message = find(name);
  if (message === undefined) throw new Error(`no message ${name}`);
  if (typeof message === "string") return message;
  const form = loaded().plurals.select(Number(count));
  return message[form] ?? message.other;
}

/** @param {string} name @returns {Message | undefined} */
function find(name) {
  const [section, key] = name.split(".");
  const messages = loaded().messages[section] ?? {};
  return Object.hasOwn(messages, key) ? messages[key] : undefined;
}

function loaded() {
  if (!current) throw new Error("the messages are not loaded yet");
  return current;
}

/** @param {string} text */
function accented(text) {
  const letters = "aáeéiíoóuúnñcçAÁEÉIÍOÓUÚNÑCÇ";
  return text.replace(/[aeiouncAEIOUNC]/g, (letter) => letters[letters.indexOf(letter) + 1]);
}
