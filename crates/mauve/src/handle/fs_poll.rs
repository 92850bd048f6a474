//! Detecting changes of a file by periodic `stat` calls.

use std::ffi::CString;
use std::path::Path;
use std::time::Duration;

use mauve_core::{Engine, WorkCompletion};
use mauve_sys::fs::stat::Stat;
use mauve_sys::{Errno, Result};

use super::{AnyHandle, whole_millis};
use crate::LoopRef;
use crate::targets::Report;

/// A change of a file, found by [`FsPoll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsPollEvent {
    /// The previous state. `None` if the file did not exist.
    pub previous: Option<Stat>,
    /// The current state.
    pub current: Stat,
}

/// Polls a file with `stat` and runs a callback when it has changed. For file systems without
/// change notifications, such as network file systems. A [`Watcher`](crate::Watcher) is cheaper.
///
/// ```
/// use std::time::Duration;
/// use mauve::{FsPoll, Loop, RunMode, Timer};
///
/// let path = std::env::temp_dir().join(format!("fs-poll-{}", std::process::id()));
/// std::fs::write(&path, "old").unwrap();
/// let lp: Loop = Loop::new()?;
/// FsPoll::new(&lp).start(&path, Duration::from_millis(1), |_, poll, event| {
///     assert_eq!(event.unwrap().current.size, 4);
///     poll.close();
/// })?;
/// let changed = path.clone();
/// Timer::new(&lp).once(Duration::from_millis(20), move |_, timer| {
///     // A rename is atomic: no poll sees a partly written file.
///     let replacement = changed.with_extension("new");
///     std::fs::write(&replacement, "more").unwrap();
///     std::fs::rename(&replacement, &changed).unwrap();
///     timer.close();
/// })?;
/// lp.run(RunMode::Default)?;
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_poll_t")]
pub struct FsPoll<S = ()>(AnyHandle<S>);

handle_type!(FsPoll);

impl<S: 'static> FsPoll<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_fs_poll_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(AnyHandle::open(lp, Engine::open_fs_poll))
    }

    /// Calls `stat` on the thread pool every `interval`, and `callback` when the file has changed.
    ///
    /// An error means that `stat` failed, for instance with `ENOENT`. It is reported once, until
    /// the error changes or `stat` succeeds again.
    ///
    /// A handle that is started keeps its path and callback. `EINVAL` if the handle is closed, or
    /// the path contains a NUL byte.
    #[doc(alias = "uv_fs_poll_start")]
    #[track_caller]
    pub fn start(
        &self,
        path: impl AsRef<Path>,
        interval: Duration,
        mut callback: impl FnMut(&mut S, &FsPoll<S>, Result<FsPollEvent>) + 'static,
    ) -> Result<()> {
        let path = CString::new(path.as_ref().as_os_str().as_encoded_bytes())
            .map_err(|_| Errno::EINVAL)?;
        let started = self.lp.core.engine_result(|engine| {
            let mut poll = engine.fs_poll(self.id).ok_or(Errno::EINVAL)?;
            poll.start(&path, whole_millis(interval))
        })?;
        if !started {
            return Ok(());
        }
        self.on_event(move |state, this: &Self, report| {
            if let Report::Work(WorkCompletion::FsPoll { result, .. }) = report {
                let event = result.and_then(|()| this.event());
                callback(state, this, event);
            }
        });
        Ok(())
    }

    fn event(&self) -> Result<FsPollEvent> {
        let (previous, current) = self.lp.core.engine_result(|engine| {
            let poll = engine.fs_poll(self.id).ok_or(Errno::EINVAL);
            poll.map(|mut poll| poll.statuses())
        })?;
        Ok(FsPollEvent { previous, current: current.ok_or(Errno::ENOENT)? })
    }

    /// Stops polling. Does nothing if the handle is not started.
    #[doc(alias = "uv_fs_poll_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut poll) = engine.fs_poll(self.id) {
                poll.stop();
            }
        });
    }
}
