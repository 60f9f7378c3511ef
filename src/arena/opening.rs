//! Opens a tournament: reads its file, loads its tables and the positions that games begin from, and starts and checks each engine once.
//!
//! Not here: the games. Start with [`OpenedTournament::open`].

use crate::arena::course::{PairRemembering, PairingDesk, TournamentCourse};
use crate::arena::file::TournamentFile;
use crate::arena::outputs::PlayedGame;
use crate::arena::program::{ProgramEngine, ProgramSurroundings};
use crate::engine::Engine;
use crate::formats::cgp::{self, Opcodes};
use crate::host::game_arguments::{GameArguments, LetterArguments, OpenedGame, WordArguments, unusual_rules};
use crate::host::input_file::{self, MOST_OF_A_GAME, MOST_OF_POSITIONS};
use crate::host::output::say_aside;
use crate::match_play::bags::{GameStart, shuffled_bag};
use crate::players::PlayerSpec;
use crate::protocol::resources::RecordedGame;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{ChallengeRule, GameRules, Letter, Position, Rack, Seat, Variant, VariantSupport};
use crate::search::budget::Signals;
use crate::tournament::configuration::{
    Competitor, CompetitorKind, EngineDialect, GCG_ENDING, GameSetting, TournamentFormat, TournamentSetting,
};
use crate::tournament::pairings::Pairings;
use crate::tournament::record::{TournamentHeader, fingerprinted, player_identity};
use crate::tournament::standings::TournamentStandings;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::sync::Arc;

/// The number of valid words, and of invalid words, that an engine is asked about before the first game.
const PROBE_WORDS: usize = 8;

/// A tournament that is ready to be played.
pub struct OpenedTournament {
    /// The tournament's settings.
    pub file: TournamentFile,
    /// The game and its words.
    pub game: OpenedGame,
    /// By engine: the words and tables, if it is a player of this program.
    pub tables: Vec<Option<Engine>>,
    /// The opcodes of positions: rules and words.
    pub opcodes: Opcodes,
    /// The positions that games begin from. If empty, the usual start.
    pub starts: Vec<NamedStart>,
}

impl OpenedTournament {
    /// Loads the words, tables and positions that the file names.
    ///
    /// # Errors
    /// Words, letters, a board or tables cannot be read, or do not fit together.
    pub fn open(file: TournamentFile) -> Result<OpenedTournament> {
        let variant = file.setting.game.variant()?;
        let mut game = game_arguments(&file.setting.game, &file.folder).open_variant(variant, VariantSupport::SPELLED)?;
        for competitor in &file.competitors {
            if let CompetitorKind::Player(spec) = &competitor.kind {
                spec.require(variant).with_context(|| competitor.name.clone())?;
            }
        }
        let challenge_rule = file.setting.game.challenge_rule()?;
        let tables = file.competitors.iter().map(|competitor| match &competitor.kind {
            CompetitorKind::Player(spec) => Ok(Some(game.contestant(spec).with_context(|| competitor.name.clone())?.engine)),
            CompetitorKind::Program(_) => Ok(None),
        });
        let tables = tables.collect::<Result<Vec<_>>>()?;
        let opcodes = opcodes_of(&game.rules, game.lexicon().name(), challenge_rule);
        game.rules = Arc::new(game.rules.to_builder().challenge_rule(challenge_rule).build()?);
        let starts = read_starts(&file.setting.game, &file.folder, &game.rules, &opcodes)?;
        Ok(OpenedTournament { file, game, tables, opcodes, starts })
    }

    /// Returns the start of the games of a bag, or `None` for the usual start. The starts are used in turn.
    pub fn start(&self, deal: u64) -> Option<&NamedStart> {
        let place = deal.checked_rem(self.starts.len() as u64)?;
        self.starts.get(usize::try_from(place).ok()?)
    }

