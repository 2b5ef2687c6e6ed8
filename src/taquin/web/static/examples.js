// Example puzzles, one for each feature of the editor.

export const EXAMPLES = [
  { title: "Classic", board: "8 6 7 / 2 5 4 / 3 0 1", goal: "blank-last" },
  { title: "Snail", board: "1 2 3 4 / 12 14 5 0 / 11 13 15 6 / 10 9 8 7", goal: "snail" },
  { title: "Walls", board: "2 1 3 4 / 6 5 # 0 / 8 # 7 10 / 11 12 13 9", goal: "blank-last" },
  { title: "Top row only", board: "8 6 7 / 2 5 4 / 3 0 1", goal: "1 2 3 / * * * / * * *" },
  { title: "Colours", board: "R G B / B R G / G B 0", goal: "R R G / G G B / B B 0" },
  {
    title: "Agent",
    board: ". . . . / . . . . / . . . . / A B C 0",
    goal: "* * * * / * A * * / * B * * / * C 0 *",
  },
  {
    title: "Agent and walls",
    board: ". . . . / . # . . / . . # . / A B C 0",
    goal: "0 C B A / * # * * / * * # * / * * * *",
  },
];
