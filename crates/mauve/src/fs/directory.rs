//! The entries of directories.

use std::fs::DirEntry;
use std::io;
use std::path::Path;

use super::blocking;
use crate::Result;

/// How many entries are fetched at once: enough for the way to the pool to cost little.
const PORTION: usize = 128;

/// Begins to read a directory.
///
/// ```
/// use mauve::{Loop, fs};
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let mut entries = fs::read_dir("/").await?;
///     while let Some(entry) = entries.next_entry().await? {
///         println!("{}", entry.path().display());
///     }
///     Ok::<_, mauve::Errno>(())
/// })?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_opendir")]
pub async fn read_dir(path: impl AsRef<Path>) -> Result<ReadDir> {
    let path = path.as_ref().to_owned();
    let (rest, portion) = blocking(move || std::fs::read_dir(path).map(fetch)).await?;
    Ok(ReadDir { rest, portion })
}

/// A directory that is being read.
#[doc(alias = "uv_dir_t")]
#[derive(Debug)]
pub struct ReadDir {
    /// `None` when it has told all, or while a portion is fetched.
    rest: Option<std::fs::ReadDir>,
    portion: std::vec::IntoIter<io::Result<DirEntry>>,
}

impl ReadDir {
    /// The next entry, in no order; `None` after the last.
    #[doc(alias = "uv_fs_readdir")]
    pub async fn next_entry(&mut self) -> Result<Option<DirEntry>> {
        loop {
            if let Some(entry) = self.portion.next() {
                return Ok(Some(entry?));
            }
            let Some(rest) = self.rest.take() else { return Ok(None) };
            (self.rest, self.portion) = blocking(move || Ok(fetch(rest))).await?;
        }
    }
}

/// Takes a portion of entries, and says whether there may be more.
fn fetch(
    mut entries: std::fs::ReadDir,
) -> (Option<std::fs::ReadDir>, std::vec::IntoIter<io::Result<DirEntry>>) {
    let portion: Vec<_> = entries.by_ref().take(PORTION).collect();
    let more = portion.len() == PORTION && portion.last().is_some_and(Result::is_ok);
    (more.then_some(entries), portion.into_iter())
}
