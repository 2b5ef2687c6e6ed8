// What code/editor.js of the page uses of CodeMirror 6: the entry of the bundle that tools/editor.py builds.

import { StyleModule } from "style-mod";

export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { python } from "@codemirror/lang-python";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, GutterMarker, gutterLineClass, keymap, lineNumbers } from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";

const sheets = new Map();

/** Adopt the style sheets of CodeMirror: in a document it would add `<style>` elements, which the page's policy blocks. */
StyleModule.mount = (root, modules) => {
  const wanted = [modules].flat().map((module) => {
    const sheet = sheets.get(module) ?? new CSSStyleSheet();
    if (!sheets.has(module)) sheet.replaceSync(module.getRules());
    sheets.set(module, sheet);
    return sheet;
  });
  const others = root.adoptedStyleSheets.filter((sheet) => !wanted.includes(sheet));
  root.adoptedStyleSheets = [...others, ...wanted];
};
