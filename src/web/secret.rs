//! The secrets of pairing: one-time codes for people, tokens for programs, and the hashes of both.
//!
//! A hash has no `==`, which would stop at the first difference and so reveal how much was right.
//! Start with [`SecretHash`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use constant_time_eq::constant_time_eq_n;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt;
use thiserror::Error;

/// The system provides no random numbers.
#[derive(Debug, Error)]
#[error("the system provides no random numbers for a secret")]
pub struct NoRandomness;

/// The SHA-256 of a secret.
#[derive(Clone)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    /// The hash of a secret.
    pub fn of(secret: &str) -> SecretHash {
        SecretHash(Sha256::digest(secret.as_bytes()).into())
    }

    /// Whether it is the hash of this text. Takes the same time for all texts of the same length.
    pub fn is_of(&self, text: &str) -> bool {
        constant_time_eq_n(&self.0, &SecretHash::of(text).0)
    }

    /// The hash as 64 hexadecimal digits.
    pub fn hexadecimal(&self) -> String {
        hexadecimal(&self.0)
    }

    /// Reads what [`hexadecimal`](SecretHash::hexadecimal) wrote.
    pub fn read(text: &str) -> Option<SecretHash> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        // A text with signs or capitals was not written by this program.
        Some(SecretHash(bytes)).filter(|hash| hash.hexadecimal() == text)
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}

/// A secret that a paired page presents instead of a code: 256 random bits as 64 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Generates a token.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn generate() -> Result<Token, NoRandomness> {
        Ok(Token(hexadecimal(&random::<32>()?)))
    }

    /// The token as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// The characters of codes, no two of which look alike.
const SIGNS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// A code that a person reads in one window and types into another: 40 random bits as eight characters.
#[derive(Clone)]
pub struct PairingCode(String);

impl PairingCode {
    /// Generates a code.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn generate() -> Result<PairingCode, NoRandomness> {
        // 256 is a multiple of the number of characters, so each is as likely as any other.
        let signs =
            random::<8>()?.iter().filter_map(|byte| SIGNS.get(usize::from(*byte) % SIGNS.len())).map(|&sign| char::from(sign)).collect();
        Ok(PairingCode(signs))
    }

    /// The hash of the code, by which it is recognised.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }

    /// Brings a typed code into its standard form: case, spaces and dashes do not matter.
    pub fn as_typed(text: &str) -> String {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_uppercase()
    }
}

impl fmt::Display for PairingCode {
    /// Writes the code in two groups: `K7QF-2M9D`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (front, back) = self.0.split_at_checked(4).unwrap_or((&self.0, ""));
        write!(f, "{front}-{back}")
    }
}

impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingCode(..)")
    }
}

fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a type has `==`: the constant of the type itself if it has, else that of the trait.
    struct Comparison<T>(std::marker::PhantomData<T>);

    trait Incomparable {
        const IS_THERE: bool = false;
    }

    impl<T> Incomparable for Comparison<T> {}

    impl<T: PartialEq> Comparison<T> {
        const IS_THERE: bool = true;
    }

    #[test]
    fn a_hash_cannot_be_compared_with_an_operator() {
        const { assert!(Comparison::<String>::IS_THERE && !Comparison::<SecretHash>::IS_THERE) };
    }
    use std::collections::HashSet;

    #[test]
    fn secrets_differ_and_are_known_by_their_hashes_alone() {
        let tokens: HashSet<String> = (0..100).map(|_| Token::generate().unwrap().as_str().to_string()).collect();
        assert_eq!(tokens.len(), 100);
        for token in tokens {
            let hash = SecretHash::of(&token);
            assert!(hash.is_of(&token) && !hash.is_of(&token[1..]) && !hash.is_of(""));
            assert!(!hash.hexadecimal().contains(&token) && !format!("{hash:?}").contains(&hash.hexadecimal()));
            assert!(SecretHash::read(&hash.hexadecimal()).unwrap().is_of(&token));
        }
        // FIPS 180-4: the hash of "abc".
        assert_eq!(SecretHash::of("abc").hexadecimal(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn hashes_are_compared_by_the_crate_that_takes_constant_time() {
        // Timing cannot be tested on a machine that also does other work. Two other facts can be: the crate
        // does the comparison, and `==` does not compile (the example at the top of this file).
        let source = include_str!("secret.rs");
        let body = source.split("fn is_of(&self, text: &str) -> bool {").nth(1).and_then(|rest| rest.split('}').next()).map(str::trim);
        assert_eq!(body, Some("constant_time_eq_n(&self.0, &SecretHash::of(text).0)"));
    }

    #[test]
    fn secrets_are_not_printed_by_mistake() {
        let (token, code) = (Token::generate().unwrap(), PairingCode::generate().unwrap());
        assert_eq!(format!("{:?} {token:?} {code:?}", SecretHash::of("x")), "SecretHash(..) Token(..) PairingCode(..)");
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = PairingCode::generate().unwrap();
        let shown = code.to_string();
        assert_eq!(shown.len(), 9);
        for typed in [shown.clone(), shown.to_lowercase(), shown.replace('-', ""), format!(" {} ", shown.replace('-', " "))] {
            assert!(code.hash().is_of(&PairingCode::as_typed(&typed)), "{typed}");
        }
        assert!(!code.hash().is_of(&PairingCode::as_typed(&shown[..8])));
    }

    #[test]
    fn hashes_that_were_not_written_here_are_refused() {
        for text in ["", "00", &"0".repeat(65), &"+0".repeat(32), &"AB".repeat(32), &"é".repeat(32)] {
            assert!(SecretHash::read(text).is_none(), "{text}");
        }
    }
}
