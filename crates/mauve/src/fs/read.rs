//! Reads of open files, with a callback. [`File`](super::File) waits for the same request as a future.
//!
//! All reads are [submitted to the engine](mauve_core::Engine::submit_read): it attempts those that the
//! page cache can serve on the loop's thread, and leaves others to the pool.

use std::cell::Cell;
use std::rc::Rc;

use mauve_core::WorkCompletion;
use mauve_sys::Result;
use mauve_sys::fs::read_batch::FileRead;

use crate::core::Core;
use crate::targets::{self, Report};

/// Starts a read that owns its buffer. `callback` gets the buffer in a poll phase.
pub(crate) fn read_with(
    core: &Rc<Core>,
    read: FileRead,
    callback: impl FnOnce(Result<Vec<u8>>) + 'static,
) -> Result<()> {
    let request = Rc::new(Cell::new(None));
    let submitted = request.clone();
    let key = core.targets.insert_stateless(move |core, report| {
        if let Report::Work(WorkCompletion::Read { result, .. }) = report {
            let take = |id| core.engine(|engine| engine.take_read(id));
            let bytes = request.get().and_then(take).unwrap_or_default();
            callback(result.map(|_| bytes));
        }
    });
    match core.engine_result(|engine| engine.submit_read(targets::token(key), read)) {
        Ok(id) => {
            submitted.set(Some(id));
            Ok(())
        }
        Err(error) => {
            core.targets.remove(key);
            Err(error)
        }
    }
}
