//! What a search knows beside the position: words, and what tiles and leads are worth.

use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use std::sync::Arc;

/// Words and tables. A clone shares them.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The words.
    pub lexicon: Arc<Lexicon>,
    /// Leave values and win % model.
    pub evaluator: Arc<Evaluator>,
}
