//! Builds word graphs in KWG layout: a DAWG and a GADDAG. The DAWG reads words forward,
//! the GADDAG from any letter outward.
//!
//! It has letters only as numbers and uses nothing of this crate, because the build script compiles the built-in list
//! with it. Not here: reading a graph (`word_graph.rs`), files (`formats/kwg.rs`). Start with [`build`].
//!
//! Both graphs are minimal: sibling lists are finished from the last word backwards
//! [Daciuk et al. 2000] and equal ones are kept once. The GADDAG is built over the different
//! beginnings of words, each read backwards; after the switch it goes on with the DAWG's own lists,
//! so nothing to the right of an anchor is stored twice. The order of the nodes follows from the
//! words alone: equal words, equal nodes.
//!
//! PERF: a list of 178,691 words has 395,184 beginnings, and nearly all the time goes into the GADDAG's lists: 1,060,955 are looked
//! up, 350,306 kept. Three things make it more than three times as fast as the standard library's maps and a vector per list: its own
//! hash table of numbers, edges that are numbers, and beginnings that are sorted as numbers.

/// The number of nodes that an arc can point to: it has 22 bits.
pub const MAX_NODES: usize = 1 << 22;

/// Bit of a node: a word ends with this letter.
pub const ACCEPTS: u32 = 1 << 23;

/// Bit of a node: the last sibling.
pub const IS_END: u32 = 1 << 22;

/// Letters of the longest word that [`build`] takes.
pub const MAX_WORD: usize = (u128::BITS / LETTER_BITS) as usize;

/// Bits of a letter in [`Beginning::reversed`].
const LETTER_BITS: u32 = 6;

/// Nodes that point to the roots of the two graphs.
const ROOTS: usize = 2;

/// The list without letters.
const NO_LIST: u32 = 0;

/// Why no graph was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphBuildError {
    /// It needs more nodes than the layout has room for.
    TooManyNodes,
    /// The caller stopped it.
    Stopped,
}

impl std::fmt::Display for GraphBuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GraphBuildError::TooManyNodes => write!(f, "the word graph needs more nodes than the {MAX_NODES} of its layout"),
            GraphBuildError::Stopped => f.write_str("building the word graph was stopped"),
        }
    }
}

/// Words after which the caller is asked again whether to go on: less than a millisecond's work.
const WORDS_BETWEEN_LOOKS: usize = 1 << 10;

/// Builds the nodes of both graphs. `words` are sorted and different, each of 1 to [`MAX_WORD`] letter numbers from 1 to 63.
///
/// # Errors
/// More nodes than the layout has room for.
///
/// # Panics
/// A word that is too long.
#[allow(dead_code, reason = "the build script and the tests use it")]
pub fn build(words: &[impl AsRef<[u8]>]) -> Result<Vec<u32>, GraphBuildError> {
    build_until(words, &|| false)
}

/// [`build`] that can be stopped. Finished lists stay, so it fails as soon as they have too many nodes: for words that share little, long
/// before all of them are read.
///
/// # Errors
/// More nodes than the layout has room for, or it was stopped.
///
/// # Panics
/// A word that is too long.
pub fn build_until(words: &[impl AsRef<[u8]>], is_stopped: &dyn Fn() -> bool) -> Result<Vec<u32>, GraphBuildError> {
    let mut lists = SiblingLists::default();
    let dawg_root = build_dawg(words, &mut lists, is_stopped)?;
    let mut beginnings = Beginnings::default();
    beginnings.collect(&lists, dawg_root, 0, 0, is_stopped)?;
    let mut gaddag = Unfinished::default();
    for mut beginnings in beginnings.by_last_letter {
        beginnings.sort_unstable_by_key(|beginning| beginning.reversed);
        for (number, beginning) in beginnings.iter().enumerate() {
            if number.is_multiple_of(WORDS_BETWEEN_LOOKS) && is_stopped() {
                return Err(GraphBuildError::Stopped);
            }
            let (letters, length) = beginning.letters();
            gaddag.add(&letters[..length], beginning.edge.accepts(), &mut lists)?;
            if beginning.edge.list() != NO_LIST {
                gaddag.add_switch(beginning.edge.list());
            }
        }
    }
    let gaddag_root = gaddag.finish(&mut lists)?;
    lists.lay_out(&[dawg_root, gaddag_root])
}

