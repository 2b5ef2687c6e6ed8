// The widget: the page's board, with its cells in the model of the notebook.

const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

export default {
  render({ model, el }) {
    el.classList.add("taquin-board");
    el.tabIndex = 0;
    const board = () => fromRows(model.get("board"));
    const play = (move) => {
      const cells = move && slide(board(), move);
      if (!cells) return;
      model.set("board", fold(cells, board().columns));
      model.save_changes();
    };
    const goal = () => fromRows(model.get("goal")).cells;
    const view = new BoardView(el, {
      goal: goal(),
      onPress: (cell) => play(slideFrom(board(), cell)),
    });
    const show = () => view.show(board().cells, { columns: board().columns });
    const tint = () => view.set({ goal: goal() });
    show();
    model.on("change:board", show);
    model.on("change:goal", tint);
    el.addEventListener("keydown", (event) => {
      if (!KEYS[event.key]) return;
      event.preventDefault();
      play({ direction: KEYS[event.key] });
    });
    return () => {
      model.off("change:board", show);
      model.off("change:goal", tint);
    };
  },
};
