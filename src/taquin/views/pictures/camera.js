// The camera over the tree: drag to move, wheel to enlarge; it follows the search until it is moved.
const tree = document.querySelector("svg.tree");
const { width: treeWidth, height: treeHeight } = tree.viewBox.baseVal;
const READABLE = 1.1, LARGEST = 4;
const fitting = () => Math.min(tree.clientWidth / treeWidth, tree.clientHeight / treeHeight);
const smallest = () => Math.min(fitting(), READABLE);
const seen = { x: treeWidth / 2, y: 0, scale: Math.max(READABLE, Math.min(2, fitting())), following: true };

function look() {
  seen.scale = Math.max(smallest(), Math.min(LARGEST, seen.scale));
  const wide = tree.clientWidth / seen.scale, high = tree.clientHeight / seen.scale;
  const within = (middle, room, size) =>
    room >= size ? size / 2 : Math.max(room / 2, Math.min(size - room / 2, middle));
  seen.x = within(seen.x, wide, treeWidth);
  seen.y = within(seen.y, high, treeHeight);
  tree.setAttribute("viewBox", `${seen.x - wide / 2} ${seen.y - high / 2} ${wide} ${high}`);
  find("follow").setAttribute("aria-pressed", seen.following);
}
function enlarge(factor, x = tree.clientWidth / 2, y = tree.clientHeight / 2) {
  const before = seen.scale;
  seen.scale = Math.max(smallest(), Math.min(LARGEST, before * factor));
  // What is under the pointer stays there.
  seen.x += (x - tree.clientWidth / 2) * (1 / before - 1 / seen.scale);
  seen.y += (y - tree.clientHeight / 2) * (1 / before - 1 / seen.scale);
  look();
}
function moveTo([x, y]) {
  const left = Math.abs(x - seen.x) * seen.scale, above = Math.abs(y - seen.y) * seen.scale;
  if (left < tree.clientWidth * 0.3 && above < tree.clientHeight * 0.3) return;
  Object.assign(seen, { x, y });
}
view.follow = point => {
  if (seen.following && point) moveTo(point);
  look();
};
const views = {
  follow: () => {
    seen.following = !seen.following;
    if (seen.following) seen.scale = Math.max(seen.scale, READABLE);
    view.follow(STEPS[now].at);
  },
  nearer: () => enlarge(1.3),
  farther: () => enlarge(1 / 1.3),
  whole: () => { seen.following = false; seen.scale = 0; look(); },
};
for (const id in views) find(id).onclick = views[id];
view.keys = {
  c: views.follow, C: views.follow, z: views.nearer, Z: views.nearer, x: views.farther,
  X: views.farther, w: views.whole, W: views.whole,
};
let dragged = null;
tree.onpointerdown = event => {
  dragged = { x: event.clientX, y: event.clientY };
  tree.setPointerCapture(event.pointerId);
};
tree.onpointermove = event => {
  if (dragged === null) return;
  seen.x -= (event.clientX - dragged.x) / seen.scale;
  seen.y -= (event.clientY - dragged.y) / seen.scale;
  seen.following = false;
  dragged = { x: event.clientX, y: event.clientY };
  look();
};
tree.onpointerup = tree.onpointercancel = () => { dragged = null; };
tree.addEventListener("wheel", event => {
  event.preventDefault();
  const box = tree.getBoundingClientRect();
  enlarge(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
addEventListener("resize", look);
find("view").style.display = "flex";
