// Play, and its other side, Edit: `edit=1` in the address turns the board over.

import { mountGame } from "./play.js";

/** Fill the view; return how to leave it. */
export function mount(root, app) {
  let side = null;
  let turn = 0;

  async function open() {
    side?.unmount();
    side = null;
    const mine = ++turn;
    const mountSide = app.state.get().edit ? (await import("./edit.js")).mountEdit : mountGame;
    if (mine !== turn) return;
    root.replaceChildren();
    side = mountSide(root, app);
  }

  const leave = app.state.subscribe((state, before) => {
    if (state.view === "play" && state.edit !== before.edit) open();
  });
  open();
  return {
    unmount() {
      turn += 1;
      leave();
      side?.unmount();
    },
  };
}
