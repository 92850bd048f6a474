//! Polls of sockets by the AFD device, on which Winsock is built.
//!
//! A poll is a request that the device completes when one of its events has occurred. It does not bind the
//! socket to a port, so a socket may be polled by several loops, and used in other ways.

use std::ffi::c_void;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::Storage::FileSystem::{FILE_OPEN, NtCancelIoFileEx, NtCreateFile};
use windows_sys::Wdk::System::IO::NtDeviceIoControlFile;
use windows_sys::Win32::Foundation::{
    HANDLE, STATUS_NOT_FOUND, STATUS_PENDING, STATUS_SUCCESS, UNICODE_STRING,
};
use windows_sys::Win32::Networking::WinSock::{SIO_BASE_HANDLE, SOCKET, SOCKET_ERROR, WSAIoctl};
use windows_sys::Win32::Storage::FileSystem::{FILE_SHARE_READ, FILE_SHARE_WRITE, SYNCHRONIZE};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, IO_STATUS_BLOCK};

use crate::errno::from_status;
use crate::selector::{Interest, Readiness};
use crate::{Errno, Result};

const IOCTL_AFD_POLL: u32 = 0x0001_2024;

// The events of a poll.
const RECEIVE: u32 = 1;
const RECEIVE_EXPEDITED: u32 = 1 << 1;
const SEND: u32 = 1 << 2;
const DISCONNECT: u32 = 1 << 3;
const ABORT: u32 = 1 << 4;
const LOCAL_CLOSE: u32 = 1 << 5;
const ACCEPT: u32 = 1 << 7;
const CONNECT_FAIL: u32 = 1 << 8;

/// The events that `interest` waits for. Errors are always reported. A refused connection is reported as writable,
/// as by libuv: the socket has its error.
pub(super) fn events(interest: Interest) -> u32 {
    let events = [
        (Interest::READABLE, RECEIVE | ACCEPT | DISCONNECT),
        (Interest::WRITABLE, SEND | CONNECT_FAIL),
        (Interest::DISCONNECT, DISCONNECT),
        (Interest::PRIORITIZED, RECEIVE_EXPEDITED),
    ];
    let wanted = events.into_iter().filter(|(wanted, _)| interest.contains(*wanted));
    wanted.fold(ABORT | LOCAL_CLOSE, |all, (_, events)| all | events)
}

/// What the events of a poll mean for a descriptor that is registered with `interest`.
pub(super) fn readiness(events: u32, interest: Interest) -> Readiness {
    let meanings = [
        (RECEIVE | ACCEPT, Readiness::READABLE),
        (SEND, Readiness::WRITABLE),
        (DISCONNECT, Readiness::READABLE | Readiness::DISCONNECT),
        (RECEIVE_EXPEDITED, Readiness::PRIORITIZED),
        (ABORT, Readiness::all() - Readiness::PRIORITIZED),
        (CONNECT_FAIL, Readiness::WRITABLE | Readiness::HANGUP),
    ];
    let mut readiness = Readiness::empty();
    for (_, meaning) in meanings.into_iter().filter(|(event, _)| events & event != 0) {
        readiness |= meaning;
    }
    readiness.wanted(interest) | readiness & (Readiness::ERROR | Readiness::HANGUP)
}

/// The socket to poll for `socket`: that of the system, if another provider lies above it.
pub(super) fn base_socket(socket: SOCKET) -> SOCKET {
    let (mut base, mut returned): (SOCKET, u32) = (socket, 0);
    let (at, size) = ((&raw mut base).cast::<c_void>(), size_of::<SOCKET>() as u32);
    // SAFETY: the output is a socket, which is stored in a local variable. The call fails if the number is
    // no socket.
    let result = unsafe {
        WSAIoctl(socket, SIO_BASE_HANDLE, null(), 0, at, size, &raw mut returned, null_mut(), None)
    };
    if result == SOCKET_ERROR { socket } else { base }
}

/// One entry of `AFD_POLL_INFO`.
#[repr(C)]
struct PollHandle {
    handle: SOCKET,
    events: u32,
    status: i32,
}

/// `AFD_POLL_INFO` for one socket: the input and the output of a poll.
#[repr(C)]
struct PollInfo {
    timeout: i64,
    count: u32,
    exclusive: u32,
    handle: PollHandle,
}

/// A poll of one socket. The device writes to it from [`Afd::submit`] until it is completed.
#[repr(C)]
pub(super) struct Poll {
    status: IO_STATUS_BLOCK,
    info: PollInfo,
}

