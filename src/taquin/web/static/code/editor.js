// An editor for Python: a text area over its own text in colours, with line numbers and a marked line.
//
// The text area grows with its text, and its letters are transparent: the coloured ones lie under it.

import { element } from "../page/dom.js";

const INDENT = "    ";
const HELP = "Tab indents; press Escape, then Tab, to leave the editor.";

export class CodeEditor {
  #mark = 0;
  #isLeaving = false;

  /** `onChange` is called after each edit; `faultId` is the id of the element that describes a fault. */
  constructor({ onChange, faultId }) {
    this.onChange = onChange;
    this.numbers = element("div", { class: "editor-numbers", "aria-hidden": "true" });
    this.colours = element("pre", { class: "editor-colours", "aria-hidden": "true" });
    this.help = element("p", { class: "note", id: "editor-help" }, HELP);
    this.area = element("textarea", {
      class: "editor-area",
      "aria-label": "Python code",
      "aria-describedby": this.help.id,
      "aria-errormessage": faultId,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
      wrap: "off",
      oninput: () => {
        this.#draw();
        this.onChange();
      },
      onkeydown: (event) => this.#onKey(event),
      onblur: () => {
        this.#isLeaving = false;
      },
    });
    this.root = element(
      "div",
      { class: "editor" },
      this.numbers,
      element("div", { class: "editor-text" }, this.colours, this.area),
    );
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.mark(0);
  }

  /** Mark a line, from 1, as that of a fault; 0 marks none. */
  mark(line) {
    this.#mark = line;
    this.area.setAttribute("aria-invalid", String(line > 0));
    this.#draw();
  }

  /** Put the cursor at the beginning of a line, from 1. */
  goTo(line) {
    const at =
      this.text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.numbers.children[line - 1]?.scrollIntoView({ block: "nearest" });
  }

  #draw() {
    const lines = linesOf(this.text);
    const look = (index) => (index + 1 === this.#mark ? "bad" : null);
    this.numbers.replaceChildren(
      ...lines.map((_, index) => element("div", { class: look(index) }, String(index + 1))),
    );
    this.colours.replaceChildren(
      ...lines.map((parts, index) =>
        element(
          "div",
          { class: look(index) },
          ...parts.map(([kind, text]) => (kind ? element("span", { class: kind }, text) : text)),
          "\n",
        ),
      ),
    );
  }

  // --- keys -----------------------------------------------------------------------------------

  #onKey(event) {
    const isLeaving = this.#isLeaving;
    this.#isLeaving = event.key === "Escape" || (isLeaving && event.key === "Shift");
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const edit = {
      Tab: () => this.#indent(event.shiftKey ? -1 : 1),
      Enter: () => this.#newLine(),
      Backspace: () => this.#dedent(),
    }[event.key];
    if (!edit || (event.key === "Tab" && isLeaving)) return;
    if (edit()) event.preventDefault();
  }

  #indent(step) {
    const { selectionStart, selectionEnd, value } = this.area;
    const isOneLine = !value.slice(selectionStart, selectionEnd).includes("\n");
    const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
    if (isOneLine && step > 0) {
      this.#insert(
        " ".repeat(INDENT.length - ((selectionStart - start) % INDENT.length)),
        selectionStart,
        selectionEnd,
      );
      return true;
    }
    const lines = value.slice(start, selectionEnd).split("\n");
    const text = lines
      .map((line) => (step > 0 ? INDENT + line : line.replace(/^ {1,4}/, "")))
      .join("\n");
    this.#insert(text, start, selectionEnd);
    const cursor = Math.max(start, selectionStart + text.length - lines[0].length);
    if (isOneLine) this.area.setSelectionRange(cursor, cursor);
    else this.area.setSelectionRange(start, start + text.length);
    return true;
  }

  /** Begin a line as deep as this one, and deeper after a colon. */
  #newLine() {
    const { selectionStart, selectionEnd, value } = this.area;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const deeper = /:\s*(#.*)?$/.test(line) ? INDENT : "";
    this.#insert(`\n${/^ */.exec(line)[0]}${deeper}`, selectionStart, selectionEnd);
    return true;
  }

  /** Remove a whole indent before the cursor; return whether there was one. */
  #dedent() {
    const { selectionStart, selectionEnd, value } = this.area;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    if (selectionStart !== selectionEnd || !line || line.trim()) return false;
    this.#insert("", selectionStart - ((line.length - 1) % INDENT.length) - 1, selectionStart);
    return true;
  }

  /** Replace a part of the text, so that the browser can undo it. */
  #insert(text, start, end) {
    this.area.setSelectionRange(start, end);
    const isDone = document.execCommand(text ? "insertText" : "delete", false, text);
    if (isDone) return;
    this.area.setRangeText(text, start, end, "end");
    this.#draw();
    this.onChange();
  }
}

// --- the colours of Python ---------------------------------------------------------------------
//
// Python text in parts: `[kind, text]`, where kind is "" for plain text.

const KINDS = ["comment", "string", "number", "keyword", "name"];
const KEYWORDS =
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False";
const STRING = `(?:\\b[bfrtuBFRTU]{1,2})?(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\\\.|[^"\\\\\\n])*"?|'(?:\\\\.|[^'\\\\\\n])*'?)`;
const TOKEN = new RegExp(
  `(#.*)|(${STRING})|\\b(\\d[\\w.]*)|\\b(${KEYWORDS.replaceAll(" ", "|")})\\b|((?<=\\b(?:def|class) +)\\w+)`,
  "g",
);

/** Return the parts of each line. */
export function linesOf(text) {
  const lines = [[]];
  for (const [kind, part] of partsOf(text)) {
    part.split("\n").forEach((piece, index) => {
      if (index) lines.push([]);
      if (piece) lines.at(-1).push([kind, piece]);
    });
  }
  return lines;
}

function* partsOf(text) {
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) yield ["", text.slice(end, match.index)];
    yield [KINDS[match.slice(1).findIndex(Boolean)], match[0]];
    end = match.index + match[0].length;
  }
  yield ["", text.slice(end)];
}
