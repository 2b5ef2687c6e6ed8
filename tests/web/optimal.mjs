// Solve boards with the kernels alone: goals and boards on the standard input, solutions on the output.

import { readFileSync } from "node:fs";
import { load } from "../../src/taquin/web/static/optimal/kernels.js";
import { Optimal } from "../../src/taquin/web/static/optimal/optimal.js";
import { smallTables } from "../../src/taquin/web/static/optimal/tables.js";

const { library, goals } = JSON.parse(readFileSync(0, "utf8"));
const kernels = await load(readFileSync(library));
const tables = smallTables(kernels);
const solutions = goals.flatMap(({ goal, boards }) => {
  const optimal = new Optimal(kernels, tables, goal);
  return boards.map((board) => optimal.solve(board));
});
process.stdout.write(JSON.stringify(solutions));
