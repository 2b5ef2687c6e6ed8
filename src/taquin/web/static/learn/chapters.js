// The chapters of Learn: where their figures are, what these search, and the numbers of the prose.
//
// The prose is in the message tables: `learn.prose-bfs-1` is the first paragraph of the chapter `bfs`. The numbers in
// it come from NUMBERS, which a test measures, and so it does the lengths in BOARDS.

/**
 * @typedef {import("../search/searches.js").SearchParts} SearchParts
 * @typedef {{kind: "neighbours" | "search" | "memory", name: string, boards: string[], search: SearchParts,
 *   algorithms?: string[], heuristics?: string[]}} FigureParts what the reader can choose, besides the options of the
 *   search
 * @typedef {{name: string, parts: (number | FigureParts)[], quiz: {board: string, search: string, steps: number[]}}} Chapter
 *   a number is a paragraph; `steps` are those of the search that are asked
 */

/** The boards of the chapters, each with the length of its shortest solution. @type {Record<string, number>} */
export const BOARDS = {
  "0 3 / 2 1": 6,
  "3 1 0 / 2 4 5": 13,
  "4 1 3 / 0 2 6 / 7 5 8": 5,
  "1 5 2 / 7 3 0 / 8 4 6": 9,
  "1 2 3 / 0 7 8 / 5 6 4": 11,
  "8 1 3 / 4 0 2 / 7 6 5": 14,
  "0 2 5 / 6 1 3 / 7 4 8": 20,
};
const [TINY, SMALL, EASY, LIED, SHORT, USUAL, LONG] = Object.keys(BOARDS);

/** What the prose says of searches and of state spaces. @type {Record<string, number>} */
export const NUMBERS = {
  arrangements: 362880,
  states: 181440,
  states2x2: 12,
  states4x4: 10461394944000,
  terabytes: 84,
  farthest: 31,
  branching: 1.73,
  walksHardest: 45923056,
  walksUsual: 4768,
  boardsUsual: 2368,
  movesEasy: 5,
  movesUsual: 14,
  bfsEasy: 40,
  bfsUsual: 5410,
  bfsHardest: 181439,
  misplacedUsual: 222,
  manhattanUsual: 36,
  conflictUsual: 34,
  misplacedAtStart: 5,
  manhattanAtStart: 10,
  liedShortest: 9,
  liedFound: 11,
  liedExpanded: 18,
  honestExpanded: 13,
  lie: 14,
  truth: 7,
  lieF: 16,
  shortMoves: 11,
  shortExpanded: 21,
  weightedMoves: 13,
  weightedExpanded: 15,
  astarStored: 571,
  astarExpanded: 342,
  idaStored: 20,
  idaExpanded: 1582,
  astarStoredHardest: 10294,
  idaStoredHardest: 31,
  idaExpandedHardest: 14964,
  astarExpandedHardest: 6744,
  beamNarrow: 28,
  beamMiddle: 120,
  beamWide: 14,
};

const HEURISTICS = ["zero", "misplaced", "manhattan", "linear-conflict"];
/** A heuristic that lies: it counts tiles that Manhattan has counted. */
export const LIAR = "sum(manhattan, misplaced)";

/** @param {string} name @param {string | null} [heuristic] @param {Record<string, string>} [options] @returns {SearchParts} */
const search = (name, heuristic = null, options = {}) => ({ name, heuristic, options });

/** @type {Chapter[]} */
export const CHAPTERS = [
  {
    name: "spaces",
    parts: [
      1,
      2,
      {
        kind: "neighbours",
        name: "neighbours",
        boards: [EASY, SMALL, TINY],
        search: search("bfs"),
      },
      3,
      4,
      5,
      { kind: "search", name: "ring", boards: [TINY, SMALL], search: search("bfs") },
      6,
    ],
    quiz: { board: TINY, search: "bfs", steps: [2, 5, 10] },
  },
  {
    name: "bfs",
    parts: [
      1,
      2,
      { kind: "search", name: "levels", boards: [EASY, LIED, USUAL], search: search("bfs") },
      3,
      4,
      5,
    ],
    quiz: { board: EASY, search: "bfs", steps: [5, 9, 34] },
  },
  {
    name: "heuristics",
    parts: [
      1,
      2,
      {
        kind: "search",
        name: "estimates",
        boards: [USUAL, EASY, SHORT],
        search: search("astar", "manhattan"),
        heuristics: HEURISTICS,
      },
      3,
      4,
      5,
    ],
    quiz: { board: USUAL, search: "astar(manhattan)", steps: [5, 8, 10] },
  },
  {
    name: "admissible",
    parts: [
      1,
      2,
      3,
      {
        kind: "search",
        name: "liar",
        boards: [LIED, SHORT],
        search: search("astar", LIAR),
        heuristics: ["manhattan", LIAR],
      },
      4,
      5,
      {
        kind: "search",
        name: "weights",
        boards: [SHORT, LIED, USUAL],
        search: search("astar", "manhattan", { weight: "2" }),
      },
      6,
    ],
    quiz: { board: LIED, search: `astar(${LIAR})`, steps: [3, 7, 19] },
  },
  {
    name: "memory",
    parts: [
      1,
      2,
      {
        kind: "memory",
        name: "memory",
        boards: [LONG, USUAL],
        search: search("idastar", "manhattan"),
        algorithms: ["astar", "idastar"],
      },
      3,
      4,
      5,
      {
        kind: "search",
        name: "beam",
        boards: [USUAL, SHORT],
        search: search("beam", "manhattan", { width: "2" }),
      },
      6,
    ],
    quiz: { board: LONG, search: "idastar(manhattan)", steps: [1, 3, 13] },
  },
];
