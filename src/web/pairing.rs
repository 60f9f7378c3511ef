//! Pairs pages by one-time codes and tokens, and slows down guesses. There is no clock and no file here:
//! the caller gives the times and stores the tokens.
//!
//! A page asks to be paired. A code is shown to the user, who types it into the page, and the page gets a token for later. Code and token
//! are valid only for the origin that asked. Start with [`PagePairing`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::web::origin::Origin;
use crate::web::secret::{NoRandomness, PairingCode, SecretHash, Token};
use std::collections::HashMap;

/// How long a code is valid, ms.
const CODE_MS: u64 = 300_000;

/// Wrong guesses after which a code is no longer valid.
const MOST_GUESSES: u32 = 3;

/// The wait after the first wrong guess, ms. Each further one doubles it.
const FIRST_WAIT_MS: u64 = 1_000;

/// The longest wait, ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// A page that is paired.
#[derive(Clone, Debug)]
pub struct PairedPage {
    /// A short name by which the user can revoke it.
    pub id: String,
    /// The origin of the page.
    pub origin: Origin,
    /// Its token's hash.
    pub hash: SecretHash,
    /// When it was paired: seconds since 1970.
    pub paired_at_s: u64,
}

/// The answer to a request to be paired.
#[derive(Debug)]
pub enum CodeAnswer {
    /// This code is to be shown to the user.
    Show(PairingCode),
    /// A code that was shown is valid for this many more seconds.
    Shown(u64),
}

/// The outcome of a guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// The guess is right.
    Right,
    /// The guess is wrong.
    Wrong,
    /// The guess was not checked. The next one will be checked after this many seconds.
    Wait(u64),
}

/// A valid code.
#[derive(Debug)]
struct LiveCode {
    hash: SecretHash,
    until_ms: u64,
    guesses: u32,
}

/// The gate of an origin: when its next guess is checked.
#[derive(Debug, Default)]
struct GuessGate {
    wrong: u32,
    closed_until_ms: u64,
}

impl GuessGate {
    fn wait_s(&self, now_ms: u64) -> Option<u64> {
        self.closed_until_ms.checked_sub(now_ms).filter(|&wait| wait > 0).map(|wait| wait.div_ceil(1000))
    }

    fn close(&mut self, now_ms: u64) {
        let wait = FIRST_WAIT_MS.saturating_mul(1 << self.wrong.min(16)).min(LONGEST_WAIT_MS);
        self.wrong = self.wrong.saturating_add(1);
        self.closed_until_ms = now_ms.saturating_add(wait);
    }
}

/// The valid codes, and the gates that slow down guesses. Origins come from the list of those allowed, so both are bounded.
#[derive(Debug, Default)]
pub struct PagePairing {
    codes: HashMap<Origin, LiveCode>,
    gates: HashMap<Origin, GuessGate>,
}

