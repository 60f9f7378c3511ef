// The games that a tab keeps, so that nothing is lost when the page is loaded again. Another tab keeps its own. A browser that keeps nothing, or not
// so much, is no reason to fail.

const KEY = "games";
const FORMAT = 2; // Another one is of another version of the page.

/** Keeps a text under a name, or nothing where it cannot be kept. */
export function store(name, text) {
  try {
    sessionStorage.removeItem(name);
    sessionStorage.setItem(name, text);
  } catch {
    // Nothing is kept.
  }
}

/** The text under a name, or null. */
export function stored(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a state: `root` and `shown` are positions of the tree, the rest is plain data. */
export function keep({ root, shown, ...rest }) {
  const path = [];
  for (let at = shown; at.parent; at = at.parent) path.unshift(at.parent.children.indexOf(at));
  const plain = (name, value) => (name === "parent" || name === "ranking" ? undefined : value);
  store(KEY, JSON.stringify({ ...rest, format: FORMAT, path, root }, plain));
}

/** The state that was kept, or null. */
export function kept() {
  try {
    const found = JSON.parse(stored(KEY) ?? "null");
    if (found?.format !== FORMAT) return null;
    const grow = (at, parent) => {
      at.parent = parent;
      at.children.forEach((child) => grow(child, at));
    };
    grow(found.root, null);
    return { ...found, shown: found.path.reduce((at, child) => at.children[child], found.root) };
  } catch {
    return null;
  }
}
