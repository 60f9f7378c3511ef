//! Commands on Ghost and Superghost: values of fragments, and a game of Ghost against a person.
//!
//! Not here: their solutions (`ghost/`). A game prints a line for each letter of the person and
//! the engine. It states the player on turn after the letter, and whether the game is over.
//! The engine never adds a letter after which no word is left, so it can always name a word.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::ghost::{FragmentEnd, Ghost, GhostError, GhostLetter, GhostPlayer, GhostValue, SuperghostLetter};
use crate::lexicon::Lexicon;
use crate::protocol::command::{GhostCommand, GhostSide, Word};
use crate::protocol::reply::{ErrorCode, ErrorReply};
use crate::protocol::resources::{GhostRequest, GhostRules, SolvedGhost};
use crate::protocol::session::refusal::{Refusal, error, error_at};
use crate::protocol::session::state::{GhostGame, Session};
use crate::protocol::session::words::{WORDS_SHOWN, letters};
use crate::rules::Letter;
use crate::search::Knowledge;
use std::sync::Arc;

/// Words of a winner's sheet that are shown on its line.
const SHEET_WORDS: usize = 24;

/// How a game has ended, or that it has not.
enum GhostEnd {
    /// It goes on.
    No,
    /// A word is complete.
    Word,
    /// No word begins with the fragment.
    NoWord,
    /// The person challenged, and there is a word.
    Challenge(Vec<Letter>),
}

impl Session {
    /// `ghost ...`.
    pub(super) fn ghost(&mut self, command: &GhostCommand) -> Result<(), Refusal> {
        match command {
            GhostCommand::Solve { min_length } => self.ghost_solve(*min_length),
            GhostCommand::Fragment { letters, min_length } => self.ghost_fragment(letters, *min_length),
            GhostCommand::Super { letters, min_length } => self.superghost(letters.as_ref(), *min_length),
            GhostCommand::Play { opener, min_length } => self.ghost_play(*opener, *min_length),
            GhostCommand::Add(letter) => self.ghost_add(letter),
            GhostCommand::Challenge => self.ghost_challenge(),
        }
    }

    /// Prints the winner, and for each opening the words that its winner must know.
    fn ghost_solve(&mut self, min_length: usize) -> Result<(), Refusal> {
        let (Knowledge { lexicon, .. }, distribution) = self.words()?;
        let solved = self.solved(&lexicon, min_length, GhostRules::Ghost)?;
        let ghost = on(&solved, &lexicon)?;
        let start = ghost.value(&[]).map_err(unplayable)?;
        let openings = ghost.letters(&[]).map_err(unplayable)?;
        let won = |letter: &&GhostLetter| letter.value.winner == GhostPlayer::Mover;
        let winning: Vec<String> = openings.iter().filter(won).map(|opening| distribution.word_text(&[opening.letter])).collect();
        let against =
            openings.iter().filter(|opening| !won(opening)).fold(0, |sum: usize, opening| sum.saturating_add(opening.value.sheet));
        let winner = if start.winner == GhostPlayer::Mover { "first" } else { "second" };
        let winning = if winning.is_empty() { "-".to_string() } else { winning.join("|") };
        self.say(format!("ghost solve minlen {min_length} winner {winner} winning {winning} against {against}"));
        for opening in openings {
            let sheet = if opening.is_last() {
                distribution.word_text(&[opening.letter])
            } else {
                let found = ghost.sheet(&[opening.letter], SHEET_WORDS).map_err(unplayable)?;
                let words: Vec<String> = found.words.iter().map(|word| distribution.word_text(word)).collect();
                format!("{}{}", words.join("|"), if found.total > words.len() { "|..." } else { "" })
            };
            self.say(format!("{} words {sheet}", letter_text(&opening, &distribution.word_text(&[opening.letter]))));
        }
        Ok(())
    }

