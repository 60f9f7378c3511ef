//! Word lists in their compiled forms, and questions about words.
//!
//! Not here: opening files (`host/resources.rs`) and the form of graph files (`formats/kwg.rs`). Start with [`Lexicon`].

pub(crate) mod pattern;
pub(crate) mod word_list;
#[cfg(feature = "cli")]
pub(crate) mod word_study;
pub(crate) mod word_map;
pub(crate) mod anagrams;
pub(crate) mod word_graph;
pub(crate) mod graph_builder;
pub(crate) mod validate;
pub(crate) mod sorted_words;
mod bundle;
pub(crate) mod commonness;

#[cfg(test)]
mod tests;

pub use bundle::{BUILTIN_NAME, Lexicon, NoAnagrams, WordSource};
pub use graph_builder::GraphBuildError;
pub use pattern::{Pattern, PatternError, PatternPart};
pub use sorted_words::{Definitions, SortedWords, WordListError};
pub use word_graph::WordGraph;
pub use word_list::{AnagramUse, Hooks, WordList, WordsFound};
