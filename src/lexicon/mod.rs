//! The word list in its compiled forms.
/// Stand-in until the lexicon layer lands.
#[derive(Debug)]
pub struct Lexicon {}