/// Builds the nodes of a DAWG alone; node 1 points nowhere. Here 0 is a letter like the others, and words may have any length.
///
/// # Errors
/// More nodes than the layout has room for.
pub fn build_dawg_only(words: &[impl AsRef<[u8]>]) -> Result<Vec<u32>, GraphBuildError> {
    let mut lists = SiblingLists::default();
    let root = build_dawg(words, &mut lists, &|| false)?;
    lists.lay_out(&[root, NO_LIST])
}

fn build_dawg(words: &[impl AsRef<[u8]>], lists: &mut SiblingLists, is_stopped: &dyn Fn() -> bool) -> Result<u32, GraphBuildError> {
    let mut dawg = Unfinished::default();
    for (number, word) in words.iter().enumerate() {
        if number.is_multiple_of(WORDS_BETWEEN_LOOKS) && is_stopped() {
            return Err(GraphBuildError::Stopped);
        }
        dawg.add(word.as_ref(), true, lists)?;
    }
    dawg.finish(lists)
}

/// A beginning that one or more words have.
struct Beginning {
    /// Its letters, the last one in the highest bits. So these numbers are ordered as the reversed beginnings are.
    reversed: u128,
    /// Its last letter, whether it is a word, and the DAWG's list that follows it.
    edge: Edge,
}

impl Beginning {
    /// The letters, the last one first, and their number.
    fn letters(&self) -> ([u8; MAX_WORD], usize) {
        let (mut letters, mut length, mut rest) = ([0; MAX_WORD], 0, self.reversed);
        while rest != 0 {
            letters[length] = (rest >> (u128::BITS - LETTER_BITS)) as u8;
            rest <<= LETTER_BITS;
            length += 1;
        }
        (letters, length)
    }
}

/// The different beginnings of words.
struct Beginnings {
    /// By their last letter: the order of the GADDAG's words, except among those of one letter. They are sorted one letter at a time, which
    /// takes less memory than all at once, and can be stopped.
    by_last_letter: Vec<Vec<Beginning>>,
    count: usize,
}

impl Default for Beginnings {
    fn default() -> Beginnings {
        Beginnings { by_last_letter: (0..1 << LETTER_BITS).map(|_| Vec::new()).collect(), count: 0 }
    }
}

impl Beginnings {
    /// Walks the DAWG for all of them. `reversed` has the `depth` letters before this list.
    fn collect(
        &mut self,
        lists: &SiblingLists,
        list: u32,
        depth: usize,
        reversed: u128,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), GraphBuildError> {
        assert!(depth < MAX_WORD || list == NO_LIST, "words have at most {MAX_WORD} letters");
        for &edge in lists.get(list) {
            self.count += 1;
            if self.count.is_multiple_of(WORDS_BETWEEN_LOOKS) && is_stopped() {
                return Err(GraphBuildError::Stopped);
            }
            let reversed = reversed >> LETTER_BITS | u128::from(edge.tile()) << (u128::BITS - LETTER_BITS);
            self.by_last_letter[usize::from(edge.tile())].push(Beginning { reversed, edge });
            self.collect(lists, edge.list(), depth + 1, reversed, is_stopped)?;
        }
        Ok(())
    }
}

/// | bits | meaning |
/// |---|---|
/// | 40..33 | letter |
/// | 32 | a word ends with it |
/// | 31..0 | the list after it |
#[derive(Clone, Copy, PartialEq, Eq)]
struct Edge(u64);

impl Edge {
    const ACCEPTS: u64 = 1 << 32;

    fn new(tile: u8, list: u32) -> Edge {
        Edge(u64::from(tile) << 33 | u64::from(list))
    }

    fn tile(self) -> u8 {
        (self.0 >> 33) as u8
    }

    fn accepts(self) -> bool {
        self.0 & Edge::ACCEPTS != 0
    }

    fn list(self) -> u32 {
        self.0 as u32
    }
}

/// Finished sibling lists, each different one once; list 0 is the empty one.
struct SiblingLists {
    /// By list: its edges in `edges`.
    ranges: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    /// A hash table of all lists but the empty one: the hash's upper half, and below it the list. 0 in an empty slot.
    slots: Vec<u64>,
}

impl Default for SiblingLists {
    fn default() -> SiblingLists {
        SiblingLists { ranges: vec![(0, 0)], edges: Vec::new(), slots: vec![0; 1 << 10] }
    }
}

impl SiblingLists {
    fn get(&self, list: u32) -> &[Edge] {
        let (start, end) = self.ranges[list as usize];
        &self.edges[start as usize..end as usize]
    }

