//! The engine: matching words, tables and settings, and the questions it answers.
//!
//! Not here: making one (`builder.rs`), the searches (`search/`). Start with [`Engine::best_play`] and [`Engine::search`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::rankings::Rankings;
use crate::engine::resource::{ByteSource, ResourceError, ResourceKind};
use crate::engine::tables::{EvaluatorRequest, TableNames, Tables, is_distribution_name, is_layout_name};
use crate::formats::cgp::{self, CgpError, Opcodes};
use crate::lexicon::{Lexicon, NoAnagrams};
use crate::rules::distribution::TileTextError;
use crate::rules::notation::{self, MoveError};
use crate::rules::scoring::score_placement;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, Position, Rack, Turn, UnsupportedVariant};
use crate::search::endgame::Solution;
use crate::search::report::{Listener, Outcome, Report};
use crate::search::{
    self, Analysis, Belief, BoardLife, EndgameOptions, EvaluatedPlay, InferenceOptions, Knowledge, ObservedTurn, OpponentModel,
    PlaySelection, RequestError, RunSettings, Search, SearchMemory, SearchPosition, SearchRequest, Signals, SimulationOptions,
    SimulationRow, StaticOptions, StopCondition,
};
use std::sync::Arc;
use thiserror::Error;

/// Why a question is not answered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The position is not what the analysis needs.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The position has other letters than the engine's words and tables.
    #[error(
        "the position has the {position} alphabet, but the engine's words and tables are for the {engine} alphabet: \
         they differ from letter {letter} on"
    )]
    OtherAlphabet {
        /// The position's alphabet.
        position: String,
        /// The engine's alphabet.
        engine: String,
        /// The number of the first letter that only one of them has, from 1.
        letter: usize,
    },
    /// A text that is not a position.
    #[error(transparent)]
    Cgp(#[from] CgpError),
    /// A text that names other words, letters or another board than the engine has.
    #[error("the position is for the {kind} {found} ({opcode}), but the engine has {expected}")]
    OtherData {
        /// The opcode.
        opcode: &'static str,
        /// What it names.
        kind: ResourceKind,
        /// The name.
        found: String,
        /// The name of the engine's own.
        expected: String,
    },
    /// The question cannot be asked about this variant.
    #[error(transparent)]
    Variant(#[from] UnsupportedVariant),
    /// The position's variant accepts words in any order of letters, which the engine's lexicon does not support.
    #[error(transparent)]
    NoAnagrams(#[from] NoAnagrams),
}

/// A play that the rules allow, with the words that it forms.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckedPlay {
    /// Its points.
    pub score: i32,
    /// The main word first, then the cross words; none for an exchange or a pass.
    pub words: Vec<CheckedWord>,
}

/// A word that a play forms.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckedWord {
    /// Its letters, blanks as the letters they stand for.
    pub text: String,
    /// Its points.
    pub score: i32,
    /// Whether it is a word of the engine's lexicon, by the rule of the position's variant.
    pub is_valid: bool,
}

impl CheckedPlay {
    /// Whether all its words are valid.
    pub fn is_valid(&self) -> bool {
        self.words.iter().all(|word| word.is_valid)
    }
}

/// A crossword-game engine. It reads no files and no clock. A clone shares its words and tables, and the memory of its
/// searches, which consecutive searches reuse.
///
/// It answers questions about positions whose letters are those of its own rules, in the same order, so that a letter
/// has the same number in the position, the words and the tables. The numbers and values of tiles, the board, and the
/// numbers in the rules may differ. For a position with other letters, the answer is [`EngineError::OtherAlphabet`]:
/// build an engine whose [rules](crate::engine::EngineBuilder::rules) have these letters.
///
/// ```
/// use tilewright::engine::Engine;
///
/// let engine = Engine::builtin();
/// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
/// let best = engine.best_play(&position)?;
/// assert_eq!(engine.play_text(&best.play, &position), "8B.ANESTRI");
/// assert_eq!(best.score, 66);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    rules: Arc<GameRules>,
    knowledge: Knowledge,
    settings: RunSettings,
    memory: Arc<SearchMemory>,
}

