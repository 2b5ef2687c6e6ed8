// The editor of Code: CodeMirror 6 with Python, line numbers, and a marked line for a fault.
//
// `codemirror.js` is a bundle that `make editor` builds. CodeMirror adopts its style sheets, which the policy of the
// page allows; the colours are in `styles/code.css`.

import {
  bracketMatching,
  classHighlighter,
  Decoration,
  defaultKeymap,
  EditorState,
  EditorView,
  GutterMarker,
  gutterLineClass,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
  lineNumbers,
  python,
  StateEffect,
  StateField,
  syntaxHighlighting,
} from "./codemirror.js";
import { element } from "../page/dom.js";
import { text as message } from "../page/messages.js";

const LINE = Decoration.line({ class: "bad" });
const NUMBER = new (class extends GutterMarker {
  elementClass = "bad";
})();

/** Marks the line of a fault, from 1; 0 marks none. */
const setMark = StateEffect.define();
/** The start of the marked line, null for none; it moves with its line. */
const marked = StateField.define({
  create: () => null,
  update(at, { changes, effects, newDoc }) {
    const effect = effects.findLast((each) => each.is(setMark));
    if (!effect) return at === null ? null : newDoc.lineAt(changes.mapPos(at)).from;
    return effect.value > 0 ? lineOf(newDoc, effect.value).from : null;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (at) =>
      at === null ? Decoration.none : Decoration.set(LINE.range(at)),
    ),
    gutterLineClass.from(field, (at) => Decoration.set(at === null ? [] : NUMBER.range(at))),
  ],
});

export class CodeEditor {
  /** `onChange` is called after each edit; `faultId` is the id of the element that describes a fault. */
  constructor({ onChange, faultId }) {
    this.help = element("p", { class: "note", id: "editor-help" }, message("code.editor_help"));
    const attributes = {
      "aria-label": message("code.editor"),
      "aria-describedby": this.help.id,
      "aria-errormessage": faultId,
      // For tools that do not know that an element with editable content takes the focus.
      tabindex: "0",
    };
    this.extensions = [
      lineNumbers(),
      history(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      indentOnInput(),
      bracketMatching(),
      python(),
      syntaxHighlighting(classHighlighter),
      keymap.of([indentWithTab, ...historyKeymap, ...defaultKeymap]),
      marked,
      EditorView.contentAttributes.compute([marked], (state) => ({
        ...attributes,
        "aria-invalid": String(state.field(marked) !== null),
      })),
      EditorView.domEventHandlers({
        // CodeMirror alone would let Tab leave only for two seconds after Escape.
        keydown: (event, view) => {
          if (!["Tab", "Shift"].includes(event.key)) view.setTabFocusMode(event.key === "Escape");
          return false;
        },
        // The browser would join the lines of the selection with style attributes, which the policy blocks.
        beforeinput: (event, view) => {
          const selected = document.getSelection();
          if (event.inputType !== "insertText" || selected.isCollapsed) return false;
          const range = selected.getRangeAt(0);
          const from = view.posAtDOM(range.startContainer, range.startOffset);
          const to = view.posAtDOM(range.endContainer, range.endOffset);
          const insert = view.state.toText(event.data ?? "");
          const selection = { anchor: from + insert.length };
          view.dispatch({ changes: { from, to, insert }, selection, userEvent: "input.type" });
          event.preventDefault();
          return true;
        },
        blur: (_event, view) => view.setTabFocusMode(false),
      }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange();
      }),
    ];
    this.view = new EditorView({ extensions: this.extensions });
    this.root = element("div", { class: "editor" }, this.view.dom);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Begin with another text, which is no edit. */
  set text(text) {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  /** Replace the text by an edit, which Undo takes back. */
  replace(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.goTo(1);
  }

  /** Mark a line, from 1, as that of a fault; 0 marks none. */
  mark(line) {
    this.view.dispatch({ effects: setMark.of(line) });
  }

  /** Put the cursor at the beginning of a line, from 1. */
  goTo(line) {
    const { from } = lineOf(this.view.state.doc, line);
    this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.focus();
  }

  focus() {
    this.view.focus();
  }
}

/** Return a line of a document; Python may name one after its end. */
function lineOf(doc, number) {
  return doc.line(Math.min(number, doc.lines));
}
