//! The engine: words, tables and settings that belong together, and the questions it answers.
//!
//! Not here: making one (`builder.rs`), the searches (`search/`). Start with [`Engine::best_play`] and [`Engine::analyse`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::rankings::Rankings;
use crate::formats::cgp::{self, CgpError};
use crate::lexicon::{Lexicon, NoAnagrams};
use crate::rules::notation::{self, MoveError};
use crate::rules::{GameRules, Play, Position, Turn};
use crate::search::endgame::Solution;
use crate::search::report::{Listener, Outcome, RankedPlay, Report};
use crate::search::{
    self, Analysis, Belief, EndgameOptions, InferenceOptions, Knowledge, ObservedTurn, OpponentModel, PlaySelection, RequestError,
    RunSettings, SearchMemory, SearchPosition, SearchRequest, Signals, SimulationOptions, SimulationRow, StaticOptions, StopCondition,
};
use std::sync::Arc;
use thiserror::Error;

/// Why a question is not answered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineError {
    /// The position is not what the analysis needs.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The position has another alphabet than the engine's words.
    #[error("the position has the {position} alphabet, the words of {lexicon} are written in another one")]
    OtherAlphabet {
        /// The position's alphabet.
        position: String,
        /// The engine's lexicon.
        lexicon: String,
    },
    /// The position's words may be spelled in any order, which the engine's words cannot.
    #[error(transparent)]
    NoAnagrams(#[from] NoAnagrams),
}

