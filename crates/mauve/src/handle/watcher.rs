//! Watching files and directories for changes.

use std::path::{Path, PathBuf};

use mauve_core::{Completion, Engine};
use mauve_sys::{Errno, Result};

#[doc(inline)]
pub use mauve_core::handle::fs_event::Change as FsEventKind;

use super::AnyHandle;
use crate::LoopRef;
use crate::targets::Report;

/// Whether a [`Watcher`] watches subdirectories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecursiveMode {
    /// Watch the file, or the directory and its entries.
    NonRecursive,
    /// Watch the directory and all its subdirectories. A subdirectory that is created or moved in
    /// later is watched too, and its existing entries are reported.
    #[doc(alias = "UV_FS_EVENT_RECURSIVE")]
    Recursive,
}

/// A change reported by a [`Watcher`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsEvent {
    /// The path relative to the watched directory, or the name of the watched file.
    pub path: PathBuf,
    /// The kind of change.
    pub kind: FsEventKind,
}

/// Runs a callback when a file or directory changes.
///
/// ```
/// use mauve::{Loop, RecursiveMode, RunMode, Watcher};
///
/// let directory = std::env::temp_dir().join(format!("watcher-{}", std::process::id()));
/// std::fs::create_dir_all(&directory).unwrap();
/// let lp: Loop = Loop::new()?;
/// Watcher::new(&lp).start(&directory, RecursiveMode::Recursive, |_, watcher, event| {
///     assert_eq!(event.unwrap().path.to_str(), Some("file"));
///     watcher.close();
/// })?;
/// std::fs::write(directory.join("file"), "!").unwrap();
/// lp.run(RunMode::Default)?;
/// # std::fs::remove_dir_all(&directory).unwrap();
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_event_t")]
pub struct Watcher<S = ()>(AnyHandle<S>);

handle_type!(Watcher);

impl<S: 'static> Watcher<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_fs_event_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(AnyHandle::open(lp, Engine::open_fs_event))
    }

    /// Calls `callback` for every change at `path`. An error means that changes may have been
    /// missed: `ENOBUFS` if the kernel's queue overflowed.
    ///
    /// `EINVAL` if the handle is started already, or closed.
    #[doc(alias = "uv_fs_event_start")]
    #[track_caller]
    pub fn start(
        &self,
        path: impl AsRef<Path>,
        mode: RecursiveMode,
        mut callback: impl FnMut(&mut S, &Watcher<S>, Result<FsEvent>) + 'static,
    ) -> Result<()> {
        self.lp.core.engine_result(|engine| {
            let mut event = engine.fs_event(self.id).ok_or(Errno::EINVAL)?;
            event.start(path.as_ref(), mode == RecursiveMode::Recursive)
        })?;
        self.on_event(move |state, this: &Self, report| {
            if let Report::Event(Completion::FsEvent { result, .. }) = report {
                let path = || this.lp.core.engine(|engine| engine.changed_file().to_owned());
                let event = result.map(|kind| FsEvent { path: path(), kind });
                callback(state, this, event);
            }
        });
        Ok(())
    }

    /// Stops watching. Does nothing if the handle is not started.
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut event) = engine.fs_event(self.id) {
                event.stop();
            }
        });
    }
}