    /// The number of a list, which is kept from now on.
    fn intern(&mut self, edges: &[Edge]) -> Result<u32, GraphBuildError> {
        if edges.is_empty() {
            return Ok(NO_LIST);
        }
        if self.ranges.len() * 2 > self.slots.len() {
            self.double();
        }
        let (hash, mask) = (hash(edges), self.slots.len() - 1);
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let list = self.slots[at] as u32;
            if self.slots[at] >> 32 == hash >> 32 && self.get(list) == edges {
                return Ok(list);
            }
            at = (at + 1) & mask;
        }
        // Each list that is kept will be in the graph, after the pointers to the roots.
        if ROOTS + self.edges.len() + edges.len() > MAX_NODES {
            return Err(GraphBuildError::TooManyNodes);
        }
        let (list, start) = (self.ranges.len() as u32, self.edges.len() as u32);
        self.slots[at] = hash >> 32 << 32 | u64::from(list);
        self.edges.extend_from_slice(edges);
        self.ranges.push((start, self.edges.len() as u32));
        Ok(list)
    }

    fn double(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = hash(self.get(slot as u32)) as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }

    /// Numbers the nodes: two pointers to the roots, then the first root's lists (they are read most), then the others.
    fn lay_out(&self, roots: &[u32; ROOTS]) -> Result<Vec<u32>, GraphBuildError> {
        let mut place = vec![0u32; self.ranges.len()];
        let mut order = Vec::with_capacity(self.ranges.len());
        let mut next = ROOTS as u32;
        for &root in roots {
            let mut pending = vec![root];
            while let Some(list) = pending.pop() {
                if list == NO_LIST || place[list as usize] != 0 {
                    continue;
                }
                place[list as usize] = next;
                next += self.get(list).len() as u32;
                order.push(list);
                pending.extend(self.get(list).iter().rev().map(|edge| edge.list()));
            }
        }
        if next as usize > MAX_NODES {
            return Err(GraphBuildError::TooManyNodes);
        }
        let mut nodes = Vec::with_capacity(next as usize);
        nodes.extend(roots.iter().map(|&root| IS_END | place[root as usize]));
        for list in order {
            let edges = self.get(list);
            for (at, edge) in edges.iter().enumerate() {
                let flags = if edge.accepts() { ACCEPTS } else { 0 } | if at + 1 == edges.len() { IS_END } else { 0 };
                nodes.push(u32::from(edge.tile()) << 24 | flags | place[edge.list() as usize]);
            }
        }
        Ok(nodes)
    }
}