impl Engine {
    /// Creates an engine from these parts, which must belong together.
    pub(crate) fn of_parts(rules: Arc<GameRules>, knowledge: Knowledge, settings: RunSettings) -> Engine {
        Engine { rules, knowledge, settings, memory: Arc::default() }
    }

    /// Returns the same engine with the search memory of other engines, which search before or after it.
    #[must_use]
    pub(crate) fn with_memory(self, memory: Arc<SearchMemory>) -> Engine {
        Engine { memory, ..self }
    }

    /// The rules of the games that it starts.
    pub fn rules(&self) -> &Arc<GameRules> {
        &self.rules
    }

    /// Its words.
    pub fn lexicon(&self) -> &Lexicon {
        &self.knowledge.lexicon
    }

    /// Words and tables.
    pub(crate) fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Threads, seed and memory of its searches.
    pub fn settings(&self) -> RunSettings {
        self.settings
    }

    /// Returns the same engine with other threads, another seed or other memory.
    #[must_use]
    pub fn with_settings(&self, settings: RunSettings) -> Engine {
        Engine { settings, ..self.clone() }
    }

    /// Returns an engine for games by other rules with the same letters: another board, other numbers, another variant.
    /// It shares words, tables and memory with this engine.
    ///
    /// ```
    /// use tilewright::prelude::*;
    /// use tilewright::rules::Variant;
    ///
    /// let engine = Engine::builtin();
    /// let wordsmog = engine.with_rules(engine.rules().to_builder().variant(Variant::Wordsmog).build()?)?;
    /// assert!(wordsmog.is_word("tca")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the rules have other letters than the engine, or a variant that its words do not support.
    pub fn with_rules(&self, rules: GameRules) -> Result<Engine, EngineError> {
        let knowledge = self.knowledge_for(&rules)?;
        Ok(Engine { rules: Arc::new(rules), knowledge, ..self.clone() })
    }

    /// Returns an engine with the same words and rules and with other tables, such as those that a player's text names
    /// ([`crate::players::PlayerSpec::tables`]). Names that are not built in are looked up in the source. The new
    /// engine has its own memory.
    ///
    /// ```
    /// use tilewright::engine::{Engine, NoFiles, TableNames};
    ///
    /// let engine = Engine::builtin();
    /// let greedy = engine.with_tables(TableNames { leaves: "none".to_string(), ..TableNames::default() }, &NoFiles)?;
    /// assert!(std::ptr::eq(greedy.lexicon(), engine.lexicon()));
    /// # Ok::<(), tilewright::engine::ResourceError>(())
    /// ```
    ///
    /// # Errors
    /// If a table is not found (with the places searched) or is invalid (with the reason).
    pub fn with_tables(&self, tables: TableNames, source: &dyn ByteSource) -> Result<Engine, ResourceError> {
        let (distribution, lexicon) = (Arc::clone(&self.rules.distribution), Arc::clone(&self.knowledge.lexicon));
        let evaluator = Tables::of(source).evaluator(&EvaluatorRequest { tables, distribution, lexicon: Arc::clone(&lexicon) })?;
        Ok(Engine::of_parts(Arc::clone(&self.rules), Knowledge { lexicon, evaluator: Arc::new(evaluator) }, self.settings))
    }

    /// Returns the position before the first turn of a game.
    pub fn new_game(&self) -> Position {
        Position::start(Arc::clone(&self.rules))
    }

