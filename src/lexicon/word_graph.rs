//! The compiled word graph that generation walks: DAWG and GADDAG in one array of nodes (KWG layout).
//!
//! | bits of a node | meaning |
//! |---|---|
//! | 31..24 | letter number; 0 = the switch of the GADDAG: from reading leftward to reading rightward |
//! | 23 | a word ends with this letter |
//! | 22 | last of its siblings |
//! | 21..0 | first child's index, 0 = none |
//!
//! Siblings are consecutive, letters rising. Node 0 points to the DAWG's first list,
//! node 1 to the GADDAG's. CARE is stored in the GADDAG as ERAC, RAC@E, AC@RE, C@ARE:
//! after the switch it goes on in the DAWG. The GADDAG: [Gordon 1994]; the layout: \[KWG\].
//!
//! Not here: making a graph (`graph_builder.rs`), checking one from elsewhere (`validate.rs`), files (`formats/kwg.rs`).

use crate::lexicon::anagrams::Anagrams;
use crate::rules::variant::WordRule;
use crate::rules::{Letter, LetterSet};
use std::sync::Arc;

/// The index of the first node of a sibling list, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// No list.
    pub const NONE: NodeIndex = NodeIndex(0);

    /// Whether there is no list.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// A later node of the same list, 0 for the first one.
    #[inline]
    #[must_use]
    pub const fn sibling(self, at: u32) -> NodeIndex {
        NodeIndex(self.0 + at)
    }

    /// As an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node, see the module's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node(u32);

impl Node {
    const ACCEPTS: u32 = 1 << 23;
    const IS_END: u32 = 1 << 22;
    const ARC: u32 = Node::IS_END - 1;

    /// A node from its bits.
    pub const fn from_bits(bits: u32) -> Node {
        Node(bits)
    }

    /// Letter number, or 0 for the switch.
    #[inline]
    pub const fn tile(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Whether a word ends here.
    #[inline]
    pub const fn accepts(self) -> bool {
        self.0 & Node::ACCEPTS != 0
    }

    /// Whether it is the last of its siblings.
    #[inline]
    pub const fn is_end(self) -> bool {
        self.0 & Node::IS_END != 0
    }

    /// The list that follows it.
    #[inline]
    pub const fn arc(self) -> NodeIndex {
        NodeIndex(self.0 & Node::ARC)
    }
}

/// The place in the word graph that reading letters has led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The letters that may follow.
    pub list: NodeIndex,
    /// Whether what was read is a word, or in the GADDAG a word's path.
    pub accepts: bool,
}

/// The numbers of letters.
pub(super) fn numbers(letters: &[Letter]) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator + Clone {
    letters.iter().map(|letter| letter.number())
}

/// A word graph whose nodes can be trusted, with the rule whether letters must be in the order in which it has them.
#[derive(Clone)]
pub struct WordGraph {
    nodes: Box<[u32]>,
    /// The words in any order, if that is the rule: look-ups must ask for them first.
    anagrams: Option<Arc<Anagrams>>,
}

impl PartialEq for WordGraph {
    fn eq(&self, other: &WordGraph) -> bool {
        self.nodes == other.nodes && self.word_rule() == other.word_rule()
    }
}

impl Eq for WordGraph {}

impl WordGraph {
    /// A graph from nodes of our own making, or checked ones (`validate.rs`).
    pub(crate) fn from_trusted_nodes(nodes: Vec<u32>) -> WordGraph {
        WordGraph { nodes: nodes.into_boxed_slice(), anagrams: None }
    }

    /// The same words with their letters in any order.
    pub(super) fn in_any_order(&self, anagrams: Anagrams) -> WordGraph {
        WordGraph { nodes: self.nodes.clone(), anagrams: Some(Arc::new(anagrams)) }
    }

    /// The same words, spelled as in the list.
    pub(super) fn in_order(&self) -> WordGraph {
        WordGraph { nodes: self.nodes.clone(), anagrams: None }
    }

    /// What makes letters a word.
    pub fn word_rule(&self) -> WordRule {
        if self.anagrams.is_some() { WordRule::AnyOrder } else { WordRule::InOrder }
    }

    /// The words in any order; `None` where they must be spelled as in the list.
    #[inline]
    pub fn anagrams(&self) -> Option<&Anagrams> {
        self.anagrams.as_deref()
    }

