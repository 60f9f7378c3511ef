//! Makes word graphs: a DAWG for reading words forward and a GADDAG for reading them from any letter outward, in KWG layout.
//!
//! It knows letters only as numbers and uses nothing of this crate, because the build script compiles the built-in list
//! with it. Not here: reading a graph (`word_graph.rs`), files (`formats/kwg.rs`). Start with [`build`].
//!
//! Both graphs are minimal: sibling lists are finished from the last word backwards [Daciuk et al. 2000] and equal ones are
//! kept once. The GADDAG is built over the different beginnings of words, each read backwards; behind the switch it goes on
//! with the DAWG's own lists, so nothing to the right of an anchor is stored twice.

use std::collections::HashMap;

/// Nodes that an arc can point to: it has 22 bits.
pub const MAX_NODES: usize = 1 << 22;

/// Bit of a node: a word ends with this letter.
pub const ACCEPTS: u32 = 1 << 23;

/// Bit of a node: the last sibling.
pub const IS_END: u32 = 1 << 22;

/// The list without letters.
const NO_LIST: u32 = 0;

/// A graph that cannot be stored.
#[derive(Debug, PartialEq, Eq)]
pub struct TooManyNodes {
    /// Nodes it needs.
    pub found: usize,
}

impl std::fmt::Display for TooManyNodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the word graph needs {} nodes, its layout has room for {MAX_NODES}", self.found)
    }
}

/// The nodes of both graphs. `words` are letter numbers from 1, sorted, each once, none empty.
///
/// # Errors
/// More nodes than the layout has room for.
pub fn build(words: &[Vec<u8>]) -> Result<Vec<u32>, TooManyNodes> {
    let mut lists = SiblingLists::default();
    let (dawg_root, mut beginnings) = build_dawg(words, &mut lists);
    beginnings.sort_unstable_by(|a, b| a.reversed.cmp(&b.reversed));
    let mut gaddag = Unfinished::default();
    for beginning in &beginnings {
        gaddag.add(&beginning.reversed, beginning.is_word, &mut lists);
        if beginning.list != NO_LIST {
            gaddag.add_switch(beginning.list);
        }
    }
    let gaddag_root = gaddag.finish(&mut lists);
    lists.lay_out(&[dawg_root, gaddag_root])
}

/// The nodes of a DAWG alone; node 1 points nowhere. Here 0 is a letter like the others.
///
/// # Errors
/// More nodes than the layout has room for.
pub fn build_dawg_only(words: &[impl AsRef<[u8]>]) -> Result<Vec<u32>, TooManyNodes> {
    let mut lists = SiblingLists::default();
    let mut dawg = Unfinished::default();
    for word in words {
        dawg.add(word.as_ref(), true, &mut lists);
    }
    let root = dawg.finish(&mut lists);
    lists.lay_out(&[root, NO_LIST])
}

/// A different beginning of words.
struct Beginning {
    reversed: Vec<u8>,
    is_word: bool,
    /// The DAWG's list behind it.
    list: u32,
}

/// Builds the DAWG, then walks it for the different beginnings of its words.
fn build_dawg(words: &[Vec<u8>], lists: &mut SiblingLists) -> (u32, Vec<Beginning>) {
    let mut dawg = Unfinished::default();
    for word in words {
        dawg.add(word, true, lists);
    }
    let root = dawg.finish(lists);
    let mut beginnings = Vec::new();
    let mut prefix = Vec::new();
    collect_beginnings(lists, root, &mut prefix, &mut beginnings);
    (root, beginnings)
}