    /// Reads a position in CGP: `<board> <racks> <scores> <zero turns> [opcode operands;]...`.
    ///
    /// Opcodes change the rules (`bb etl mcnz var cr`). If `lex`, `ld` or `bdn` are present, they must name the
    /// engine's own words, letters and board, in either case. To read a position for other data anyway, use
    /// [`cgp::parse`](crate::formats::cgp::parse()) with the engine's rules.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    ///
    /// let engine = Engine::builtin();
    /// let text = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
    /// assert!(engine.position(&format!("{text} lex enable; ld english;")).is_ok());
    /// let error = engine.position(&format!("{text} lex NWL20;")).unwrap_err();
    /// assert_eq!(error.to_string(), "the position is for the lexicon NWL20 (lex), but the engine has ENABLE");
    /// ```
    ///
    /// # Errors
    /// If the text is not a position (with the column, the text found there, and what was expected), or if it names
    /// other words, letters or another board than the engine has.
    pub fn position(&self, cgp: &str) -> Result<Position, EngineError> {
        let (opcodes, _) = cgp::parse_opcodes(cgp)?;
        self.require_own_data(&opcodes)?;
        Ok(cgp::parse(cgp, &self.rules)?.position)
    }

    /// Refuses names of other data than the engine has.
    fn require_own_data(&self, opcodes: &Opcodes) -> Result<(), EngineError> {
        let (distribution, layout, lexicon) = (&self.rules.distribution, &self.rules.layout, self.lexicon().name());
        let require = |opcode, kind, given: &Option<String>, own: &str, is_own: &dyn Fn(&str) -> bool| match given {
            Some(found) if !is_own(found) => {
                let (found, expected) = (found.clone(), own.to_string());
                Err(EngineError::OtherData { opcode, kind, found, expected })
            }
            _ => Ok(()),
        };
        let is_alphabet = |name: &str| is_distribution_name(name, distribution);
        require("ld", ResourceKind::LetterDistribution, &opcodes.letter_distribution, distribution.name(), &is_alphabet)?;
        require("bdn", ResourceKind::Layout, &opcodes.board_name, layout.name(), &|name| is_layout_name(name, layout))?;
        require("lex", ResourceKind::Lexicon, &opcodes.lexicon, lexicon, &|name| name.eq_ignore_ascii_case(lexicon))
    }

