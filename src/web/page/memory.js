// Keeps the games of a tab, so that nothing is lost when the page is reloaded. Each tab has its own. If the browser keeps nothing, or not enough, the
// page goes on without it.

const KEY = "games";
const FORMAT = 3; // Another number is from another version of the page.

const ROWS_KEPT = 40; // Of a ranking.

/** Keeps a text under a name, if the browser allows it. */
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
  const plain = (name, value) => (name === "parent" ? undefined : name === "ranking" && value ? plainRanking(value) : value);
  store(KEY, JSON.stringify({ ...rest, format: FORMAT, path, root }, plain));
}

/** A ranking as plain data: its best rows. */
function plainRanking({ rows, order, ...rest }) {
  const best = order.slice(0, ROWS_KEPT);
  return { ...rest, order: best, rows: best.map((key) => [key, rows.get(key)]) };
}

/** The state that was kept, or null. */
export function kept() {
  try {
    const found = JSON.parse(stored(KEY) ?? "null");
    if (found?.format !== FORMAT) return null;
    const grow = (at, parent) => {
      at.parent = parent;
      if (at.ranking) at.ranking.rows = new Map(at.ranking.rows);
      at.children.forEach((child) => grow(child, at));
    };
    grow(found.root, null);
    return { ...found, shown: found.path.reduce((at, child) => at.children[child], found.root) };
  } catch {
    return null;
  }
}