    /// Returns the values that are needed to replay the games of the journal.
    pub fn played(&self) -> PlayedGame<'_> {
        let (seed, competitors) = (self.file.setting.seed, &self.file.competitors);
        PlayedGame { rules: &self.game.rules, opcodes: &self.opcodes, seed, competitors }
    }

    /// Returns the pairings of the tournament.
    pub fn pairings(&self) -> Pairings {
        let setting = &self.file.setting;
        Pairings::new(setting.format, self.file.competitors.len(), setting.pairs, setting.rounds.unwrap_or(1))
    }

    /// Returns the course of the tournament before its first pair.
    ///
    /// # Errors
    /// None, for a file that was read.
    pub fn course<'a>(&self, desk: &'a PairingDesk, remembering: PairRemembering) -> Result<TournamentCourse<'a>> {
        let standings = TournamentStandings::new(self.file.competitors.len());
        Ok(TournamentCourse::new(standings, desk, self.file.setting.sprt()?, remembering))
    }

    /// Returns the header of the journal. `names` are the names that programs reported.
    ///
    /// # Errors
    /// None, for a file that was read.
    pub fn header(&self, names: &[String]) -> Result<TournamentHeader> {
        let identity = |((competitor, tables), name): ((&Competitor, &Option<Engine>), &String)| match (&competitor.kind, tables) {
            (CompetitorKind::Player(spec), Some(tables)) => identity_of(spec, tables),
            _ => name.clone(),
        };
        Ok(TournamentHeader {
            starts: starts_identity(&self.starts),
            ..header_of(&self.game, &self.file.setting, self.file.competitors.iter().zip(&self.tables).zip(names).map(identity).collect())?
        })
    }
}

/// Returns the header of a match or tournament of this game from the usual start. `identities` identify the engines.
///
/// # Errors
/// None, for settings that were read.
pub fn header_of(game: &OpenedGame, setting: &TournamentSetting, identities: Vec<String>) -> Result<TournamentHeader> {
    let (rules, lexicon) = (&game.rules, game.lexicon());
    Ok(TournamentHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        lexicon: fingerprinted(lexicon.name(), lexicon.fingerprint()),
        rules: rules_identity(rules),
        starts: None,
        machine: None,
        identities,
        configuration: setting.identity()?,
    })
}

/// Returns the identity of a player of this program, with its tables.
pub fn identity_of(spec: &PlayerSpec, tables: &Engine) -> String {
    let evaluator = &tables.knowledge().evaluator;
    let (leaves, win_model) = (&evaluator.leaves, &evaluator.win_model);
    let [leaves, winpct] = [(leaves.name(), leaves.fingerprint()), (win_model.name(), win_model.fingerprint())]
        .map(|(name, fingerprint)| fingerprinted(name, fingerprint));
    player_identity(&spec.to_string(), &leaves, &winpct)
}

/// A tournament read from its journal. It is enough for reports, without words, tables and processes.
pub struct ToldTournament {
    /// The setting that was played.
    pub setting: TournamentSetting,
    /// Its engines.
    pub competitors: Vec<Competitor>,
    /// The rules of its games.
    pub rules: Arc<GameRules>,
    /// The opcodes of positions: rules and words.
    pub opcodes: Opcodes,
}

impl ToldTournament {
    /// Reads the tournament from the header of a journal with this many pairs in all. Letters and a board that are files are searched in
    /// `folder`. Only records and pages need them.
    ///
    /// # Errors
    /// The header does not belong to a tournament; or the rules are needed, but are not found or differ from the journal's.
    pub fn of_header(header: &TournamentHeader, pairs: u64, folder: &Path, outputs: PairRemembering) -> Result<ToldTournament> {
        let setting = setting_of(header, pairs).context("the header does not describe a tournament")?;
        // A match may have played a variant that a tournament's file cannot name.
        let competitors = {
            let game = GameSetting { variant: None, ..setting.game.clone() };
            TournamentSetting { game, ..setting.clone() }.competitors()?
        };
        let found = rules_of(header, &setting, folder);
        let rules = match (found, outputs) {
            (Ok(rules), _) => rules,
            (Err(error), PairRemembering::Remembered) => return Err(error),
            // The text report needs only the objective of the game.
            (Err(_), PairRemembering::Forgotten) => GameRules::english().to_builder().variant(told_variant(&setting)).build()?,
        };
        let lexicon = header.lexicon.rsplit_once('@').map_or("", |(name, _)| name);
        let opcodes = opcodes_of(&rules, lexicon, setting.game.challenge_rule()?);
        Ok(ToldTournament { setting, competitors, rules: Arc::new(rules), opcodes })
    }
}

