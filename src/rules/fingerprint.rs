//! A hash that is the same on every machine and with every compiler: 64-bit FNV-1a. It tells tables and results apart; it is no
//! protection against anybody.

/// A hash under way.
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
        for byte in bytes {
            self.add_number(u64::from(byte));
        }
    }

    /// Adds a number in one step, as if it were a byte. The hash of numbers is another than that of their bytes.
    pub fn add_number(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0100_0000_01b3);
    }

    /// The hash of all that was added.
    pub fn value(&self) -> u64 {
        self.0
    }
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
}