/// A hash of a list: equal lists have equal hashes.
fn hash(edges: &[Edge]) -> u64 {
    let hash = edges.iter().fold(0u64, |hash, edge| (hash.rotate_left(5) ^ edge.0).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    hash ^ hash >> 32
}

/// The sibling lists along the word added last: its end may still grow.
struct Unfinished {
    word: Vec<u8>,
    /// By depth: the edges so far. At least one entry more than `word` has letters; the others are empty, and kept for their memory.
    open: Vec<Vec<Edge>>,
}

impl Default for Unfinished {
    fn default() -> Unfinished {
        Unfinished { word: Vec::new(), open: vec![Vec::new()] }
    }
}

impl Unfinished {
    /// Adds a word that comes after all words added before.
    fn add(&mut self, word: &[u8], accepts: bool, lists: &mut SiblingLists) -> Result<(), GraphBuildError> {
        let common = self.word.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.close(common, lists)?;
        for &tile in &word[common..] {
            self.open[self.word.len()].push(Edge::new(tile, NO_LIST));
            self.word.push(tile);
            if self.open.len() == self.word.len() {
                self.open.push(Vec::new());
            }
        }
        if accepts && let Some(edge) = self.open[word.len() - 1].last_mut() {
            edge.0 |= Edge::ACCEPTS;
        }
        Ok(())
    }

    /// Adds the switch after the word added last.
    fn add_switch(&mut self, list: u32) {
        let depth = self.word.len();
        self.open[depth].push(Edge::new(0, list));
    }

    fn close(&mut self, depth: usize, lists: &mut SiblingLists) -> Result<(), GraphBuildError> {
        while self.word.len() > depth {
            let ended = &mut self.open[self.word.len()];
            let list = lists.intern(ended)?;
            ended.clear();
            self.word.pop();
            if let Some(edge) = self.open[self.word.len()].last_mut() {
                edge.0 |= u64::from(list);
            }
        }
        Ok(())
    }

    fn finish(mut self, lists: &mut SiblingLists) -> Result<u32, GraphBuildError> {
        self.close(0, lists)?;
        lists.intern(&self.open[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet, HashMap};

    /// Strings of letters: what can be read from a list on.
    type Language = BTreeSet<Vec<u8>>;

    /// By first letter: whether it can be the last one, and what can follow.
    fn edges(language: &Language) -> BTreeMap<u8, (bool, Language)> {
        let mut edges: BTreeMap<u8, (bool, Language)> = BTreeMap::new();
        for string in language {
            let (accepts, rest) = edges.entry(string[0]).or_default();
            if string.len() == 1 {
                *accepts = true;
            } else {
                rest.insert(string[1..].to_vec());
            }
        }
        edges
    }

    /// The same graph from its definition: a list for each different language, numbered depth first.
    fn twin(words: &[Vec<u8>]) -> Vec<u32> {
        let paths = words.iter().flat_map(|word| {
            (1..=word.len()).map(|from| {
                let (left, right) = word.split_at(from);
                let switch = if right.is_empty() { &[][..] } else { &[0] };
                left.iter().rev().chain(switch).chain(right).copied().collect::<Vec<u8>>()
            })
        });
        let roots: [Language; 2] = [words.iter().cloned().collect(), paths.collect()];
        let (mut places, mut order, mut next) = (HashMap::from([(Language::new(), 0u32)]), Vec::new(), 2);
        for root in &roots {
            let mut pending = vec![root.clone()];
            while let Some(language) = pending.pop() {
                if places.contains_key(&language) {
                    continue;
                }
                let edges = edges(&language);
                places.insert(language, next);
                next += edges.len() as u32;
                pending.extend(edges.values().rev().map(|(_, rest)| rest.clone()));
                order.push(edges);
            }
        }
        let mut nodes: Vec<u32> = roots.iter().map(|root| IS_END | places[root]).collect();
        for edges in order {
            let last = edges.len() - 1;
            nodes.extend(edges.iter().enumerate().map(|(at, (&letter, (accepts, rest)))| {
                let flags = if *accepts { ACCEPTS } else { 0 } | if at == last { IS_END } else { 0 };
                u32::from(letter) << 24 | flags | places[rest]
            }));
        }
        nodes
    }

    fn sorted(words: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
        words.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
    }

    #[test]
    fn a_graph_without_room_is_known_before_all_words_are_read() {
        // Words of twenty letters that look random: they share little more than their beginnings.
        let word = |number: u64| -> Vec<u8> {
            let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (0..20).map(|digit| 1 + (scattered.rotate_left(5 * digit) % 27) as u8).collect()
        };
        let words = sorted((0..600_000).map(word));
        let looks = std::cell::Cell::new(0);
        let count = || {
            looks.set(looks.get() + 1);
            false
        };
        assert_eq!(build_until(&words, &count), Err(GraphBuildError::TooManyNodes));
        assert!(looks.get() < words.len() / WORDS_BETWEEN_LOOKS, "{} looks: known only after the last word", looks.get());
    }

    #[test]
    fn a_graph_is_stopped_wherever_its_making_is() {
        let words = sorted((0..6000u32).map(|number| (0..6).map(|digit| 1 + (number.pow(2) >> (4 * digit) & 15) as u8).collect()));
        let looks = std::cell::Cell::new(0);
        let stops_at = |look: usize| {
            looks.set(0);
            build_until(&words, &|| {
                looks.set(looks.get() + 1);
                looks.get() > look
            })
        };
        assert_eq!(stops_at(usize::MAX), build(&words));
        let all = looks.get();
        assert!(all > words.len() / WORDS_BETWEEN_LOOKS + 10, "{all} looks");
        for look in 0..all {
            assert_eq!(stops_at(look), Err(GraphBuildError::Stopped), "look {look} of {all}");
        }
    }

    #[test]
    fn the_longest_words_and_highest_letters_have_room() {
        let words = sorted([vec![63; MAX_WORD], vec![1; MAX_WORD], vec![1], vec![63, 1]]);
        assert_eq!(build(&words).unwrap(), twin(&words));
    }

    #[test]
    #[should_panic(expected = "words have at most 21 letters")]
    fn longer_words_are_a_bug_of_the_caller() {
        let _ = build(&[vec![1; MAX_WORD + 1]]);
    }

    proptest! {
        #[test]
        fn a_graph_is_the_minimal_one(
            few in prop::collection::vec(prop::collection::vec(1..4u8, 1..8), 1..40),
            many in prop::collection::vec(prop::collection::vec(1..27u8, 1..5), 0..40),
        ) {
            let words = sorted(few.into_iter().chain(many));
            prop_assert_eq!(build(&words).unwrap(), twin(&words));
        }
    }
}