    /// The nodes' bits.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The DAWG's first list: the first letters of words.
    #[inline]
    pub fn dawg_root(&self) -> NodeIndex {
        Node(self.nodes[0]).arc()
    }

    /// The GADDAG's first list: all letters, from which words are read leftward.
    #[inline]
    pub fn gaddag_root(&self) -> NodeIndex {
        Node(self.nodes[1]).arc()
    }

    /// The node at an index.
    #[inline]
    pub fn node(&self, index: NodeIndex) -> Node {
        Node(self.nodes[index.0 as usize])
    }

    /// The nodes of a list.
    #[inline]
    pub fn siblings(&self, list: NodeIndex) -> impl Iterator<Item = Node> + '_ {
        // PERF: one check of the bounds per list, not one per node.
        let mut from_here = if list.is_none() { [].iter() } else { self.nodes[list.0 as usize..].iter() };
        let mut is_end = false;
        std::iter::from_fn(move || {
            if is_end {
                return None;
            }
            let node = Node(*from_here.next()?);
            is_end = node.is_end();
            Some(node)
        })
    }

    /// The node of a list with this letter.
    #[inline]
    pub fn find(&self, list: NodeIndex, tile: u8) -> Option<Node> {
        self.siblings(list).find(|node| node.tile() >= tile).filter(|node| node.tile() == tile)
    }

    /// The letters of a list that end a word.
    pub fn letter_set(&self, list: NodeIndex) -> LetterSet {
        self.siblings(list).filter(|node| node.accepts()).fold(LetterSet::EMPTY, |set, node| set.with_number(node.tile()))
    }

    /// Whether this is a word, by the rule for the order of its letters.
    pub fn contains(&self, word: &[Letter]) -> bool {
        word.split_last().is_some_and(|(&last, before)| self.letters_between(numbers(before), numbers(&[])).has(last))
    }

    /// The letters that make a word of the letters `before`, the letter, and the letters `behind`, by the rule for their order.
    pub fn letters_between<I>(&self, before: I, behind: I) -> LetterSet
    where
        I: DoubleEndedIterator<Item = u8> + ExactSizeIterator + Clone,
    {
        if let Some(anagrams) = self.anagrams() {
            let letters: Vec<u8> = before.chain(behind).collect();
            return anagrams.completing(anagrams.hash(&letters), &letters);
        }
        let word_ends = |reached: Option<Reached>| reached.map_or(LetterSet::EMPTY, |reached| self.letter_set(reached.list));
        if behind.len() == 0 {
            return word_ends(self.read(self.dawg_root(), before));
        }
        if before.len() == 0 {
            return word_ends(self.read(self.gaddag_root(), behind.rev()));
        }
        // Read the longer run once, and the shorter one after every letter that continues it.
        let is_forward = before.len() >= behind.len();
        let longer =
            if is_forward { self.read(self.dawg_root(), before.clone()) } else { self.read(self.gaddag_root(), behind.clone().rev()) };
        let mut set = LetterSet::EMPTY;
        for node in longer.into_iter().flat_map(|longer| self.siblings(longer.list)).filter(|node| node.tile() != 0) {
            let shorter = if is_forward { self.read(node.arc(), behind.clone()) } else { self.read(node.arc(), before.clone().rev()) };
            if shorter.is_some_and(|reached| reached.accepts) {
                set = set.with_number(node.tile());
            }
        }
        set
    }

    /// Reads letters from a list on. `None` if the graph has no such path.
    #[inline]
    pub fn read(&self, list: NodeIndex, letters: impl Iterator<Item = u8>) -> Option<Reached> {
        let mut reached = Reached { list, accepts: false };
        for letter in letters {
            let node = self.find(reached.list, letter)?;
            reached = Reached { list: node.arc(), accepts: node.accepts() };
        }
        Some(reached)
    }

    /// Calls back for each word of the list in alphabetical order, as letter numbers.
    pub fn for_each_word(&self, mut visit: impl FnMut(&[u8])) {
        self.visit_words(self.dawg_root(), &mut Vec::new(), &mut visit);
    }

    fn visit_words(&self, list: NodeIndex, word: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
        for node in self.siblings(list) {
            word.push(node.tile());
            if node.accepts() {
                visit(word);
            }
            self.visit_words(node.arc(), word, visit);
            word.pop();
        }
    }
}

impl std::fmt::Debug for WordGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WordGraph of {} nodes", self.nodes.len())
    }
}