fn collect_beginnings(lists: &SiblingLists, list: u32, prefix: &mut Vec<u8>, out: &mut Vec<Beginning>) {
    for edge in lists.get(list) {
        prefix.push(edge.tile);
        out.push(Beginning { reversed: prefix.iter().rev().copied().collect(), is_word: edge.accepts, list: edge.list });
        collect_beginnings(lists, edge.list, prefix, out);
        prefix.pop();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    tile: u8,
    accepts: bool,
    list: u32,
}

/// Finished sibling lists, each different one once; list 0 is the empty one.
#[derive(Default)]
struct SiblingLists {
    /// By list: its edges in `edges`.
    ranges: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    known: HashMap<Box<[Edge]>, u32>,
}

impl SiblingLists {
    fn get(&self, list: u32) -> &[Edge] {
        if list == NO_LIST {
            return &[];
        }
        let (start, end) = self.ranges[list as usize - 1];
        &self.edges[start as usize..end as usize]
    }

    fn intern(&mut self, edges: &[Edge]) -> u32 {
        if edges.is_empty() {
            return NO_LIST;
        }
        if let Some(&list) = self.known.get(edges) {
            return list;
        }
        let start = self.edges.len() as u32;
        self.edges.extend_from_slice(edges);
        self.ranges.push((start, self.edges.len() as u32));
        let list = self.ranges.len() as u32;
        self.known.insert(edges.into(), list);
        list
    }

    /// Numbers the nodes: two pointers to the roots, then the first root's lists (they are read most), then the others.
    fn lay_out(&self, roots: &[u32; 2]) -> Result<Vec<u32>, TooManyNodes> {
        let mut place = vec![0u32; self.ranges.len() + 1];
        let mut order = Vec::with_capacity(self.ranges.len());
        let mut next = 2;
        for &root in roots {
            let mut pending = vec![root];
            while let Some(list) = pending.pop() {
                if list == NO_LIST || place[list as usize] != 0 {
                    continue;
                }
                place[list as usize] = next;
                next += self.get(list).len() as u32;
                order.push(list);
                pending.extend(self.get(list).iter().rev().map(|edge| edge.list));
            }
        }
        if next as usize > MAX_NODES {
            return Err(TooManyNodes { found: next as usize });
        }
        let mut nodes = Vec::with_capacity(next as usize);
        nodes.extend(roots.iter().map(|&root| IS_END | place[root as usize]));
        for list in order {
            let edges = self.get(list);
            for (at, edge) in edges.iter().enumerate() {
                let flags = if edge.accepts { ACCEPTS } else { 0 } | if at + 1 == edges.len() { IS_END } else { 0 };
                nodes.push((edge.tile as u32) << 24 | flags | place[edge.list as usize]);
            }
        }
        Ok(nodes)
    }
}

/// The sibling lists along the word added last: its end may still grow.
struct Unfinished {
    word: Vec<u8>,
    /// By depth: the edges so far. Always one more than letters in `word`.
    open: Vec<Vec<Edge>>,
}

impl Default for Unfinished {
    fn default() -> Unfinished {
        Unfinished { word: Vec::new(), open: vec![Vec::new()] }
    }
}

impl Unfinished {
    /// Adds a word behind all words added before.
    fn add(&mut self, word: &[u8], accepts: bool, lists: &mut SiblingLists) {
        let common = self.word.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.close(common, lists);
        for &tile in &word[common..] {
            let depth = self.word.len();
            self.open[depth].push(Edge { tile, accepts: false, list: NO_LIST });
            self.word.push(tile);
            self.open.push(Vec::new());
        }
        if accepts && let Some(edge) = self.open[word.len() - 1].last_mut() {
            edge.accepts = true;
        }
    }

    /// Adds the switch behind the word added last.
    fn add_switch(&mut self, list: u32) {
        let depth = self.word.len();
        self.open[depth].push(Edge { tile: 0, accepts: false, list });
    }

    fn close(&mut self, depth: usize, lists: &mut SiblingLists) {
        while self.word.len() > depth {
            let list = lists.intern(&self.open.pop().unwrap_or_default());
            self.word.pop();
            if let Some(edge) = self.open.last_mut().and_then(|edges| edges.last_mut()) {
                edge.list = list;
            }
        }
    }

    fn finish(mut self, lists: &mut SiblingLists) -> u32 {
        self.close(0, lists);
        lists.intern(&self.open[0])
    }
}