/// A crossword-game engine. It reads no files and no clock. A clone shares its words and tables, and the memory of its searches: those that
/// follow each other use the same.
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
    /// An engine of these parts, which must belong together.
    pub(crate) fn of_parts(rules: Arc<GameRules>, knowledge: Knowledge, settings: RunSettings) -> Engine {
        Engine { rules, knowledge, settings, memory: Arc::default() }
    }

    /// The same engine with the memory of others, which search before or after it.
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

    /// The same engine with other threads, another seed or other memory.
    #[must_use]
    pub fn with_settings(&self, settings: RunSettings) -> Engine {
        Engine { settings, ..self.clone() }
    }

    /// A game before its first turn.
    pub fn new_game(&self) -> Position {
        Position::start(Arc::clone(&self.rules))
    }

    /// Reads a position in CGP: `<board> <racks> <scores> <zero turns> [opcode operands;]...`.
    ///
    /// Opcodes change the rules (`bb etl mcnz var cr`); `lex`, `ld` and `bdn` are not followed: the engine has its own words, letters
    /// and board.
    ///
    /// # Errors
    /// The column, what stands there, and what was expected.
    pub fn position(&self, cgp: &str) -> Result<Position, CgpError> {
        cgp::parse(cgp, &self.rules).map(|read| read.position)
    }

    /// Reads a play of the player on turn: `8D.WORD`, `ex.ABC`, `pass`. What a move may tell besides, the rack and what a challenge brought, is read and
    /// left out.
    ///
    /// # Errors
    /// The column and what is wrong there, or why the play is not possible.
    pub fn parse_play(&self, text: &str, position: &Position) -> Result<Turn, MoveError> {
        notation::parse_move(text, position).map(|read| read.turn)
    }

    /// A play as text: `8D.WORD`, with through-letters written as they lie and blanks in lower case.
    pub fn play_text(&self, play: &Play, position: &Position) -> String {
        notation::play_text(play, position.board(), &position.rules().distribution)
    }

    /// The best plays by static equity (score, leave, and the terms of the opening and the end of the bag), best first.
    ///
    /// # Errors
    /// The game is over, or the rack of the player on turn is unknown.
    pub fn static_ranking(&self, position: &Position, rows: usize) -> Result<Vec<RankedPlay>, EngineError> {
        let analysis = Analysis::Static(StaticOptions { plays: PlaySelection::best(rows) });
        Ok(match self.last_report(position, analysis)? {
            Some(Report::Static { rows }) => rows,
            _ => Vec::new(),
        })
    }

    /// The best play by static equity: in well under a millisecond. A pass where nothing else is possible.
    ///
    /// # Errors
    /// As [`Engine::static_ranking`].
    pub fn best_play(&self, position: &Position) -> Result<RankedPlay, EngineError> {
        let first = self.static_ranking(position, 1)?.into_iter().next();
        first.ok_or(EngineError::Request(RequestError::GameOver))
    }

    /// The search that fits the position's phase: an endgame with an empty bag, a pre-endgame with one to four tiles in the bag, else
    /// a simulation. Its options are the defaults, without a limit.
    ///
    /// # Errors
    /// The game is over.
    pub fn phase_analysis(&self, position: &Position) -> Result<Analysis, EngineError> {
        Ok(Analysis::of(SearchPosition::new(position.clone())?.phase_search()))
    }

    /// Simulates and returns the ranking at the end, best first, with chances of winning from 0 to 1. Without a limit in the options it ends when it is
    /// 99 % sure of its first play; [`Engine::analyse`] streams the rankings on the way.
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
    /// The game is over, or the rack of the player on turn is unknown.
    pub fn simulate(&self, position: &Position, options: SimulationOptions) -> Result<Vec<SimulationRow>, EngineError> {
        let is_limited = options.iterations.is_some() || options.nodes.is_some() || options.stop_condition.is_some();
        let stop_condition = if is_limited { options.stop_condition } else { Some(StopCondition::Percent99) };
        let analysis = Analysis::Simulation(SimulationOptions { stop_condition, ..options });
        Ok(match self.last_report(position, analysis)? {
            Some(Report::Simulation { rows, .. }) => rows,
            _ => Vec::new(),
        })
    }

    /// Begins an analysis on a thread of its own and returns its rankings, which get better while it thinks.
    ///
    /// Without a limit in its options a simulation goes on until it is stopped: by a [`StopHandle`](crate::engine::StopHandle), or when
    /// the rankings are dropped.
    ///
    /// ```
    /// use tilewright::engine::Engine;
    /// use tilewright::search::{Analysis, Report, SimulationOptions};
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
    /// let options = SimulationOptions { iterations: Some(100), ..SimulationOptions::default() };
    /// for report in engine.analyse(&position, Analysis::Simulation(options))? {
    ///     if let Report::Simulation { rows, .. } = report {
    ///         println!("{} wins {:.1} %", engine.play_text(&rows[0].ranked.play, &position), 100.0 * rows[0].win);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The position lacks something that the analysis needs.
    pub fn analyse(&self, position: &Position, analysis: Analysis) -> Result<Rankings, EngineError> {
        let request = self.request(position, analysis)?;
        Ok(Rankings::start(self.knowledge_for(position.rules()), Arc::clone(&self.memory), request))
    }

    /// Carries out an analysis on the calling thread; `listener` hears of every report. Another thread may use `signals` to end it, or
    /// to ask for a report.
    ///
    /// # Errors
    /// The position lacks something that the analysis needs.
    pub fn analyse_with(
        &self,
        position: &Position,
        analysis: Analysis,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Result<Outcome, EngineError> {
        Ok(self.run(&self.request(position, analysis)?, signals, listener))
    }

    /// Solves an endgame: the value, and the line that leads to it, proved.
    ///
    /// # Errors
    /// Tiles in the bag, unknown racks, or the game is over.
    pub fn solve(&self, position: &Position) -> Result<Solution, EngineError> {
        let analysis = Analysis::Endgame(EndgameOptions::default());
        match self.last_report(position, analysis)? {
            Some(Report::Endgame { solution }) => Ok(solution),
            _ => Err(EngineError::Request(RequestError::GameOver)),
        }
    }

    /// What the opponent may have kept on the last of these turns of theirs, by a model of how they choose. The rack of the player on turn need
    /// not be known.
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
    /// The game is over, no turn is given, or the last one does not lead to the position.
    pub fn infer(&self, position: &Position, turns: Vec<ObservedTurn>, model: OpponentModel) -> Result<Arc<Belief>, EngineError> {
        let analysis = Analysis::Inference(InferenceOptions::new(model, turns));
        match self.last_report(position, analysis)? {
            Some(Report::Inference { belief }) => Ok(belief),
            _ => Err(EngineError::Request(RequestError::NothingToInfer)),
        }
    }

    /// What an analysis says at its end.
    fn last_report(&self, position: &Position, analysis: Analysis) -> Result<Option<Report>, EngineError> {
        Ok(self.analyse_with(position, analysis, &Signals::default(), &mut |_: Report| {})?.last)
    }

    /// A request that can be carried out.
    ///
    /// # Errors
    /// The position lacks something that the analysis needs.
    pub fn request(&self, position: &Position, analysis: Analysis) -> Result<SearchRequest, EngineError> {
        self.require_words(position.rules())?;
        Ok(SearchRequest::new(SearchPosition::new(position.clone())?, analysis, self.settings)?)
    }

    /// Refuses rules that its words cannot be played by.
    pub(crate) fn require_words(&self, rules: &GameRules) -> Result<(), EngineError> {
        if !self.knowledge.lexicon.fits(&rules.distribution) {
            let (position, lexicon) = (rules.distribution.name().to_string(), self.lexicon().name().to_string());
            return Err(EngineError::OtherAlphabet { position, lexicon });
        }
        self.knowledge.lexicon.by_rule(rules.variant.words())?;
        Ok(())
    }

    /// Words by the rule of a position, with the tables.
    pub(crate) fn knowledge_for(&self, rules: &GameRules) -> Knowledge {
        let own = &self.knowledge.lexicon;
        let lexicon = own.by_rule(rules.variant.words()).unwrap_or_else(|_| Arc::clone(own));
        Knowledge { lexicon, evaluator: Arc::clone(&self.knowledge.evaluator) }
    }

    /// Carries out a request on the calling thread.
    pub fn run(&self, request: &SearchRequest, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
        search::run_in(&self.memory, &self.knowledge_for(request.position().rules()), request, signals, listener)
    }
}