    /// Prints the value of a fragment, each letter that may follow, and the words that it can become.
    fn ghost_fragment(&mut self, fragment: &Word, min_length: usize) -> Result<(), Refusal> {
        let (Knowledge { lexicon, .. }, distribution) = self.words()?;
        let said = letters(fragment, &distribution)?;
        let solved = self.solved(&lexicon, min_length, GhostRules::Ghost)?;
        let ghost = on(&solved, &lexicon)?;
        let value = match ghost.value(&said) {
            Ok(value) => value,
            Err(GhostError::NoWord { letters, .. }) => {
                let start = distribution.word_text(said.get(..letters).unwrap_or(&said));
                return error_at(ErrorCode::BadMove, fragment, format!("{} begins with {start}", no_word(min_length)));
            }
            Err(GhostError::Over { letters }) => {
                let word = distribution.word_text(said.get(..letters).unwrap_or(&said));
                return error_at(ErrorCode::BadMove, fragment, format!("{word} is a word, which ends the game"));
            }
            Err(other) => return Err(unplayable(other)),
        };
        let text = distribution.word_text(&said);
        let GhostValue { plies, sheet, endings, .. } = value;
        self.say(format!("ghost {text} minlen {min_length} onturn {} plies {plies} sheet {sheet} endings {endings}", verdict(value)));
        for letter in ghost.letters(&said).map_err(unplayable)? {
            self.say(letter_text(&letter, &distribution.word_text(&[letter.letter])));
        }
        let found = ghost.endings(&said, WORDS_SHOWN).map_err(unplayable)?;
        self.say_words(&format!("ghost {text}"), &found, &distribution);
        Ok(())
    }

    /// Prints the winner of Superghost from a fragment on, or from the start, and each letter that may be added.
    fn superghost(&mut self, fragment: Option<&Word>, min_length: usize) -> Result<(), Refusal> {
        let (Knowledge { lexicon, .. }, distribution) = self.words()?;
        let said = fragment.map_or(Ok(Vec::new()), |word| letters(word, &distribution))?;
        let solved = self.solved(&lexicon, min_length, GhostRules::Superghost)?;
        let SolvedGhost::Superghost(game) = &*solved else { return Err(not_that_game()) };
        let text = distribution.word_text(&said);
        let refused = |text: String| -> Refusal {
            match fragment {
                Some(word) => ErrorReply::new(ErrorCode::BadMove, text).at(word.column).into(),
                None => ErrorReply::new(ErrorCode::BadOption, text).into(),
            }
        };
        let winner = game.winner(&said).map_err(|error| match error {
            GhostError::NoWord { .. } => refused(format!("{} contains {text}", no_word(min_length))),
            GhostError::Over { .. } => refused(format!("{text} is a word, which ends the game")),
            other => refused(other.to_string()),
        })?;
        let added = game.letters(&said).map_err(unplayable)?;
        let onturn = if winner == GhostPlayer::Mover { "wins" } else { "loses" };
        let shown = if text.is_empty() { "-" } else { &text };
        self.say(format!("ghost super {shown} minlen {min_length} onturn {onturn} fragments {}", game.fragments()));
        for SuperghostLetter { side, letter, is_word, winner } in added {
            let side = if said.is_empty() || side == FragmentEnd::Back { "back" } else { "front" };
            let verdict = if winner == GhostPlayer::Mover { "wins" } else { "loses" };
            let word = if is_word { "yes" } else { "no" };
            self.say(format!("ghost super letter {} {side} {verdict} word {word}", distribution.word_text(&[letter])));
        }
        Ok(())
    }

    /// Begins a new game. A game under way is given up.
    fn ghost_play(&mut self, opener: GhostSide, min_length: usize) -> Result<(), Refusal> {
        let (Knowledge { lexicon, .. }, distribution) = self.words()?;
        self.solved(&lexicon, min_length, GhostRules::Ghost)?;
        let game = GhostGame { fragment: Vec::new(), min_length, lexicon, distribution };
        self.tell_ghost(&game, opener, &GhostEnd::No);
        match opener {
            GhostSide::Person => self.ghost = Some(game),
            GhostSide::Engine => self.ghost_answer(game)?,
        }
        Ok(())
    }

    /// Adds the person's letter, and answers it.
    fn ghost_add(&mut self, letter: &Word) -> Result<(), Refusal> {
        let mut game = self.ghost_game()?;
        let added = letters(letter, &game.distribution)?;
        if added.len() != 1 {
            return error_at(ErrorCode::BadMove, letter, format!("{} letters, expected one", added.len()));
        }
        game.fragment.extend(added);
        self.ghost_answer(game)
    }

    /// Answers the person's challenge: the engine names a word.
    fn ghost_challenge(&mut self) -> Result<(), Refusal> {
        let game = self.ghost_game()?;
        if game.fragment.is_empty() {
            return error(ErrorCode::BadMove, "there is nothing to challenge before the first letter: send ghost add <letter>");
        }
        let solved = self.solved(&game.lexicon, game.min_length, GhostRules::Ghost)?;
        let ghost = on(&solved, &game.lexicon)?;
        let named = ghost.endings(&game.fragment, 1).map_err(unplayable)?;
        self.ghost = None;
        self.tell_ghost(&game, GhostSide::Person, &GhostEnd::Challenge(named.words.into_iter().flatten().collect()));
        Ok(())
    }

