//! Files that are looked at again and again.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use mauve_core::Completion;
use mauve_sys::fs::stat::Stat;
use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods, whole_millis};
use crate::Loop;
use crate::core::callback_token;

/// A file is not as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// What it was, if it was there.
    pub before: Option<Stat>,
    /// What it is.
    pub now: Stat,
}

/// Calls when a file has changed, and finds that out by looking: for file systems that announce
/// nothing, such as those of other machines. A [`Watcher`](crate::Watcher) is cheaper.
///
/// ```
/// use std::time::Duration;
/// use mauve::{FilePoll, Loop, RunMode, Timer};
///
/// let path = std::env::temp_dir().join(format!("file-poll-{}", std::process::id()));
/// std::fs::write(&path, "old").unwrap();
/// let lp: Loop = Loop::new()?;
/// FilePoll::new(&lp).start(&path, Duration::from_millis(1), |_, poll, change| {
///     assert_eq!(change.unwrap().now.size, 4);
///     poll.close();
/// })?;
/// let changed = path.clone();
/// Timer::new(&lp).once(Duration::from_millis(20), move |_, timer| {
///     // In one step: nobody sees half of it.
///     let fresh = changed.with_extension("new");
///     std::fs::write(&fresh, "news").unwrap();
///     std::fs::rename(&fresh, &changed).unwrap();
///     timer.close();
/// })?;
/// lp.run(RunMode::Default)?;
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_poll_t")]
pub struct FilePoll<S = ()>(AnyHandle<S>);

common_methods!(FilePoll);

impl<S: 'static> FilePoll<S> {
    /// Makes a handle that does not look yet.
    #[doc(alias = "uv_fs_poll_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_fs_poll(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a poll cannot fail"))
    }

    /// Looks at the file every `interval`, on the thread pool, and calls `callback` when it has
    /// changed. An error says that it could not be looked at, `ENOENT` for one; it is told once,
    /// and so is the file's return. One that looks already goes on as it does; `EINVAL` if the
    /// handle is closed, or the path has a zero in it.
    #[doc(alias = "uv_fs_poll_start")]
    pub fn start(
        &self,
        path: impl AsRef<Path>,
        interval: Duration,
        mut callback: impl FnMut(&mut S, &FilePoll<S>, Result<FileChange>) + 'static,
    ) -> Result<()> {
        let path = CString::new(path.as_ref().as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
        let news = self.0.lp.core.engine(|engine| {
            let mut poll = engine.fs_poll(self.0.id).ok_or(Errno::EINVAL)?;
            poll.start(&path, whole_millis(interval))
        })?;
        if !news {
            return Ok(());
        }
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::FsPoll { result, .. } = *completion {
                let change = result.and_then(|()| this.change());
                callback(state, &this, change);
            }
            this.0
        });
        Ok(())
    }

    fn change(&self) -> Result<FileChange> {
        let (before, now) = self.0.lp.core.engine(|engine| {
            let poll = engine.fs_poll(self.0.id).ok_or(Errno::EINVAL);
            poll.map(|mut poll| poll.statuses())
        })?;
        Ok(FileChange { before, now: now.ok_or(Errno::ENOENT)? })
    }

    /// Stops looking. Nothing happens if it does not look.
    #[doc(alias = "uv_fs_poll_stop")]
    pub fn stop(&self) {
        self.0.lp.core.engine(|engine| {
            if let Some(mut poll) = engine.fs_poll(self.0.id) {
                poll.stop();
            }
        });
    }
}
