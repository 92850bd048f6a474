//! The seam at which calls fail on purpose.
//!
//! `mauve sim --faults` sets a function that decides which of them do. The calls of requests (files and
//! names) check here before they reach the system. Those on sockets are checked by the engine, which knows
//! what a socket is used for. While nothing is set, a check is a load and a branch.
//!
//! Each call has the errors that its manual page has, and that a machine without memory, descriptors,
//! space or network returns.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{Errno, Result};

/// A call that may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `accept`: no descriptor is left.
    Accept,
    /// `connect`.
    Connect,
    /// Receiving from a connection.
    Receive,
    /// Sending on a connection.
    Send,
    /// Sending to a pipe or a terminal: it is full.
    SendPipe,
    /// Receiving a datagram.
    ReceiveDatagram,
    /// Receiving a datagram on a connected socket, whose peer may have refused one.
    ReceiveFromPeer,
    /// Sending a datagram.
    SendDatagram,
    /// Sending a datagram on a connected socket.
    SendToPeer,
    /// Opening a file or a directory.
    Open,
    /// Opening a file that is created if it does not exist.
    OpenNew,
    /// Creating a name: `mkdir`, `link`, `symlink`, `rename`.
    Create,
    /// Reading from a file.
    Read,
    /// Writing to a file.
    Write,
    /// `fsync` and `fdatasync`.
    Sync,
    /// `getaddrinfo`.
    Resolve,
}

impl Call {
    /// The errors that it may return.
    pub fn errors(self) -> &'static [Errno] {
        match self {
            Self::Accept | Self::Open => &[Errno::EMFILE, Errno::ENFILE],
            Self::Connect => &[Errno::ECONNREFUSED, Errno::ETIMEDOUT],
            Self::Receive => &[Errno::ECONNRESET, Errno::ETIMEDOUT],
            Self::Send => &[Errno::ECONNRESET, Errno::EPIPE, Errno::EAGAIN],
            Self::SendPipe => &[Errno::EAGAIN],
            Self::ReceiveDatagram => &[Errno::ENOMEM],
            Self::ReceiveFromPeer => &[Errno::ECONNREFUSED, Errno::ENOMEM],
            Self::SendDatagram => &[Errno::ENOBUFS, Errno::EAGAIN],
            Self::SendToPeer => &[Errno::ECONNREFUSED, Errno::ENOBUFS, Errno::EAGAIN],
            Self::OpenNew => &[Errno::EMFILE, Errno::ENFILE, Errno::ENOSPC],
            Self::Create => &[Errno::ENOSPC],
            Self::Read | Self::Sync => &[Errno::EIO],
            Self::Write => &[Errno::ENOSPC, Errno::EIO],
            Self::Resolve => &[Errno::EAI_AGAIN],
        }
    }

    /// What fails, for logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Connect => "connect",
            Self::Receive | Self::ReceiveDatagram | Self::ReceiveFromPeer => "receive",
            Self::Send | Self::SendPipe | Self::SendDatagram | Self::SendToPeer => "send",
            Self::Open | Self::OpenNew => "open",
            Self::Create => "create",
            Self::Read => "read",
            Self::Write => "write",
            Self::Sync => "fsync",
            Self::Resolve => "getaddrinfo",
        }
    }
}

/// Returns the error of a call that fails.
pub type Decide = fn(Call) -> Option<Errno>;

static DECIDE: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Sets what decides which calls fail, from now on.
pub fn set(decide: Decide) {
    DECIDE.store(decide as *mut (), Ordering::Release);
}

/// Whether calls may fail. Then nothing is attempted without blocking, because only the call that blocks
/// checks.
#[inline]
pub fn is_on() -> bool {
    !DECIDE.load(Ordering::Relaxed).is_null()
}

/// Fails if the call is to fail.
#[inline(always)]
pub fn check(call: Call) -> Result<()> {
    if is_on() { decide(call) } else { Ok(()) }
}

#[cold]
fn decide(call: Call) -> Result<()> {
    let decide = DECIDE.load(Ordering::Acquire);
    // SAFETY: not null, so it is the function that `set` has stored.
    let decide = unsafe { std::mem::transmute::<*mut (), Decide>(decide) };
    decide(call).map_or(Ok(()), Err)
}
