//! Caches word graphs in the user's cache folder, so that a long word list is compiled once.
//!
//! The folder (`surroundings.rs`) can be removed at any time.
//! A list has one file there, named by its path. The caller checks what is read (`engine/tables.rs`). A file that cannot be
//! read or written costs time, but is not an error. Start with [`GraphCache`].

use crate::host::input_file;
use crate::host::surroundings::UserFolder;
use crate::rules::fingerprint::Fingerprint;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The most bytes of a cached graph: all nodes that the layout has room for, 4 bytes each, and the header before them.
const MOST_BYTES: u64 = 17 << 20;

/// A folder for graphs, or none.
#[derive(Clone, Debug, Default)]
pub struct GraphCache {
    folder: Option<PathBuf>,
}

impl GraphCache {
    /// The user's folder, as the environment determines it.
    pub fn of_user() -> GraphCache {
        GraphCache { folder: UserFolder::Cache.path() }
    }

    /// Another folder.
    #[cfg(test)]
    pub fn in_folder(folder: PathBuf) -> GraphCache {
        GraphCache { folder: Some(folder) }
    }

    /// The cached data of a list.
    pub fn read(&self, list: &Path) -> Option<Vec<u8>> {
        input_file::read(&self.file_of(list)?, MOST_BYTES).ok()
    }

    /// Caches something for a list. The file is the old one or the new one at any moment, also for other processes.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn write(&self, list: &Path, bytes: &[u8]) -> io::Result<()> {
        let (Some(folder), Some(path)) = (&self.folder, self.file_of(list)) else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let mut file = NamedTempFile::new_in(folder)?;
        // Not synced to the disk: if a crash of the machine damages the file, this is found when it is read.
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    }

    /// `<list's name>-<hash of its path>.graph`.
    fn file_of(&self, list: &Path) -> Option<PathBuf> {
        let place = fs::canonicalize(list).ok()?;
        let mut hash = Fingerprint::default();
        hash.add(place.as_os_str().as_encoded_bytes().iter().copied());
        let name = place.file_stem().unwrap_or_default().to_string_lossy();
        Some(self.folder.as_ref()?.join(format!("{name}-{:016x}.graph", hash.value())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_its_own_file_and_a_folder_that_cannot_be_made_is_an_error_of_writing_alone() {
        let folder = tempfile::tempdir().unwrap();
        let lists = ["a", "b"].map(|name| {
            let place = folder.path().join(name);
            fs::create_dir(&place).unwrap();
            fs::write(place.join("list.txt"), "").unwrap();
            place.join("list.txt")
        });
        let cache = GraphCache::in_folder(folder.path().join("deep/cache"));
        assert_eq!(cache.read(&lists[0]), None);
        for (list, bytes) in lists.iter().zip(["one", "two"]) {
            cache.write(list, bytes.as_bytes()).unwrap();
        }
        cache.write(&lists[0], b"three").unwrap();
        assert_eq!(lists.each_ref().map(|list| cache.read(list).unwrap()), [b"three".to_vec(), b"two".to_vec()]);
        assert_eq!(fs::read_dir(folder.path().join("deep/cache")).unwrap().count(), 2, "no unfinished files");
        let blocked = GraphCache::in_folder(lists[0].join("cache"));
        assert_eq!(blocked.read(&lists[1]), None);
        assert!(blocked.write(&lists[1], b"x").is_err());
        assert!(GraphCache::default().write(&lists[1], b"x").is_ok());
    }
}
