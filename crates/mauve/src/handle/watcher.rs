//! What happens to files.

use std::path::{Path, PathBuf};

use mauve_core::Completion;
use mauve_sys::{Errno, Result};

pub use mauve_core::handle::fs_event::Change;

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// How far a [`Watcher`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// At the file, or at the directory and its entries.
    Here,
    /// At the directory and everything below it. Directories that are made or moved in later are
    /// watched, too, and what is in them by then is told.
    Tree,
}

/// Something has happened to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEvent {
    /// Where, from the watched directory on; the name of the file if a file is watched.
    pub path: PathBuf,
    /// What.
    pub change: Change,
}

/// Calls when something happens to a file, or in a directory.
///
/// ```
/// use mauve::{Depth, Loop, RunMode, Watcher};
///
/// let place = std::env::temp_dir().join(format!("watcher-{}", std::process::id()));
/// std::fs::create_dir_all(&place).unwrap();
/// let lp: Loop = Loop::new()?;
/// Watcher::new(&lp).start(&place, Depth::Tree, |_, watcher, event| {
///     assert_eq!(event.unwrap().path.to_str(), Some("news"));
///     watcher.close();
/// })?;
/// std::fs::write(place.join("news"), "!").unwrap();
/// lp.run(RunMode::Default)?;
/// # std::fs::remove_dir_all(&place).unwrap();
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_event_t")]
pub struct Watcher<S = ()>(AnyHandle<S>);

common_methods!(Watcher);

impl<S: 'static> Watcher<S> {
    /// Makes a handle that does not watch yet.
    #[doc(alias = "uv_fs_event_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_fs_event(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a watcher cannot fail"))
    }

    /// Calls `callback` for everything that happens to what is at `path`. An error says that
    /// something may have been missed: `ENOBUFS` if it was too much at once. `EINVAL` if the
    /// handle is watching already, or closed.
    #[doc(alias = "uv_fs_event_start")]
    pub fn start(
        &self,
        path: impl AsRef<Path>,
        depth: Depth,
        mut callback: impl FnMut(&mut S, &Watcher<S>, Result<FileEvent>) + 'static,
    ) -> Result<()> {
        self.0.lp.core.engine(|engine| {
            let mut event = engine.fs_event(self.0.id).ok_or(Errno::EINVAL)?;
            event.start(path.as_ref(), depth == Depth::Tree)
        })?;
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::FsEvent { result, .. } = *completion {
                let path = || this.lp().core.engine(|engine| engine.changed_file().to_owned());
                let event = result.map(|change| FileEvent { path: path(), change });
                callback(state, &this, event);
            }
            this.0
        });
        Ok(())
    }

    /// Stops watching. Nothing happens if it does not watch.
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&self) {
        self.0.lp.core.engine(|engine| {
            if let Some(mut event) = engine.fs_event(self.0.id) {
                event.stop();
            }
        });
    }
}
