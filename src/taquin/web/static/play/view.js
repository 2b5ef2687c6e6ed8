// Play, or its editor if the address has `edit=1`.

import { mountGame } from "./game-view.js";

/** Fill the view; return `{unmount()}`. */
export function mount(root, app) {
  let shown = null;
  let opened = 0;

  async function open() {
    shown?.unmount();
    shown = null;
    opened += 1;
    const opening = opened;
    const mountPart = app.state.get().edit ? (await import("./edit.js")).mountEdit : mountGame;
    // While the module loaded, the view may have been closed or opened again.
    if (opening !== opened) return;
    root.replaceChildren();
    shown = mountPart(root, app);
  }

  const unsubscribe = app.state.subscribe((state, before) => {
    if (state.view === "play" && state.edit !== before.edit) open();
  });
  open();
  return {
    unmount() {
      opened += 1;
      unsubscribe();
      shown?.unmount();
    },
  };
}
