//! Pipes to and from children.

use std::rc::Rc;

use mauve_core::HandleId;
use mauve_sys::Result;
use mauve_sys::descriptor::Pipe;

use super::socket::{Socket, open_pipe};
use crate::core::Core;

/// The parent's end of a pipe. Dropping it closes it.
#[derive(Debug)]
pub(crate) struct PipeStream(pub Socket);

impl PipeStream {
    /// A pipe without a descriptor. The engine gives it one when it spawns a child.
    pub fn unconnected(core: Rc<Core>) -> Result<Self> {
        Ok(Self(Socket::open(core, open_pipe)?))
    }

    /// The engine's id of the stream.
    pub fn id(&self) -> HandleId {
        self.0.id
    }

    /// Takes the descriptor.
    pub fn into_descriptor(self) -> Result<Pipe> {
        self.0.into_fd()
    }
}
