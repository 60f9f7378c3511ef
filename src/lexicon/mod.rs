//! Words: a list in its compiled forms, and questions about them.
//!
//! | file | what it holds |
//! |---|---|
//! | `pattern.rs` | patterns of words, `Q?I*` |
//! | `word_list.rs` | the list as a sorted set: membership, patterns, anagrams, hooks |
//! | `word_map.rs` | words by the multiset of their letters, for the search of best plays |
//! | `anagrams.rs` | words whose letters may stand in any order |
//! | `word_graph.rs` | the graph that generation walks |
//! | `graph_builder.rs` | making such a graph; also compiled into the build script |
//! | `validate.rs` | checking a graph that another program made |
//! | `definitions.rs` | what a list says of its words |
//! | `sorted_words.rs` | the words of a text, from which a graph is made |
//! | `bundle.rs` | [`Lexicon`]: a list with all its forms |
//!
//! Not here: opening files (`host/resources.rs`) and the form of graph files (`formats/kwg.rs`). Start with [`Lexicon`].

pub(crate) mod pattern;
pub(crate) mod word_list;
pub(crate) mod word_map;
pub(crate) mod anagrams;
pub(crate) mod word_graph;
pub(crate) mod graph_builder;
pub(crate) mod validate;
pub(crate) mod definitions;
pub(crate) mod sorted_words;
mod bundle;

#[cfg(test)]
mod tests;

pub use bundle::{BUILTIN_NAME, Lexicon, NoAnagrams, WordSource};
pub use definitions::Definitions;
pub use graph_builder::GraphBuildError;
pub use pattern::{Pattern, PatternError, PatternPart};
pub use sorted_words::{SortedWords, WordListError};
pub use word_graph::WordGraph;
pub use word_list::{AnagramUse, Hooks, WordList, WordsFound};