    /// Takes the engine's turn: prints the result of the last letter, and adds one if the game goes on.
    fn ghost_answer(&mut self, mut game: GhostGame) -> Result<(), Refusal> {
        let lexicon = Arc::clone(&game.lexicon);
        let solved = self.solved(&lexicon, game.min_length, GhostRules::Ghost)?;
        let ghost = on(&solved, &lexicon)?;
        self.ghost = None;
        if !game.fragment.is_empty() {
            let end = match ghost.value(&game.fragment) {
                Ok(_) => GhostEnd::No,
                Err(GhostError::Over { .. }) => GhostEnd::Word,
                Err(_) => GhostEnd::NoWord,
            };
            self.tell_ghost(&game, GhostSide::Engine, &end);
            if !matches!(end, GhostEnd::No) {
                return Ok(());
            }
        }
        let answer = ghost.best_letter(&game.fragment).map_err(unplayable)?;
        game.fragment.push(answer.letter);
        let end = if answer.is_last() { GhostEnd::Word } else { GhostEnd::No };
        self.tell_ghost(&game, GhostSide::Person, &end);
        self.ghost = Some(game).filter(|_| !answer.is_last());
        Ok(())
    }

    /// Returns the game with these words, solved. Solving takes time, and is done elsewhere.
    fn solved(&self, lexicon: &Arc<Lexicon>, min_length: usize, rules: GhostRules) -> Result<Arc<SolvedGhost>, Refusal> {
        self.resources.ghost(GhostRequest { lexicon: Arc::clone(lexicon), min_length, rules })?.map_err(unplayable)
    }

    fn ghost_game(&self) -> Result<GhostGame, Refusal> {
        match &self.ghost {
            Some(game) => Ok(game.clone()),
            None => error(ErrorCode::BadMove, "no game of Ghost is under way: begin one with ghost play"),
        }
    }

    /// Prints the line of a game: the fragment, the player on turn, and the winner if it is over.
    fn tell_ghost(&mut self, game: &GhostGame, on_turn: GhostSide, end: &GhostEnd) {
        let text = |word: &[Letter]| if word.is_empty() { "-".to_string() } else { game.distribution.word_text(word) };
        // A player who completes a word has lost, and so has a player who challenges in vain.
        let (over, winner, word) = match end {
            GhostEnd::No => ("no", None, &[][..]),
            GhostEnd::Word => ("word", Some(on_turn), &game.fragment[..]),
            GhostEnd::NoWord => ("noword", Some(on_turn), &[][..]),
            GhostEnd::Challenge(named) => ("challenge", Some(GhostSide::Engine), &named[..]),
        };
        let winner = winner.map_or("-", GhostSide::word);
        self.say(format!("ghost game {} onturn {} over {over} winner {winner} word {}", text(&game.fragment), on_turn.word(), text(word)));
    }
}

/// `ghost letter N wins plies 4 sheet 7`: the result of adding a letter.
fn letter_text(letter: &GhostLetter, text: &str) -> String {
    format!("ghost letter {text} {} plies {} sheet {}", verdict(letter.value), letter.value.plies, letter.value.sheet)
}

fn verdict(value: GhostValue) -> &'static str {
    match value.winner {
        GhostPlayer::Mover => "wins",
        GhostPlayer::Other => "loses",
    }
}

/// Returns `no word`, with the least length if short words do not count.
fn no_word(min_length: usize) -> String {
    if min_length <= 1 { "no word".to_string() } else { format!("no word of at least {min_length} letters") }
}

/// A solution with the words that it is for.
fn on<'a>(solved: &'a SolvedGhost, lexicon: &'a Lexicon) -> Result<Ghost<'a>, Refusal> {
    match solved {
        SolvedGhost::Ghost(values) => Ok(Ghost::with_values(lexicon.graph(), values)),
        SolvedGhost::Superghost(_) => Err(not_that_game()),
    }
}

/// Returns the error for a solution of other rules than those requested, which never comes.
fn not_that_game() -> Refusal {
    ErrorReply::new(ErrorCode::BadOption, "this is the solution of another game").into()
}

/// Returns the error for a game that cannot be played.
fn unplayable(error: GhostError) -> Refusal {
    ErrorReply::new(ErrorCode::BadOption, error.to_string()).into()
}
