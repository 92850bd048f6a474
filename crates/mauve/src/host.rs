//! What mauve's layer for JavaScript needs beyond the API. Semantic versioning does not cover it.

use mauve_core::probe::LoopProbe;
use mauve_sys::Result;
use mauve_sys::fs::read_batch::FileRead;

use crate::LoopRef;
use crate::fs::read_with;

impl<S: 'static> LoopRef<S> {
    /// The probe of the loop, for hosts that record what runs inside of callbacks.
    pub fn probe(&self) -> &'static LoopProbe {
        self.core.engine(|engine| engine.probe())
    }

    /// Adds lines to the report for `mauve why`. `notes` must not use the loop.
    pub fn set_notes(&self, notes: Box<dyn Fn() -> Vec<String>>) {
        self.core.engine(|engine| engine.set_notes(notes));
    }

    /// Each event of a listener accepts one connection, as in libuv.
    pub fn accept_singly(&self) {
        self.core.engine(|engine| engine.accept_in_bursts(false));
    }

    /// Reads from a file that is named by its number.
    pub fn read_file(
        &self,
        read: FileRead,
        callback: impl FnOnce(Result<Vec<u8>>) + 'static,
    ) -> Result<()> {
        read_with(&self.core, read, callback)
    }
}
