//! Hashes that are the same on every machine and with every compiler. They tell tables, results and positions apart; they do not
//! protect against forgery.
//!
//! [`Fingerprint`] sums up a sequence (64-bit FNV-1a), [`mix`] spreads the bits of one number (SplitMix64).

/// The prime that FNV-1a multiplies by.
const PRIME: u64 = 0x0100_0000_01b3;

/// The increment of the state of SplitMix64: 2^64 divided by the golden ratio, made odd.
pub const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds bytes.
    pub fn add(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.add_numbers(bytes.into_iter().map(u64::from));
    }

    /// Adds whole numbers, each in one step instead of byte by byte. The hash differs from that of their bytes.
    pub fn add_numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for number in numbers {
            self.0 = (self.0 ^ number).wrapping_mul(PRIME);
        }
    }

    /// The hash of all that was added.
    pub fn value(&self) -> u64 {
        self.0
    }
}

/// Spreads the bits of a number: one step of the generator SplitMix64 [Steele et al. 2014] from this state.
#[inline]
pub fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(SPLIT_MIX_STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values() {
        let hash = |text: &str| {
            let mut hash = Fingerprint::default();
            hash.add(text.bytes());
            hash.value()
        };
        assert_eq!([hash(""), hash("a"), hash("foobar")], [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]);
    }

    /// The first numbers of the generator from state 1234567, as its authors' program prints them.
    #[test]
    fn the_published_numbers_of_split_mix() {
        let numbers = [0, 1, 2].map(|at: u64| mix(1_234_567u64.wrapping_add(at.wrapping_mul(SPLIT_MIX_STEP))));
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
