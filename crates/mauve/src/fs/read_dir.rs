//! Reading directories.

use std::fs::DirEntry;
use std::io;
use std::path::Path;

use super::blocking;

/// Number of entries that one request on the pool reads, to amortise its round trip.
const BATCH: usize = 128;

/// Opens a directory and returns its entries as an asynchronous iterator.
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
pub async fn read_dir(path: impl AsRef<Path>) -> io::Result<ReadDir> {
    let path = path.as_ref().to_owned();
    let (rest, batch) = blocking(move || std::fs::read_dir(path).map(read_batch)).await?;
    Ok(ReadDir { rest, batch })
}

/// An iterator over the entries of a directory.
#[doc(alias = "uv_dir_t")]
#[derive(Debug)]
pub struct ReadDir {
    /// `None` after the last entry, and while a batch is read on the pool.
    rest: Option<std::fs::ReadDir>,
    batch: std::vec::IntoIter<io::Result<DirEntry>>,
}

impl ReadDir {
    /// The next entry, in no particular order. `None` after the last.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let mut entries = mauve::fs::read_dir("/proc/self").await?;
    /// let mut names = Vec::new();
    /// while let Some(entry) = entries.next_entry().await? {
    ///     names.push(entry.file_name());
    /// }
    /// assert!(names.contains(&"limits".into()));
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_fs_readdir")]
    pub async fn next_entry(&mut self) -> io::Result<Option<DirEntry>> {
        loop {
            if let Some(entry) = self.batch.next() {
                return Ok(Some(entry?));
            }
            let Some(rest) = self.rest.take() else { return Ok(None) };
            (self.rest, self.batch) = blocking(move || Ok(read_batch(rest))).await?;
        }
    }
}

/// Reads a batch of entries. Returns the iterator too if there may be more.
fn read_batch(
    mut entries: std::fs::ReadDir,
) -> (Option<std::fs::ReadDir>, std::vec::IntoIter<io::Result<DirEntry>>) {
    let batch: Vec<_> = entries.by_ref().take(BATCH).collect();
    let more = batch.len() == BATCH && batch.last().is_some_and(Result::is_ok);
    (more.then_some(entries), batch.into_iter())
}
