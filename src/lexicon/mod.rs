//! The word list in its compiled forms.

pub mod graph_builder;
pub mod word_graph;

use word_graph::WordGraph;

static ENABLE_KWG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.kwg"));

/// A word list with its word graph.
#[derive(Debug)]
pub struct Lexicon {
    name: String,
    graph: WordGraph,
}

impl Lexicon {
    /// ENABLE, as compiled into the program.
    pub fn builtin() -> Lexicon {
        let nodes = ENABLE_KWG.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect();
        Lexicon { name: "ENABLE".to_string(), graph: WordGraph::from_trusted_nodes(nodes) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its word graph.
    pub fn graph(&self) -> &WordGraph {
        &self.graph
    }
}
