//! Watching files and directories, for tasks.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use mauve_core::{Completion, HandleId};
use mauve_sys::Errno;

use crate::core::{Core, current};
use crate::targets::{self, Report};
use crate::{FsEvent, RecursiveMode};

/// Changes beyond this number that no task has taken are dropped. As many fit into Linux' own queue.
const MAX_QUEUED: usize = 16 << 10;

/// Watches a file or a directory, on the loop that runs on this thread. The directories are watched
/// when this returns: all later changes are reported.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::{FsEventKind, RecursiveMode, fs};
///
/// let directory = fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
/// let mut changes = fs::watch(&directory, RecursiveMode::NonRecursive)?;
/// fs::write(directory.join("file"), "!").await?;
/// let created = changes.next_change().await.unwrap()?;
/// assert_eq!((created.path.to_str(), created.kind), (Some("file"), FsEventKind::Created));
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// `NotFound` if the path does not exist, and the error of the system if it has no more watches.
///
/// # Panics
/// Panics if no loop runs on this thread.
#[doc(alias = "uv_fs_event_start")]
pub fn watch(path: impl AsRef<Path>, mode: RecursiveMode) -> io::Result<Changes> {
    let core = current();
    let queue: Rc<RefCell<Queue>> = Rc::default();
    let writer = QueueWriter(queue.clone());
    let key = core.targets.insert_handle();
    let handle = core.engine(|engine| {
        let handle = engine.open_fs_event(targets::token(key));
        // Not referenced: the task that waits for changes keeps the loop alive.
        engine.set_referenced(handle, false);
        engine.hide(handle);
        handle
    });
    core.targets.set_handle_id(key, handle);
    core.targets.set_stateless_event(key, handle, move |core, report| {
        if let Report::Event(Completion::FsEvent { result, .. }) = report {
            let path = || core.engine(|engine| engine.changed_file().to_owned());
            writer.push(result.map(|kind| FsEvent { path: path(), kind }).map_err(io::Error::from));
        }
    });
    let changes = Changes { core, handle, queue };
    changes.core.engine_result(|engine| {
        let mut event = engine.fs_event(handle).ok_or(Errno::EINVAL)?;
        event.start(path.as_ref(), mode == RecursiveMode::Recursive)
    })?;
    Ok(changes)
}

/// The changes of a file or directory: see [`watch`]. Dropping it stops watching.
pub struct Changes {
    core: Rc<Core>,
    handle: HandleId,
    queue: Rc<RefCell<Queue>>,
}

impl Changes {
    /// The next change. `None` after the loop was dropped.
    ///
    /// # Errors
    /// An error means that changes may have been missed: `ENOBUFS` if a queue overflowed, that of the
    /// kernel or that of the changes that no task has taken. Watching continues. An error that names both
    /// loops if another loop runs on this thread: its task would wait for ever.
    ///
    /// # Cancel safety
    /// No change is lost if the future is dropped before it completes.
    pub async fn next_change(&mut self) -> Option<io::Result<FsEvent>> {
        poll_fn(|context| self.poll_next_change(context)).await
    }

    /// Polls for the next change.
    pub fn poll_next_change(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<FsEvent>>> {
        let mut queue = self.queue.borrow_mut();
        if let Some(change) = queue.changes.pop_front() {
            return Poll::Ready(Some(change));
        }
        if queue.ended {
            return Poll::Ready(None);
        }
        if let Err(error) = self.core.check_current("a change") {
            return Poll::Ready(Some(Err(error)));
        }
        let before = queue.waker.replace(context.waker().clone());
        // A waker is foreign code: not while the queue is borrowed.
        drop(queue);
        drop(before);
        Poll::Pending
    }
}

/// The changes, as a stream.
impl Stream for Changes {
    type Item = io::Result<FsEvent>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_next_change(context)
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        self.core.try_engine(|engine| engine.close_handle(self.handle));
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// Changes that were reported, and not yet taken.
#[derive(Default)]
struct Queue {
    changes: VecDeque<io::Result<FsEvent>>,
    waker: Option<Waker>,
    ended: bool,
}

/// The end of the queue that the callback owns. Dropping it ends the stream.
struct QueueWriter(Rc<RefCell<Queue>>);

impl QueueWriter {
    fn push(&self, change: io::Result<FsEvent>) {
        let mut queue = self.0.borrow_mut();
        match queue.changes.len() {
            0..MAX_QUEUED => queue.changes.push_back(change),
            MAX_QUEUED => queue.changes.push_back(Err(Errno::ENOBUFS.into())),
            _ => {}
        }
        wake(queue.waker.take(), queue);
    }
}

impl Drop for QueueWriter {
    fn drop(&mut self) {
        let mut queue = self.0.borrow_mut();
        queue.ended = true;
        wake(queue.waker.take(), queue);
    }
}

/// Wakes the task when the queue is no longer borrowed.
fn wake(waker: Option<Waker>, queue: std::cell::RefMut<'_, Queue>) {
    drop(queue);
    if let Some(waker) = waker {
        waker.wake();
    }
}