/// Returns the setting of a tournament with this many pairs in all, from its header.
fn setting_of(header: &TournamentHeader, pairs: u64) -> serde_json::Result<TournamentSetting> {
    let mut keys = header.configuration.clone();
    if let Some(keys) = keys.as_object_mut() {
        // A header has no pairs, and in a Swiss tournament no rounds.
        keys.entry("pairs").or_insert(1.into());
    }
    let setting: TournamentSetting = serde_json::from_value(keys)?;
    let in_round = Pairings::new(setting.format, setting.engines.len(), setting.pairs, 1).total().max(1);
    let length = pairs.div_ceil(in_round);
    Ok(match setting.format {
        TournamentFormat::Swiss => TournamentSetting { rounds: Some(length), ..setting },
        _ => TournamentSetting { pairs: length, ..setting },
    })
}

fn told_variant(setting: &TournamentSetting) -> Variant {
    setting.game.variant.as_deref().and_then(Variant::from_name).unwrap_or(Variant::Classic)
}

/// Returns the rules of a journal's games, from their names.
fn rules_of(header: &TournamentHeader, setting: &TournamentSetting, folder: &Path) -> Result<GameRules> {
    let rules = game_arguments(&setting.game, folder).rules(told_variant(setting)).context("the letters or the board of the journal")?;
    let rules = rules.to_builder().challenge_rule(setting.game.challenge_rule()?).build()?;
    let here = rules_identity(&rules);
    ensure!(here == header.rules, "the rules of the journal are {}, but the names of its letters and board now give {here}", header.rules);
    Ok(rules)
}

/// Returns the opcodes of positions: rules and words.
fn opcodes_of(rules: &GameRules, lexicon: &str, challenge_rule: ChallengeRule) -> Opcodes {
    let lexicon = Some(lexicon.to_string());
    // Usual rules are not sent: every engine assumes them, but not every engine knows their opcodes.
    let opcodes = match unusual_rules(rules) {
        Some(_) => Opcodes { lexicon, ..Opcodes::of_rules(rules) },
        None => Opcodes { lexicon, ..Opcodes::default() },
    };
    // The default is not sent either, since some engines do not know its opcode.
    match challenge_rule {
        ChallengeRule::Void => opcodes,
        rule => Opcodes { challenge_rule: Some(rule), ..opcodes },
    }
}

/// Returns rules with their fingerprint, for a header.
fn rules_identity(rules: &GameRules) -> String {
    let named = unusual_rules(rules).unwrap_or_else(|| rules.distribution.name().to_string());
    fingerprinted(&named, rules.fingerprint())
}

/// Returns the flags that correspond to the game of a file.
fn game_arguments(game: &GameSetting, folder: &Path) -> GameArguments {
    // A bare name may be a built-in table.
    let named = |name: &String| if name.contains('/') { folder.join(name).display().to_string() } else { name.clone() };
    GameArguments {
        words: WordArguments {
            lexicon: game.lexicon.as_ref().map(|file| folder.join(file)),
            letters: LetterArguments { letters: game.letters.as_ref().map(named) },
        },
        layout: game.layout.as_ref().map(named),
        bonus: game.bonus,
        ..GameArguments::default()
    }
}

/// Starts each program once and checks it. Returns the names that programs report, and empty names for players of this program.
///
/// # Errors
/// The first engine that cannot be used, with the reason.
pub fn check_engines(opened: &OpenedTournament, surroundings: ProgramSurroundings<'_>, signals: &Signals) -> Result<Vec<String>> {
    let probe = probe_position(&opened.game.rules, &opened.opcodes, opened.file.setting.seed);
    let words = probe_words(&opened.game);
    let lexicon = opened.game.lexicon().name();
    let mut names = Vec::new();
    for competitor in &opened.file.competitors {
        let CompetitorKind::Program(program) = &competitor.kind else {
            names.push(String::new());
            continue;
        };
        // A program that is started for each turn can only be asked for a move.
        let is_probed = program.dialect != EngineDialect::Exec;
        let mut engine = ProgramEngine::new(program, surroundings);
        let checked = engine.new_game().and_then(|()| if is_probed { engine.probe(&probe, lexicon, &words) } else { Ok(()) });
        ensure!(!signals.is_stopped(), "interrupted before the first game");
        if let Err(fault) = checked {
            bail!("the engine {:?} cannot be used: {}", competitor.name, fault.text);
        }
        names.push(if is_probed { engine.handshake().name.clone() } else { program.keys.command.clone().unwrap_or_default() });
    }
    Ok(names)
}

