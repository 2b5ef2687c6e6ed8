// Rows × columns, as two lists.

import { element } from "./dom.js";

const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Return `{field, show(rows, columns), value()}`; `choose(rows, columns)` hears a choice. */
export function sizeSelects(choose) {
  const value = () => [Number(rows.value), Number(columns.value)];
  const list = (name) => {
    const options = SIZES.map((number) => element("option", { value: number }, String(number)));
    const onchange = () => choose(...value());
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
    show(high, wide) {
      fit(rows, high);
      fit(columns, wide);
    },
  };
}

/** Choose a size; one that is not in the list, of a board that was pasted, joins it. */
function fit(select, number) {
  if (![...select.options].some((option) => Number(option.value) === number)) {
    select.append(element("option", { value: number }, String(number)));
  }
  select.value = number;
}
