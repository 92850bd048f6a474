//! Watching files and directories for changes.

use std::path::{Path, PathBuf};

use mauve_core::Completion;
use mauve_sys::{Errno, Result};

pub use mauve_core::handle::fs_event::Change as FsEventKind;

use super::AnyHandle;
use crate::LoopRef;
use crate::core::handle_token;

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

impl<S: 'static> Watcher<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_fs_event_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_fs_event(handle_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a watcher cannot fail"))
    }

    /// Calls `callback` for every change at `path`. An error means that changes may have been
    /// missed: `ENOBUFS` if the kernel's queue overflowed.
    ///
    /// `EINVAL` if the handle is started already, or closed.
    ///
    /// ```
    /// use mauve::{Errno, Loop, RecursiveMode, Watcher};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let watcher = Watcher::new(&lp);
    /// let missing = watcher.start("no such file", RecursiveMode::NonRecursive, |_, _, _| {});
    /// assert_eq!(missing, Err(Errno::ENOENT));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_fs_event_start")]
    #[track_caller]
    pub fn start(
        &self,
        path: impl AsRef<Path>,
        mode: RecursiveMode,
        mut callback: impl FnMut(&mut S, &Watcher<S>, Result<FsEvent>) + 'static,
    ) -> Result<()> {
        self.0.lp.core.engine_result(|engine| {
            let mut event = engine.fs_event(self.0.id).ok_or(Errno::EINVAL)?;
            event.start(path.as_ref(), mode == RecursiveMode::Recursive)
        })?;
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::FsEvent { result, .. } = *completion {
                let path = || this.0.lp.core.engine(|engine| engine.changed_file().to_owned());
                let event = result.map(|kind| FsEvent { path: path(), kind });
                callback(state, &this, event);
            }
            this.0
        });
        Ok(())
    }

    /// Stops watching. Does nothing if the handle is not started.
    ///
    /// ```
    /// use mauve::{Loop, RecursiveMode, RunMode, Watcher};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let watcher = Watcher::new(&lp);
    /// watcher.start(".", RecursiveMode::NonRecursive, |_, _, _| {})?;
    /// watcher.stop();
    /// assert!(!lp.run(RunMode::Default)?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&self) {
        self.0.lp.core.try_engine(|engine| {
            if let Some(mut event) = engine.fs_event(self.0.id) {
                event.stop();
            }
        });
    }
}

impl<S: 'static> Watcher<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.event_loop()
    }

    /// Whether the handle is active. It is while it is started.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.ref_();
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    ///
    /// ```
    /// use mauve::{Loop, RecursiveMode, RunMode, Watcher};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let watcher = Watcher::new(&lp);
    /// watcher.start(".", RecursiveMode::NonRecursive, |_, _, _| {})?;
    /// watcher.unref();
    /// assert!(!lp.run(RunMode::Default)?, "nothing keeps the loop alive");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.0.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Watcher};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Watcher::new(&lp).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.close_with(callback)
    }
}

impl<S> Clone for Watcher<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Watcher<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Watcher<S>> for AnyHandle<S> {
    fn from(handle: Watcher<S>) -> Self {
        handle.0
    }
}
