// The course of a search with user code, as small charts over the boards that it expands.
//
//     A*      frontier, f and depth at each expansion
//     IDA*    the bound of each iteration, and the depth at each expansion

import { element, svgElement, table } from "../page/dom.js";
import { text } from "../page/messages.js";
import { titleOf } from "../search/searches.js";

const [WIDTH, HEIGHT, MARGIN] = [200, 50, 2];

/**
 * Return the charts of a search.
 * @param {{search: string, points: number[][], rounds: number[][], solved: boolean}} course points are expansion,
 *   frontier, f and depth; rounds are the first expansion and the bound
 * @param {Parameters<typeof titleOf>[1]} searches
 */
export function courseCharts({ search, points, rounds, solved }, searches) {
  const end = points.at(-1)?.[0] ?? 0;
  const isDeepening = search.startsWith("idastar");
  const series = {
    frontier: !isDeepening && points.map(([at, frontier]) => [at, frontier]),
    f: !isDeepening && points.map(([at, , f]) => [at, f]),
    bound: isDeepening && stairs(rounds, end),
    depth: points.map(([at, , , depth]) => [at, depth]),
  };
  return element(
    "section",
    { class: "course stack tight" },
    element("h3", {}, titleOf(search, searches)),
    element(
      "div",
      { class: "charts" },
      ...Object.entries(series).map(([name, line]) => line && chart(name, line)),
    ),
    element(
      "p",
      { class: "note" },
      text(solved ? "code.course_end" : "code.course_cut", { count: end }),
    ),
    isDeepening && iterations(rounds, end),
  );
}

/** Return the corners of the stairs that a bound climbs. */
export function stairs(rounds, end) {
  return rounds.flatMap(([at, bound], index) => [
    [at, bound],
    [rounds[index + 1]?.[0] ?? end, bound],
  ]);
}

/** Return the attribute `d` of a line through points, in a box that starts at 0. */
export function pathOf(points) {
  const [left, right] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const highest = Math.max(1, ...points.map(([, value]) => value));
  const x = (at) => (WIDTH * (at - left)) / Math.max(1, right - left);
  const y = (value) => HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * value) / highest;
  return points
    .map(([at, value], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
}

function chart(name, line) {
  const points = line.filter(([, value]) => Number.isFinite(value));
  const values = points.map(([, value]) => value);
  const most = Math.max(0, ...values);
  const title = text(`code.chart_${name}`);
  const summary = text("code.chart_summary", {
    title,
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    most,
  });
  return element(
    "figure",
    { class: `chart chart-${name}` },
    element("figcaption", {}, title, element("span", {}, text("code.chart_most", { most }))),
    svgElement(
      "svg",
      {
        role: "img",
        "aria-label": summary,
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
      },
      svgElement("path", { d: pathOf(points), "vector-effect": "non-scaling-stroke" }),
    ),
  );
}

/** Return a table with the bound of each iteration and the boards that it expands. */
function iterations(rounds, end) {
  const names = ["iteration", "bound", "boards"];
  return element(
    "details",
    {},
    element("summary", {}, text("code.iterations", { count: rounds.length })),
    table(
      { class: "numbers" },
      names.map((name) => text(`code.column_${name}`)),
      rounds.map(([at, bound], index) => {
        const boards = (rounds[index + 1]?.[0] ?? end + 1) - at;
        return [index + 1, bound, boards].map(String);
      }),
    ),
  );
}