impl Poll {
    pub fn new(socket: SOCKET) -> Self {
        // SAFETY: all bits of the struct may be zero.
        let status = unsafe { std::mem::zeroed() };
        let handle = PollHandle { handle: socket, events: 0, status: 0 };
        Self { status, info: PollInfo { timeout: i64::MAX, count: 1, exclusive: 0, handle } }
    }

    /// The events that have completed the poll; none if it was cancelled.
    pub fn events(&self) -> u32 {
        // SAFETY: every field of the union is a number of this size, or begins with one.
        let status = unsafe { self.status.Anonymous.Status };
        if status == STATUS_SUCCESS && self.info.count > 0 { self.info.handle.events } else { 0 }
    }
}

/// A handle of the AFD device.
pub(super) struct Afd(OwnedHandle);

impl Afd {
    /// Opens the device, whose completions are queued to `port` with `key`.
    pub fn open(port: HANDLE, key: usize) -> Result<Self> {
        // The last part of the name is not used by the system.
        let mut name: Vec<u16> = "\\Device\\Afd\\mauve".encode_utf16().collect();
        let size = size_of_val(&name[..]) as u16;
        let name = UNICODE_STRING { Length: size, MaximumLength: size, Buffer: name.as_mut_ptr() };
        let attributes = OBJECT_ATTRIBUTES {
            Length: size_of::<OBJECT_ATTRIBUTES>() as u32,
            RootDirectory: null_mut(),
            ObjectName: &raw const name,
            Attributes: 0,
            SecurityDescriptor: null(),
            SecurityQualityOfService: null(),
        };
        let mut device = null_mut();
        // SAFETY: all bits of the struct may be zero.
        let mut status: IO_STATUS_BLOCK = unsafe { std::mem::zeroed() };
        // SAFETY: the name and the attributes outlive the call, which stores a handle in a local variable.
        let result = unsafe {
            NtCreateFile(
                &raw mut device,
                SYNCHRONIZE,
                &raw const attributes,
                &raw mut status,
                null(),
                0,
                FILE_SHARE_READ | FILE_SHARE_WRITE,
                FILE_OPEN,
                0,
                null(),
                0,
            )
        };
        if result != STATUS_SUCCESS {
            return Err(from_status(result));
        }
        // SAFETY: the system has just opened it, and nothing owns it.
        let device = unsafe { OwnedHandle::from_raw_handle(device) };
        // SAFETY: both handles are open.
        if unsafe { CreateIoCompletionPort(device.as_raw_handle(), port, key, 0) }.is_null() {
            return Err(Errno::last());
        }
        Ok(Self(device))
    }

    /// Submits a poll. Its completion has `context` as the address of its `OVERLAPPED`. After an error there
    /// is no completion.
    ///
    /// # Safety
    /// `poll` is valid, and nothing else accesses it, until its completion was taken from the port.
    pub unsafe fn submit(
        &self,
        poll: *mut Poll,
        events: u32,
        context: *const c_void,
    ) -> Result<()> {
        // SAFETY: the caller guarantees that the poll is valid, and that this is its only use. The device
        // copies the information before the call returns, and writes both parts when the poll is complete.
        let result = unsafe {
            (*poll).status.Anonymous.Status = STATUS_PENDING;
            (*poll).info.count = 1;
            (*poll).info.handle.events = events;
            (*poll).info.handle.status = 0;
            let info = (&raw mut (*poll).info).cast();
            let size = size_of::<PollInfo>() as u32;
            NtDeviceIoControlFile(
                self.0.as_raw_handle(),
                null_mut(),
                None,
                context,
                &raw mut (*poll).status,
                IOCTL_AFD_POLL,
                info,
                size,
                info,
                size,
            )
        };
        match result {
            STATUS_SUCCESS | STATUS_PENDING => Ok(()),
            status => Err(from_status(status)),
        }
    }

    /// Cancels a poll, which is then completed. It may be complete already.
    ///
    /// # Safety
    /// `poll` was submitted, and its completion was not taken from the port.
    pub unsafe fn cancel(&self, poll: *mut Poll) {
        // SAFETY: all bits of the struct may be zero.
        let mut status: IO_STATUS_BLOCK = unsafe { std::mem::zeroed() };
        // SAFETY: the caller guarantees that the poll is valid. Only the address of its status is used.
        let result = unsafe {
            NtCancelIoFileEx(self.0.as_raw_handle(), &raw const (*poll).status, &raw mut status)
        };
        debug_assert!(result == STATUS_SUCCESS || result == STATUS_NOT_FOUND, "{result:#x}");
    }
}
