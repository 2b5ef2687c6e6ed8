// The size of a board: rows × columns, as two lists.

import { element } from "./dom.js";

const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Return `{field, show(rows, columns), value()}`; `onChange(rows, columns)` is called for a choice. */
export function sizeSelects(onChange) {
  const value = () => [Number(rows.value), Number(columns.value)];
  const list = (name) => {
    const options = SIZES.map((number) => element("option", { value: number }, String(number)));
    const onchange = () => onChange(...value());
    return element("select", { "aria-label": name, onchange }, ...options);
  };
  const [rows, columns] = [list("Rows"), list("Columns")];
  const times = element("span", { "aria-hidden": "true" }, "×");
  const field = element(
    "div",
    { class: "field", role: "group", "aria-label": "Size" },
    element("span", {}, "Size"),
    element("div", { class: "times" }, rows, times, columns),
  );
  return {
    field,
    value,
    show(rowCount, columnCount) {
      select(rows, rowCount);
      select(columns, columnCount);
    },
  };
}

/** Select a number; a number that is not in the list (from a pasted board) is added. */
function select(list, number) {
  if (![...list.options].some((option) => Number(option.value) === number)) {
    list.append(element("option", { value: number }, String(number)));
  }
  list.value = number;
}
