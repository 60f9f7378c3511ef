// What a tab keeps of its games, so that nothing is lost when the page is loaded again. Another tab keeps its own.

const KEY = "games";

/** Keeps a state: `root` and `shown` are positions of the tree, the rest is plain data. */
export function keep({ root, shown, ...rest }) {
  const path = [];
  for (let at = shown; at.parent; at = at.parent) path.unshift(at.parent.children.indexOf(at));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...rest, path, root }, (name, value) => (name === "parent" || name === "ranking" ? undefined : value)));
  } catch {
    // A browser that keeps nothing, or not so much: the page works all the same.
    sessionStorage.removeItem(KEY);
  }
}

/** The state that was kept, or null. */
export function kept() {
  const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (!found) return null;
  const grow = (at, parent) => {
    at.parent = parent;
    at.children.forEach((child) => grow(child, at));
  };
  grow(found.root, null);
  const shown = found.path.reduce((at, child) => at.children[child], found.root);
  return { ...found, shown };
}
