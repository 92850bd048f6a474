//! Pipes, by the functions that the engine calls.

use super::named_pipe;
pub use super::named_pipe::PipeName;
use crate::descriptor::{AsDescriptor as _, BorrowedPipe, BorrowedSocket, Pipe, Socket};
use crate::{Errno, Result, device};

/// Creates a pipe: the read end and the write end, neither inherited. `nonblocking` sets the mode of each.
pub fn pipe(nonblocking: [bool; 2]) -> Result<[Pipe; 2]> {
    named_pipe::one_way(nonblocking)
}

/// Creates a pipe whose ends are readable and writable. `nonblocking` sets the mode of each.
pub fn duplex_pipe(nonblocking: [bool; 2]) -> Result<[Pipe; 2]> {
    named_pipe::pair(nonblocking)
}

/// Creates a pipe to a child: our end, which is non-blocking, and that of the child, with these directions.
/// Sockets are passed over one [for messages](frame_messages).
pub fn child_pipe(child_reads: bool, child_writes: bool, for_messages: bool) -> Result<[Pipe; 2]> {
    named_pipe::to_child(child_reads, child_writes, for_messages)
}

/// Has a pipe carry the messages with which libuv passes sockets. A pipe that blocks carries none: what needs them
/// fails with `ENOTSUP`.
pub fn frame_messages(pipe: BorrowedPipe<'_>) {
    if let Some(device) = device::find(pipe.raw_descriptor()) {
        device.frame_messages();
    }
}

/// Sets the process to which sockets are passed, if it has not opened its end of the pipe itself.
pub fn set_peer_process(pipe: BorrowedPipe<'_>, process: u32) {
    if let Some(device) = device::find(pipe.raw_descriptor()) {
        device.set_peer_process(process);
    }
}

/// The result of an attempt to connect, which has ended. A descriptor that is returned replaces that of the
/// attempt.
pub fn finish_connecting(fd: BorrowedSocket<'_>) -> Result<Option<Socket>> {
    match device::find(fd.raw_descriptor()) {
        Some(device) => device.finish_connecting(),
        None => crate::net::take_error(fd)?.map_or(Ok(None), Err),
    }
}

/// Whether one direction can be closed alone. Otherwise the peer sees an end when the descriptor is closed.
pub fn half_closes(fd: BorrowedSocket<'_>) -> bool {
    device::find(fd.raw_descriptor()).is_none()
}

/// The name to which a pipe is bound. Empty unless it is a server.
pub fn pipe_name(pipe: BorrowedPipe<'_>) -> Result<Vec<u8>> {
    named_pipe::name(pipe, false)
}

/// The name to which the peer of a pipe is bound. `ENOTCONN` for a server.
pub fn pipe_peer_name(pipe: BorrowedPipe<'_>) -> Result<Vec<u8>> {
    named_pipe::name(pipe, true)
}

/// How many connections a server can take until the loop has accepted them: the next [`listen`] has an effect.
///
/// [`listen`]: crate::net::listen
#[doc(alias = "uv_pipe_pending_instances")]
pub fn set_pending_instances(pipe: BorrowedPipe<'_>, count: usize) -> Result<()> {
    let server = device::find(pipe.raw_descriptor()).ok_or(Errno::ENOTSOCK)?;
    server.set_pending_instances(count);
    Ok(())
}
