//! Reading directories.

use std::fs::DirEntry;
use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use mauve_core::pool::Lane;

use super::blocking;
use crate::transfer::Transfer;

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
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_opendir")]
pub async fn read_dir(path: impl AsRef<Path>) -> io::Result<ReadDir> {
    let path = path.as_ref().to_owned();
    let (rest, batch) = blocking(move || std::fs::read_dir(path).map(read_batch)).await?;
    Ok(ReadDir { rest, batch, in_flight: None })
}

/// An iterator over the entries of a directory.
#[doc(alias = "uv_dir_t")]
#[derive(Debug)]
pub struct ReadDir {
    /// `None` after the last entry, and while a batch is read on the pool.
    rest: Option<std::fs::ReadDir>,
    batch: Entries,
    /// The batch that is read on the pool.
    in_flight: Option<Transfer<Batch>>,
}

type Entries = std::vec::IntoIter<io::Result<DirEntry>>;

/// Entries, and the rest of the directory if there are more.
type Batch = (Option<std::fs::ReadDir>, Entries);

impl ReadDir {
    /// The next entry, in no particular order. `None` after the last.
    ///
    /// # Cancel safety
    /// No entry is lost if the future is dropped before it completes.
    #[doc(alias = "uv_fs_readdir")]
    pub async fn next_entry(&mut self) -> io::Result<Option<DirEntry>> {
        poll_fn(|context| self.poll_next_entry(context)).await
    }

    /// Polls for the next entry.
    pub fn poll_next_entry(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<Option<DirEntry>>> {
        loop {
            if let Some(entry) = self.batch.next() {
                return Poll::Ready(entry.map(Some));
            }
            if let Some(transfer) = &mut self.in_flight {
                let batch = ready!(transfer.poll(context));
                self.in_flight = None;
                (self.rest, self.batch) = batch?;
                continue;
            }
            let Some(rest) = self.rest.take() else { return Poll::Ready(Ok(None)) };
            self.in_flight = Some(Transfer::start(Lane::Normal, move || Ok(read_batch(rest))));
        }
    }
}

/// The entries, as a stream.
impl Stream for ReadDir {
    type Item = io::Result<DirEntry>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_next_entry(context).map(Result::transpose)
    }
}

/// Reads a batch of entries. Returns the iterator too if there may be more.
fn read_batch(mut entries: std::fs::ReadDir) -> Batch {
    let batch: Vec<_> = entries.by_ref().take(BATCH).collect();
    let more = batch.len() == BATCH && batch.last().is_some_and(Result::is_ok);
    (more.then_some(entries), batch.into_iter())
}