impl PagePairing {
    /// Makes a code for a page that asks to be paired. A second request makes no second code.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn ask_code(&mut self, origin: &Origin, now_ms: u64) -> Result<CodeAnswer, NoRandomness> {
        if let Some(left_ms) = self.codes.get(origin).and_then(|code| code.until_ms.checked_sub(now_ms)).filter(|&left| left > 0) {
            return Ok(CodeAnswer::Shown(left_ms.div_ceil(1000)));
        }
        let code = PairingCode::generate()?;
        self.codes.insert(origin.clone(), LiveCode { hash: code.hash(), until_ms: now_ms.saturating_add(CODE_MS), guesses: 0 });
        Ok(CodeAnswer::Show(code))
    }

    /// Seconds for which a code is valid.
    pub fn code_seconds() -> u64 {
        CODE_MS / 1000
    }

    /// Checks a code that a page presents. A right guess uses the code up; so do too many wrong ones.
    pub fn guess_code(&mut self, origin: &Origin, typed: &str, now_ms: u64) -> Guess {
        if let Some(wait) = self.wait_s(origin, now_ms) {
            return Guess::Wait(wait);
        }
        let is_right = match self.codes.get_mut(origin) {
            Some(code) => {
                code.guesses += 1;
                let is_right = code.hash.is_of(&PairingCode::as_typed(typed)) && now_ms < code.until_ms;
                if is_right || code.guesses >= MOST_GUESSES {
                    self.codes.remove(origin);
                }
                is_right
            }
            None => false,
        };
        self.judged(origin, is_right, now_ms)
    }

    /// Checks a token that a page presents. Returns the page that it was given to, if it is right.
    pub fn guess_token<'p>(
        &mut self,
        pages: &'p [PairedPage],
        origin: &Origin,
        token: &str,
        now_ms: u64,
    ) -> (Guess, Option<&'p PairedPage>) {
        if let Some(wait) = self.wait_s(origin, now_ms) {
            return (Guess::Wait(wait), None);
        }
        // All of them are compared, so that the time does not reveal which one matches.
        let mut found = None;
        for page in pages {
            if page.hash.is_of(token) && page.origin == *origin {
                found = Some(page);
            }
        }
        (self.judged(origin, found.is_some(), now_ms), found)
    }

    /// Checks the secret of a run that a page presents.
    pub fn guess_secret(&mut self, secret: &SecretHash, origin: &Origin, shown: &str, now_ms: u64) -> Guess {
        match self.wait_s(origin, now_ms) {
            Some(wait) => Guess::Wait(wait),
            None => self.judged(origin, secret.is_of(shown), now_ms),
        }
    }

    /// Makes a new token for a page.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn pair(origin: &Origin, now_s: u64) -> Result<(Token, PairedPage), NoRandomness> {
        let token = Token::generate()?;
        let hash = SecretHash::of(token.as_str());
        // The first digits of the hash reveal nothing about the token.
        let id = hash.hexadecimal().chars().take(8).collect();
        Ok((token, PairedPage { id, origin: origin.clone(), hash, paired_at_s: now_s }))
    }

    fn wait_s(&self, origin: &Origin, now_ms: u64) -> Option<u64> {
        self.gates.get(origin).and_then(|gate| gate.wait_s(now_ms))
    }

    fn judged(&mut self, origin: &Origin, is_right: bool, now_ms: u64) -> Guess {
        if is_right {
            self.gates.remove(origin);
            return Guess::Right;
        }
        self.gates.entry(origin.clone()).or_default().close(now_ms);
        Guess::Wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> Origin {
        text.parse().unwrap()
    }

    fn shown(answer: CodeAnswer) -> String {
        match answer {
            CodeAnswer::Show(code) => code.to_string(),
            CodeAnswer::Shown(_) => panic!("no new code"),
        }
    }

    #[test]
    fn a_code_counts_once_for_its_origin_and_not_for_ever() {
        let (a, b) = (origin("https://a.example"), origin("https://b.example"));
        let mut pairing = PagePairing::default();
        let code = shown(pairing.ask_code(&a, 0).unwrap());
        assert!(matches!(pairing.ask_code(&a, 1000).unwrap(), CodeAnswer::Shown(299)), "one code at a time");
        assert_eq!(pairing.guess_code(&b, &code, 1000), Guess::Wrong, "another origin");
        assert_eq!(pairing.guess_code(&a, &code, 1000), Guess::Right);
        assert_eq!(pairing.guess_code(&a, &code, 1000), Guess::Wrong, "it is used up");
        let code = shown(pairing.ask_code(&a, 100_000).unwrap());
        assert_eq!(pairing.guess_code(&a, &code, 100_000 + CODE_MS), Guess::Wrong, "it is too old");
    }

    #[test]
    fn a_code_that_was_guessed_at_does_not_count() {
        let a = origin("https://a.example");
        let mut pairing = PagePairing::default();
        let code = shown(pairing.ask_code(&a, 0).unwrap());
        for guess in 0..MOST_GUESSES {
            assert_eq!(pairing.guess_code(&a, "AAAA-AAAA", 10_000 * u64::from(guess)), Guess::Wrong);
        }
        assert_eq!(pairing.guess_code(&a, &code, 100_000), Guess::Wrong);
    }

    #[test]
    fn guesses_are_slowed_down_more_and_more_and_a_right_one_is_not_looked_at_meanwhile() {
        let a = origin("https://a.example");
        let (token, page) = PagePairing::pair(&a, 0).unwrap();
        let pages = [page];
        let mut pairing = PagePairing::default();
        let mut now_ms = 0;
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            assert_eq!(pairing.guess_token(&pages, &a, "wrong", now_ms).0, Guess::Wrong);
            assert_eq!(pairing.guess_token(&pages, &a, token.as_str(), now_ms).0, Guess::Wait(wait));
            assert_eq!(pairing.guess_code(&a, "wrong", now_ms), Guess::Wait(wait), "codes and tokens have one gate");
            now_ms += wait * 1000;
        }
        assert_eq!(pairing.guess_token(&pages, &a, token.as_str(), now_ms).0, Guess::Right);
        assert_eq!(pairing.guess_token(&pages, &a, "wrong", now_ms).0, Guess::Wrong, "a right one opens the gate");
    }

    #[test]
    fn guesses_at_the_secret_of_a_run_are_slowed_down_too() {
        let (a, secret) = (origin("http://127.0.0.1:4711"), SecretHash::of("right"));
        let mut pairing = PagePairing::default();
        assert_eq!(pairing.guess_secret(&secret, &a, "wrong", 0), Guess::Wrong);
        assert_eq!(pairing.guess_secret(&secret, &a, "right", 999), Guess::Wait(1));
        assert_eq!(pairing.guess_secret(&secret, &a, "right", 1000), Guess::Right);
    }

    #[test]
    fn a_token_counts_for_its_origin_alone() {
        let (a, b) = (origin("https://a.example"), origin("http://a.example"));
        let (token, page) = PagePairing::pair(&a, 0).unwrap();
        let (_, other) = PagePairing::pair(&b, 0).unwrap();
        let pages = [page, other];
        let mut pairing = PagePairing::default();
        assert_eq!(pairing.guess_token(&pages, &b, token.as_str(), 0).0, Guess::Wrong);
        let (guess, page) = pairing.guess_token(&pages, &a, token.as_str(), 0);
        assert_eq!((guess, page.map(|page| &page.origin)), (Guess::Right, Some(&a)));
        assert_eq!(pairing.guess_token(&[], &a, token.as_str(), 0).0, Guess::Wrong, "revoked");
    }
}