    /// Returns a position as CGP, from the point of view of the player on turn, with the opcodes of its rules and the
    /// engine's lexicon. [`Engine::position`] reads it back.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0 bb 35;")?;
    /// assert_eq!(engine.position(&engine.cgp(&position))?, position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cgp(&self, position: &Position) -> String {
        let opcodes = Opcodes { lexicon: Some(self.lexicon().name().to_string()), ..Opcodes::of_rules(position.rules()) };
        cgp::print(position, &opcodes)
    }

    /// Reads a play of the player on turn: `8D.WORD`, `ex.ABC`, `pass`. Other parts of a move, such as the rack or the
    /// points of a challenge, are read and ignored.
    ///
    /// # Errors
    /// If the text is invalid (with the column and what is wrong there), or the play is not possible (with the reason).
    pub fn parse_play(&self, text: &str, position: &Position) -> Result<Turn, MoveError> {
        notation::parse_move(text, position).map(|read| read.turn)
    }

    /// Returns a play as text: `8D.WORD`, with through-letters written as they lie and blanks in lower case.
    pub fn play_text(&self, play: &Play, position: &Position) -> String {
        notation::play_text(play, position.board(), &position.rules().distribution)
    }

    /// Whether letters are a word of the lexicon, in either case.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    ///
    /// let engine = Engine::builtin();
    /// assert_eq!((engine.is_word("qi")?, engine.is_word("catt")?), (true, false));
    /// assert_eq!(engine.is_word("c4t").unwrap_err().to_string(), "column 2: \"4\" is not a tile of the english alphabet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text has something that is not a letter, with the first such column.
    pub fn is_word(&self, text: &str) -> Result<bool, TileTextError> {
        Ok(self.lexicon().contains(&self.rules.distribution.parse_word(text)?))
    }

    /// The value of keeping these tiles, by the engine's leave values. These are the values in its static equity,
    /// without the terms for the opening and the end of the bag.
    ///
    /// ```
    /// use tilewright::prelude::*;
    ///
    /// let engine = Engine::builtin();
    /// let value = |tiles: &str| Rack::parse(tiles, &engine.rules().distribution).map(|leave| engine.leave_value(&leave));
    /// assert!(value("?")? > value("S")? && value("S")? > value("UVW")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave_value(&self, leave: &Rack) -> Millipoints {
        self.knowledge.evaluator.leaves.value(leave)
    }

    /// Scores a play and looks up its words. [`Engine::parse_play`] checks only the rules, so that invalid words can be
    /// played.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    /// use tilewright::rules::Turn;
    ///
    /// let engine = Engine::builtin();
    /// let start = engine.new_game();
    /// let Turn::Play(play) = engine.parse_play("8G.CATT", &start)? else { panic!("a play that stands") };
    /// let checked = engine.check_play(&play, &start)?;
    /// assert_eq!((checked.score, checked.words[0].text.as_str(), checked.is_valid()), (12, "CATT", false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the rules forbid the play, or the engine has no words for the position.
    pub fn check_play(&self, play: &Play, position: &Position) -> Result<CheckedPlay, EngineError> {
        let (rules, lexicon) = (position.rules(), self.knowledge_for(position.rules())?.lexicon);
        let impossible = |error| RequestError::Play { number: 1, error };
        position.after(&Turn::Play(*play)).map_err(impossible)?;
        let Play::Place(placement) = play else { return Ok(CheckedPlay { score: 0, words: Vec::new() }) };
        let scored = score_placement(rules, position.board(), placement).map_err(|error| impossible(error.into()))?;
        let words = scored.words.iter().map(|word| {
            let letters = word.letters();
            CheckedWord { text: rules.distribution.word_text(&letters), score: word.score, is_valid: lexicon.contains(&letters) }
        });
        Ok(CheckedPlay { score: scored.score, words: words.collect() })
    }

    /// Returns whether any rack has a play on the board of a position, now or later.
    ///
    /// # Errors
    /// If the position has other letters than the engine, or a variant in which words are not spelled as in the
    /// lexicon.
    pub fn board_life(&self, position: &Position) -> Result<BoardLife, EngineError> {
        Ok(BoardLife::of(position, &self.knowledge_for(position.rules())?.lexicon)?)
    }

    /// The best plays by static equity (score, leave, and the terms of the opening and the end of the bag), best first.
    ///
    /// # Errors
    /// If the game is over, or the rack of the player on turn is unknown.
    pub fn static_ranking(&self, position: &Position, rows: usize) -> Result<Vec<EvaluatedPlay>, EngineError> {
        let outcome = self.answer(position, StaticOptions { plays: PlaySelection::best(rows) })?;
        Ok(outcome.last.map_or_else(Vec::new, |report| report.rows))
    }

    /// The best play by static equity, found in well under a millisecond. It is a pass if nothing else is possible.
    ///
    /// # Errors
    /// As [`Engine::static_ranking`].
    pub fn best_play(&self, position: &Position) -> Result<EvaluatedPlay, EngineError> {
        let first = self.static_ranking(position, 1)?.into_iter().next();
        first.ok_or(EngineError::Request(RequestError::GameOver))
    }

    /// The search that fits the position's phase: an endgame with an empty bag, a pre-endgame with one to four tiles in
    /// the bag, or a simulation with more. Its options are the defaults, without a limit.
    ///
    /// # Errors
    /// If the game is over.
    pub fn phase_analysis(&self, position: &Position) -> Result<Analysis, EngineError> {
        Ok(Analysis::of(SearchPosition::new(position.clone())?.phase_search()))
    }

    /// Simulates and returns the ranking at the end, best first, with chances of winning from 0 to 1. Without a limit
    /// in the options, the simulation ends when it is 99 % sure of its first play. [`Engine::search`] also streams the
    /// rankings on the way.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    /// use tilewright::search::SimulationOptions;
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0")?;
    /// let rows = engine.simulate(&position, SimulationOptions { iterations: Some(50), ..SimulationOptions::default() })?;
    /// println!("{} wins {:.1} %", engine.play_text(&rows[0].ranked.play, &position), 100.0 * rows[0].win);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game is over, or the rack of the player on turn is unknown.
    pub fn simulate(&self, position: &Position, options: SimulationOptions) -> Result<Vec<SimulationRow>, EngineError> {
        let is_limited = options.iterations.is_some() || options.nodes.is_some() || options.stop_condition.is_some();
        let stop_condition = if is_limited { options.stop_condition } else { Some(StopCondition::Percent99) };
        let outcome = self.answer(position, SimulationOptions { stop_condition, ..options })?;
        Ok(outcome.last.map_or_else(Vec::new, |report| report.rows))
    }

    /// Begins a search on a thread of its own and returns its rankings, which improve while it runs. The type of the
    /// options determines the kind of search and of its rankings ([`Search`]); [`Analysis`] is for kinds that are
    /// chosen at run time.
    ///
    /// Without a limit in its options a simulation goes on until it is stopped: by a [`StopHandle`](crate::engine::StopHandle), after a
    /// time ([`Rankings::stop_after`]), or when the rankings are dropped.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    /// use tilewright::search::SimulationOptions;
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
    /// let options = SimulationOptions { iterations: Some(100), ..SimulationOptions::default() };
    /// for report in engine.search(&position, options)? {
    ///     let best = &report.rows[0];
    ///     println!("{} wins {:.1} %", engine.play_text(&best.ranked.play, &position), 100.0 * best.win);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the position lacks something that the search needs, or an option is out of range.
    pub fn search<S: Search>(&self, position: &Position, search: S) -> Result<Rankings<S>, EngineError> {
        let request = self.request(position, search.analysis())?;
        Ok(Rankings::start(self.knowledge_for(position.rules())?, Arc::clone(&self.memory), request))
    }

    /// Searches on the calling thread and returns the result at the end.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn answer<S: Search>(&self, position: &Position, search: S) -> Result<Outcome<S::Report>, EngineError> {
        self.search_with(position, search, &Signals::default(), &mut |_: Report| {})
    }

    /// Searches on the calling thread and passes every report to `listener`. Another thread may use `signals` to end
    /// the search, or to ask for a report.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn search_with<S: Search>(
        &self,
        position: &Position,
        search: S,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Result<Outcome<S::Report>, EngineError> {
        Ok(self.run(&self.request(position, search.analysis())?, signals, listener)?.of::<S>())
    }

    /// Solves an endgame: returns the proved value, and the line that leads to it.
    ///
    /// # Errors
    /// If there are tiles in the bag, a rack is unknown, or the game is over.
    pub fn solve(&self, position: &Position) -> Result<Solution, EngineError> {
        self.answer(position, EndgameOptions::default())?.last.ok_or(EngineError::Request(RequestError::GameOver))
    }

    /// Infers what the opponent may have kept on the last of these turns, by a model of how they choose their plays.
    /// The rack of the player on turn need not be known.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    /// use tilewright::search::{ObservedTurn, OpponentModel};
    ///
    /// let engine = Engine::builtin();
    /// let before = engine.new_game();
    /// let turn = engine.parse_play("8D.IMINO", &before)?;
    /// let position = before.after(&turn)?;
    /// let belief = engine.infer(&position, vec![ObservedTurn::new(before, turn)?], OpponentModel::Static)?;
    /// let likeliest = &belief.leaves[0];
    /// println!("{} {:.1} %", likeliest.leave.text(&engine.rules().distribution), 100.0 * likeliest.chance);
    /// assert!(likeliest.chance > likeliest.prior);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the game is over, no turn is given, or the last one does not lead to the position.
    pub fn infer(&self, position: &Position, turns: Vec<ObservedTurn>, model: OpponentModel) -> Result<Arc<Belief>, EngineError> {
        self.answer(position, InferenceOptions::new(model, turns))?.last.ok_or(EngineError::Request(RequestError::NothingToInfer))
    }

    /// Creates a request that can be carried out.
    ///
    /// # Errors
    /// If the position lacks something that the analysis needs.
    pub fn request(&self, position: &Position, analysis: Analysis) -> Result<SearchRequest, EngineError> {
        self.knowledge_for(position.rules())?;
        Ok(SearchRequest::new(SearchPosition::new(position.clone())?, analysis, self.settings)?)
    }

    /// Returns the words as these rules read them, with the tables.
    ///
    /// # Errors
    /// If the rules have other letters than the engine, or a variant that its words do not support.
    pub(crate) fn knowledge_for(&self, rules: &GameRules) -> Result<Knowledge, EngineError> {
        let (own, others) = (&self.rules.distribution, &rules.distribution);
        if let Some(letter) = own.first_difference(others) {
            let (position, engine) = (others.name().to_string(), own.name().to_string());
            return Err(EngineError::OtherAlphabet { position, engine, letter });
        }
        let lexicon = self.knowledge.lexicon.by_rule(rules.variant.words())?;
        Ok(Knowledge { lexicon, evaluator: Arc::clone(&self.knowledge.evaluator) })
    }

    /// Carries out a request on the calling thread. An engine may carry out the request of another one, with its own
    /// words and tables.
    ///
    /// # Errors
    /// If the request's position has other letters than this engine, or a variant that its words do not support.
    pub fn run(&self, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Result<Outcome, EngineError> {
        let knowledge = self.knowledge_for(request.position().rules())?;
        Ok(search::run_in(&self.memory, &knowledge, request, signals, listener))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::formats::letter_distribution;
    use crate::players::PlayerTurn;
    use crate::rules::{Countdown, Layout, LetterDistribution};
    use crate::search::OpponentTiles;

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn rules_of(letters: LetterDistribution) -> GameRules {
        GameRules::builder(letters, Layout::standard()).build().unwrap()
    }

    /// A position with the built-in letters of this name.
    fn position_of(letters: &str, racks: &str) -> Position {
        let rules = rules_of(LetterDistribution::built_in(letters).unwrap());
        cgp::parse(&format!("{EMPTY} {racks} 0/0 0"), &rules).unwrap().position
    }

    fn other_letters(letters: &str, letter: usize) -> EngineError {
        EngineError::OtherAlphabet { position: letters.to_string(), engine: "english".to_string(), letter }
    }

    #[test]
    fn a_position_of_other_letters_is_refused_by_every_question() {
        let engine = plain_engine();
        for (letters, letter) in [("german", 2), ("polish", 2), ("spanish", 4), ("catalan", 4), ("swedish", 26)] {
            let refused = other_letters(letters, letter);
            let before = position_of(letters, "AEINRST/");
            let tiles = Rack::parse("AE", &before.rules().distribution).unwrap();
            let turn = Turn::Play(Play::Exchange(tiles));
            let position = before.after(&turn).unwrap();
            let observed = ObservedTurn::new(before.clone(), turn).unwrap();
            assert_eq!(engine.best_play(&before).unwrap_err(), refused);
            assert_eq!(engine.simulate(&before, SimulationOptions::default()).unwrap_err(), refused);
            assert_eq!(engine.solve(&before).unwrap_err(), refused);
            assert_eq!(engine.search(&before, StaticOptions::default()).unwrap_err(), refused);
            assert_eq!(engine.infer(&position, vec![observed], OpponentModel::Static).unwrap_err(), refused);
            let asked = PlayerTurn::new("static".parse().unwrap(), SearchPosition::new(before).unwrap(), 1).unwrap();
            assert_eq!(asked.play(engine, &Signals::default()).unwrap_err(), refused);
        }
        let text = "the position has the german alphabet, but the engine's words and tables are for the english alphabet: \
                    they differ from letter 2 on";
        assert_eq!(other_letters("german", 2).to_string(), text);
    }

    #[test]
    fn a_play_is_checked_by_the_rule_of_the_variant() {
        let check = |opcodes: &str, text: &str| {
            let position =
                plain_engine().position(&format!("15/15/15/15/15/15/15/7CAT5/15/15/15/15/15/15/15 AEINRST/ 0/0 0 {opcodes}")).unwrap();
            let Ok(Turn::Play(play)) = plain_engine().parse_play(text, &position) else { panic!("{text}") };
            let checked = plain_engine().check_play(&play, &position).unwrap();
            let words: Vec<String> = checked.words.iter().map(|word| format!("{} {} {}", word.text, word.score, word.is_valid)).collect();
            (checked.score, words.join(", "), checked.is_valid())
        };
        assert_eq!(check("", "K8.SEAT"), (14, "SEAT 8 true, CATS 6 true".to_string(), true));
        assert_eq!(check("", "K8.IN"), (8, "IN 2 true, CATI 6 false".to_string(), false));
        // The letters make the word TACT in another order.
        assert_eq!(check("", "K8.TI"), (8, "TI 2 true, CATT 6 false".to_string(), false));
        assert_eq!(check("var wordsmog;", "K8.TI"), (8, "TI 2 true, CATT 6 true".to_string(), true));
        assert_eq!(check("", "ex.AE"), (0, String::new(), true));
        let (start, german) = (plain_engine().new_game(), position_of("german", "/"));
        let refused = plain_engine().check_play(&Play::Exchange(Rack::EMPTY), &start).unwrap_err();
        assert!(refused.to_string().starts_with("play 1 of the request: an exchange needs at least one tile"), "{refused}");
        assert_eq!(plain_engine().check_play(&Play::Pass, &german).unwrap_err(), other_letters("german", 2));
    }

    #[test]
    fn a_position_for_other_data_is_refused_by_name() {
        let read = |opcodes: &str| {
            plain_engine().position(&format!("{EMPTY} AEINRST/ 0/0 0 {opcodes}")).map(|_| ()).map_err(|error| error.to_string())
        };
        for own in ["", "lex ENABLE;", "lex enable; ld ENGLISH; bdn standard;", "bdn CrosswordGame; ld english; var misere;"] {
            assert_eq!(read(own), Ok(()), "{own}");
        }
        let other = |text: &str| Err(text.to_string());
        assert_eq!(read("lex NWL20; var misere;"), other("the position is for the lexicon NWL20 (lex), but the engine has ENABLE"));
        assert_eq!(read("ld spanish;"), other("the position is for the letter distribution spanish (ld), but the engine has english"));
        assert_eq!(read("bdn Super;"), other("the position is for the board layout Super (bdn), but the engine has standard15"));
        assert_eq!(read("bdn mine;"), other("the position is for the board layout mine (bdn), but the engine has standard15"));
        // The mismatch of alphabets is reported before a tile that the engine's letters lack.
        let german = plain_engine().position(&format!("{EMPTY} ÄEINRST/ 0/0 0 ld german;")).unwrap_err();
        assert!(matches!(german, EngineError::OtherData { opcode: "ld", .. }), "{german}");
    }

    #[test]
    fn a_position_that_was_written_is_read_back() {
        let engine = Engine::builder().word_list("my own words", "CAT\nCATS").build().unwrap();
        let position = engine.position(&format!("{EMPTY} ACST/AB 10/-3 2 etl 1; mcnz 4; var misere; cr 5pt; bb 35;")).unwrap();
        let text = engine.cgp(&position);
        assert_eq!(text, format!("{EMPTY} ACST/AB 10/-3 2 bb 35; bdn standard15; cr 5pt; etl 1; ld english; mcnz 4; var misere;"));
        assert_eq!(engine.position(&text).unwrap(), position);
    }

    #[test]
    fn letters_of_another_number_and_value_are_the_same_letters() {
        for letters in ["french", "dutch", "english"] {
            let position = position_of(letters, "AEINRST/");
            let best = plain_engine().best_play(&position).unwrap();
            let Play::Place(placement) = best.play else { panic!("{letters}: {best:?}") };
            assert!(plain_engine().lexicon().contains(&placement.word(position.board())), "{letters}: {best:?}");
        }
    }

    #[test]
    fn a_request_is_carried_out_only_by_an_engine_with_its_letters() {
        let german = Engine::builder().rules(rules_of(LetterDistribution::built_in("german").unwrap())).build().unwrap();
        let position = german.position(&format!("{EMPTY} ÄEINRST/ 0/0 0")).unwrap();
        let request = german.request(&position, Analysis::Static(StaticOptions::default())).unwrap();
        let run = |engine: &Engine| engine.run(&request, &Signals::default(), &mut |_: Report| {}).map(|outcome| outcome.best.is_some());
        assert_eq!(run(&german), Ok(true), "English words have no Ä, but can be laid with German letters");
        assert_eq!(run(plain_engine()), Err(other_letters("german", 2)));
    }

    #[test]
    fn a_belief_about_other_letters_is_refused() {
        let german = Engine::builder().rules(rules_of(LetterDistribution::built_in("german").unwrap())).build().unwrap();
        let before = german.new_game();
        let turn = german.parse_play("8D.TÜR", &before).unwrap_err().to_string();
        assert!(turn.contains("the first play must cover 8H"), "{turn}");
        let turn = german.parse_play("8F.TÜR", &before).unwrap();
        let after = before.after(&turn).unwrap();
        let belief = german.infer(&after, vec![ObservedTurn::new(before, turn).unwrap()], OpponentModel::Uniform).unwrap();
        let english = plain_engine().position(&format!("{EMPTY} AEINRST/ 0/0 0")).unwrap();
        let options = SimulationOptions { opponent_tiles: OpponentTiles::Believed(belief), ..SimulationOptions::default() };
        let refused = plain_engine().simulate(&english, options).unwrap_err();
        assert_eq!(refused, EngineError::Request(RequestError::OtherBelief));
    }

    #[test]
    fn plays_with_letters_that_the_position_lacks_are_written_and_refused() {
        let swedish = position_of("swedish", "ÄEINRST/");
        let turn = plain_engine().parse_play("8F.TÄR", &swedish).unwrap();
        let english = plain_engine().position(&format!("{EMPTY} AEINRST/ 0/0 0")).unwrap();
        let Turn::Play(play) = turn else { panic!("{turn:?}") };
        assert_eq!(plain_engine().play_text(&play, &english), "8F.T[#29]R");
        assert_eq!(english.after(&turn).unwrap_err().to_string(), "the tile for 8G is not in the english alphabet");
        let exchange = Turn::Play(Play::Exchange(*swedish.mover_rack()));
        assert_eq!(english.after(&exchange).unwrap_err().to_string(), "there is no [#29] for this play: it is not on the rack");
        let board = swedish.after(&turn).unwrap().board().clone();
        let placed = Position::of_parts(Arc::clone(english.rules()), board, [Rack::EMPTY; 2], [0; 2], Countdown::default()).unwrap_err();
        assert_eq!(placed.to_string(), "there is no [#29] for this play: the board holds more of it than the game has");
    }

    #[test]
    fn the_built_in_words_are_not_read_by_the_numbers_of_other_letters() {
        let lines = ('А'..='Я').zip('а'..='я').map(|(face, blank)| format!("{face},{blank},3,1,0\n"));
        let cyrillic = letter_distribution::parse("cyrillic", &format!("?,?,2,0,0\n{}", lines.collect::<String>())).unwrap();
        assert_eq!(cyrillic.letter_count(), 32, "more than English has");
        let error = Engine::builder().rules(rules_of(cyrillic)).build().unwrap_err();
        assert_eq!(error.to_string(), "the lexicon ENABLE has letters that the cyrillic alphabet lacks");
    }
}
