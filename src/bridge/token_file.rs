//! Stores the paired pages on the disk: one line of JSON each, with the hash of its token.
//! Only the owner can read the file.
//!
//! The file is read again for each page that connects, so a revoked token is invalid at once. Start with [`TokenFile`].

use crate::host::private_files;
use crate::web::pairing::PairedPage;
use crate::web::secret::SecretHash;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Serialize, Deserialize)]
struct TokenLine {
    id: String,
    origin: String,
    hash: String,
    paired_at_s: u64,
}

/// The file.
#[derive(Clone, Debug)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// The file at a path. It need not be there.
    pub fn at(path: PathBuf) -> TokenFile {
        TokenFile { path }
    }

    /// Where it is.
    #[cfg(test)]
    fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The pages that are paired.
    ///
    /// # Errors
    /// It cannot be read, others may read or write it, or a line is not one of this program's.
    pub fn read(&self) -> Result<Vec<PairedPage>> {
        let shown = self.path.display();
        let text = private_files::read(&self.path)?;
        (1..).zip(text.lines()).map(|(number, line)| page_of(line).with_context(|| format!("{shown}: line {number} is damaged"))).collect()
    }

    /// Adds a page.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn add(&self, page: PairedPage) -> Result<()> {
        self.change(|pages| pages.push(page))
    }

    /// Removes the page with this id, or all pages. Returns how many there were.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn revoke(&self, id: &str) -> Result<usize> {
        let mut revoked = 0;
        self.change(|pages| {
            let before = pages.len();
            pages.retain(|page| id != "all" && page.id != id);
            revoked = before - pages.len();
        })?;
        Ok(revoked)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<PairedPage>)) -> Result<()> {
        private_files::change(&self.path, || {
            let mut pages = self.read()?;
            change(&mut pages);
            let mut text = String::new();
            for PairedPage { id, origin, hash, paired_at_s } in pages {
                let line = TokenLine { id, origin: origin.to_string(), hash: hash.hexadecimal(), paired_at_s };
                text += &serde_json::to_string(&line)?;
                text.push('\n');
            }
            Ok(text)
        })
    }
}

fn page_of(line: &str) -> Result<PairedPage> {
    let TokenLine { id, origin, hash, paired_at_s } = serde_json::from_str(line)?;
    Ok(PairedPage { id, origin: origin.parse()?, hash: SecretHash::read(&hash).context("the hash is damaged")?, paired_at_s })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::web::pairing::PagePairing;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn tokens_are_kept_hashed_for_the_owner_alone_and_can_be_revoked() {
        let folder = tempfile::tempdir().unwrap();
        let file = TokenFile::at(folder.path().join("new/tokens"));
        assert!(file.read().unwrap().is_empty());
        let mut tokens = Vec::new();
        for origin in ["https://a.example", "https://b.example"] {
            let (token, page) = PagePairing::pair(&origin.parse().unwrap(), 1).unwrap();
            file.add(page).unwrap();
            tokens.push(token);
        }
        let mode = fs::metadata(file.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(tokens.iter().all(|token| !text.contains(token.as_str())), "{text}");
        let pages = file.read().unwrap();
        assert!(pages[0].hash.is_of(tokens[0].as_str()) && pages[1].hash.is_of(tokens[1].as_str()));
        assert_eq!(file.revoke(&pages[0].id).unwrap(), 1);
        assert_eq!(file.revoke("nobody").unwrap(), 0);
        assert_eq!(file.read().unwrap().iter().map(|page| &page.id).collect::<Vec<_>>(), [&pages[1].id]);
        assert_eq!(file.revoke("all").unwrap(), 1);
        assert!(file.read().unwrap().is_empty());
    }

    #[test]
    fn a_file_that_others_may_read_or_that_is_damaged_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = TokenFile::at(folder.path().join("tokens"));
        fs::write(file.path(), "").unwrap();
        for (mode, is_sound) in [(0o644, false), (0o620, false), (0o604, false), (0o600, true)] {
            fs::set_permissions(file.path(), PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(file.read().is_ok(), is_sound, "{mode:o}");
        }
        fs::write(file.path(), "{\n").unwrap();
        assert!(file.read().unwrap_err().to_string().ends_with("line 1 is damaged"));
    }
}
