// Two ways to show the page to others: large, for a projector, and in a frame of another page.
//
//     #watch?projector=1    the header is folded, everything is larger, the frontier is beside the tree
//     /?embed#watch         no header at all: for slides and course systems

const page = document.documentElement;

/** Return whether the page is shown by a projector. */
export function isProjected() {
  return page.classList.contains("projector");
}

/** Follow the address, and let a button and the Escape key change it. */
export function startProjector(state, button) {
  page.classList.toggle("embed", new URLSearchParams(window.location.search).has("embed"));
  const apply = ({ projector }) => {
    page.classList.toggle("projector", Boolean(projector));
    button.setAttribute("aria-label", projector ? "Leave the projector mode (Esc)" : "Projector mode: large, without the header");
    button.title = button.getAttribute("aria-label");
    button.setAttribute("aria-pressed", String(Boolean(projector)));
  };
  const set = (isOn) => state.set({ projector: isOn ? 1 : null });
  button.addEventListener("click", () => set(!isProjected()));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isProjected() && !document.querySelector("dialog[open]")) set(false);
  });
  state.subscribe(apply);
  apply(state.get());
}