/// Returns the first turn of a game, for a first search.
fn probe_position(rules: &Arc<GameRules>, opcodes: &Opcodes, seed: u64) -> String {
    let mut position = Position::start(Arc::clone(rules));
    let rack = shuffled_bag(rules, seed, 0).into_iter().take(rules.rack_size).collect();
    position.set_rack(Seat::First, &rack).expect("the tiles are the game's");
    cgp::print(&position, opcodes)
}

/// Returns words from all parts of the lexicon, and equally many invalid words.
fn probe_words(game: &OpenedGame) -> Vec<(String, bool)> {
    let (lexicon, distribution) = (game.lexicon(), &game.rules.distribution);
    let mut probe = Vec::new();
    let words = lexicon.list().words();
    for numbers in words.iter().step_by((words.len() / PROBE_WORDS).max(1)).take(PROBE_WORDS) {
        let letters: Vec<Letter> = numbers.iter().filter_map(|&number| Letter::new(number)).collect();
        let word = distribution.word_text(&letters);
        let twice: Vec<Letter> = letters.iter().chain(&letters).copied().collect();
        if !lexicon.contains(&twice) {
            probe.push((distribution.word_text(&twice), false));
        }
        probe.push((word, true));
    }
    probe
}

/// A position that games begin from, and its text.
#[derive(Clone, Debug)]
pub struct NamedStart {
    /// Where the games begin.
    pub start: GameStart,
    /// The position as a CGP.
    pub text: String,
}

/// Reads the starting positions that a tournament names. A list has one CGP per line. Blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// A file cannot be read, a text is not a position of the game, or its game is over. The error has file and line.
fn read_starts(game: &GameSetting, folder: &Path, rules: &Arc<GameRules>, opcodes: &Opcodes) -> Result<Vec<NamedStart>> {
    let mut starts = Vec::new();
    for name in &game.starts {
        let path = folder.join(name);
        let place = || format!("game.starts: {}", path.display());
        if name.ends_with(GCG_ENDING) {
            let turn = game.start_turn.context("a game record needs start_turn, the turn at which games begin")?;
            let bytes = input_file::read(&path, MOST_OF_A_GAME).with_context(place)?;
            let record = RecordedGame::read(&bytes, rules, Some(turn)).with_context(place)?;
            record.notes.iter().for_each(|note| say_aside(&format!("{}: {note}", path.display())));
            starts.push(of_record(record, opcodes).with_context(place)?);
            continue;
        }
        let text = input_file::read_text(&path, MOST_OF_POSITIONS).with_context(place)?;
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#')) {
            let place = || format!("game.starts: {}:{line}", path.display());
            let position = cgp::parse(text, rules).with_context(place)?.position;
            starts.push(named(&position, opcodes).with_context(place)?);
        }
        ensure!(!starts.is_empty(), "game.starts: {}: the file has no position", path.display());
    }
    Ok(starts)
}

/// Returns the last position of a record. Its racks are dealt anew.
fn of_record(mut record: RecordedGame, opcodes: &Opcodes) -> Result<NamedStart> {
    let mut position = record.replay.positions.pop().context("the record has no position")?;
    for seat in Seat::BOTH {
        position.set_rack(seat, &Rack::EMPTY)?;
    }
    named(&position, opcodes)
}

fn named(position: &Position, opcodes: &Opcodes) -> Result<NamedStart> {
    ensure!(position.end().is_none(), "the game is over in this position");
    let start = GameStart::new(position)?;
    let mut shown = start.position().clone();
    for seat in Seat::BOTH {
        shown.set_rack(seat, &start.racks()[seat])?;
    }
    Ok(NamedStart { text: cgp::print(&shown, opcodes), start })
}

/// Identifies the starting positions by their number and a hash of their texts.
fn starts_identity(starts: &[NamedStart]) -> Option<String> {
    let mut hash = Fingerprint::default();
    starts.iter().for_each(|named| hash.add(named.text.bytes().chain([0])));
    (!starts.is_empty()).then(|| format!("{}@{:016x}", starts.len(), hash.value()))
}
