//! Named pipes: for children and for connections within the machine.
//!
//! * [`connected`]: the end of a pipe that has a peer, with overlapped operations.
//! * [`blocking`]: such an end without overlapped operations, which threads perform.
//! * [`server`]: accepts connections.
//! * [`connecting`]: an attempt to connect that has to wait.
//! * [`frames`]: the messages of pipes that pass sockets.
//! * [`operation`]: one overlapped operation.
//! * [`permissions`]: permissions of a server for other users.
//!
//! A read in flight of no bytes is readiness: it is complete when there is data. A write is started with a copy
//! of the bytes and returns `EAGAIN`, unless it is complete at once; the same write has to follow, and returns
//! the result. So a write counts as written when the system has it, and its error is not lost.

mod blocking;
mod connected;
mod connecting;
mod frames;
mod operation;
mod permissions;
mod server;

pub(crate) use frames::{delayed_error, forget_delayed_error};
use std::ffi::CString;
use std::fmt::Write as _;
use std::mem::offset_of;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use windows_sys::Wdk::Storage::FileSystem::{
    FILE_ACCESS_INFORMATION, FILE_INFORMATION_CLASS, FILE_MODE_INFORMATION,
    FILE_SYNCHRONOUS_IO_ALERT, FILE_SYNCHRONOUS_IO_NONALERT, FileAccessInformation,
    FileModeInformation, NtQueryInformationFile,
};
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_PIPE_BUSY, GENERIC_READ, GENERIC_WRITE, GetLastError, HANDLE,
    INVALID_HANDLE_VALUE, STATUS_SUCCESS,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, FILE_NAME_INFO,
    FILE_READ_ATTRIBUTES, FILE_READ_DATA, FILE_WRITE_ATTRIBUTES, FILE_WRITE_DATA, FileNameInfo,
    GetFileInformationByHandleEx, OPEN_EXISTING, PIPE_ACCESS_DUPLEX, PIPE_ACCESS_INBOUND,
    PIPE_ACCESS_OUTBOUND,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
};

use crate::descriptor::{AsDescriptor as _, BorrowedPipe, Pipe, RawDescriptor, handle};
use crate::{Errno, Result, device, fs};

/// The size of the system's buffers, and of the largest write.
const BUFFER: u32 = 64 << 10;

/// The name of a pipe, such as `\\.\pipe\name`.
#[derive(Clone, Debug)]
pub struct PipeName {
    text: CString,
    wide: Vec<u16>,
}

impl PipeName {
    /// `EINVAL` if the name is empty, is not WTF-8, or contains a zero byte.
    pub fn new(name: &[u8]) -> Result<Self> {
        let text = CString::new(name).map_err(|_| Errno::EINVAL)?;
        let wide = fs::path::to_wide(&text)?;
        if name.is_empty() { Err(Errno::EINVAL) } else { Ok(Self { text, wide }) }
    }

    /// Creates a server. `EADDRINUSE` if there is one with this name, `EACCES` if no pipe can have it.
    pub fn bind(&self) -> Result<Pipe> {
        server::Server::bind(self.clone())
    }

    /// The file to remove when a server is closed: none.
    pub fn path(&self) -> Option<CString> {
        None
    }

    /// Connects to the server, or starts to wait for one of its instances.
    pub fn open_client(&self) -> Result<Pipe> {
        match self.open() {
            Err(Refusal::Busy) => connecting::Connecting::start(self),
            Err(Refusal::Other(error)) => Err(error),
            Ok(pipe) => Ok(pipe),
        }
    }

    /// Connects an open descriptor: nothing is left to be done for one of [`open_client`](Self::open_client).
    /// `EINVAL` for a server.
    pub fn connect(&self, pipe: BorrowedPipe<'_>) -> Result<()> {
        match device::find(pipe.raw_descriptor()) {
            Some(device) => device.await_writable().map(drop).map_err(|_| Errno::EINVAL),
            None => Err(Errno::EINVAL),
        }
    }

    /// Connects with the access that the server permits.
    fn open(&self) -> Result<Pipe, Refusal> {
        let all = [
            GENERIC_READ | GENERIC_WRITE,
            GENERIC_READ | FILE_WRITE_ATTRIBUTES,
            GENERIC_WRITE | FILE_READ_ATTRIBUTES,
        ];
        let mut refusal = Refusal::Other(Errno::EACCES);
        for access in all {
            match open_end(&self.wide, access, FILE_FLAG_OVERLAPPED) {
                Ok(client) => return overlapped(client, Some(self.text())).map_err(Refusal::Other),
                // SAFETY: takes no arguments.
                Err(error) => match unsafe { GetLastError() } {
                    ERROR_ACCESS_DENIED => refusal = Refusal::Other(error),
                    ERROR_PIPE_BUSY => return Err(Refusal::Busy),
                    _ => return Err(Refusal::Other(error)),
                },
            }
        }
        Err(refusal)
    }

    fn wide(&self) -> &[u16] {
        &self.wide
    }

    fn text(&self) -> Vec<u8> {
        self.text.as_bytes().to_vec()
    }
}

/// Why an attempt to connect has failed.
enum Refusal {
    /// All instances have a client.
    Busy,
    Other(Errno),
}

/// Opens the client's end of a pipe. The name is null-terminated.
fn open_end(name: &[u16], access: u32, flags: u32) -> Result<OwnedHandle> {
    let at = name.as_ptr();
    // SAFETY: the name is null-terminated, and outlives the call. What is opened has no other owner.
    unsafe { owned(CreateFileW(at, access, 0, null(), OPEN_EXISTING, flags, null_mut())) }
}

/// Adds an overlapped end to the devices. A client knows the name of its peer.
fn overlapped(end: OwnedHandle, peer: Option<Vec<u8>>) -> Result<Pipe> {
    connected::NamedPipe::insert(end.as_raw_handle() as RawDescriptor, peer)?;
    Ok(end.into())
}

/// Makes a device of an open pipe that is none yet, such as an inherited one.
pub(crate) fn adopt(raw: RawDescriptor) -> Result<()> {
    let mut mode = FILE_MODE_INFORMATION { Mode: 0 };
    query(handle(raw), FileModeInformation, &mut mode)?;
    if mode.Mode & (FILE_SYNCHRONOUS_IO_ALERT | FILE_SYNCHRONOUS_IO_NONALERT) != 0 {
        blocking::BlockingPipe::insert(raw)
    } else {
        connected::NamedPipe::insert(raw, None)
    }
}

/// Whether a handle may be read, and written.
pub(crate) fn access(handle: HANDLE) -> Result<(bool, bool)> {
    let mut access = FILE_ACCESS_INFORMATION { AccessFlags: 0 };
    query(handle, FileAccessInformation, &mut access)?;
    let flags = access.AccessFlags;
    Ok((flags & FILE_READ_DATA != 0, flags & FILE_WRITE_DATA != 0))
}

/// Queries a fact about a handle, whose struct is that of `class`.
fn query<T>(handle: HANDLE, class: FILE_INFORMATION_CLASS, into: &mut T) -> Result<()> {
    let (at, size) = (std::ptr::from_mut(into).cast(), size_of::<T>() as u32);
    // SAFETY: all bits of the struct may be zero.
    let mut status: IO_STATUS_BLOCK = unsafe { std::mem::zeroed() };
    // SAFETY: `into` is writable for its size. The call fails if the handle is not open.
    match unsafe { NtQueryInformationFile(handle, &raw mut status, at, size, class) } {
        STATUS_SUCCESS => Ok(()),
        status => Err(crate::errno::from_status(status)),
    }
}

/// The name to which a pipe is bound, which only a server has, or its peer. `ENOTSOCK` for other descriptors.
pub(crate) fn name(pipe: BorrowedPipe<'_>, of_peer: bool) -> Result<Vec<u8>> {
    let device = device::find(pipe.raw_descriptor()).ok_or(Errno::ENOTSOCK)?;
    match device.name(of_peer) {
        Some(name) => name,
        // Also for the end of a server, as in libuv.
        None if of_peer => system_name(pipe.handle()),
        None => Ok(Vec::new()),
    }
}

/// The name of an open pipe, as the system knows it.
fn system_name(pipe: HANDLE) -> Result<Vec<u8>> {
    const START: usize = offset_of!(FILE_NAME_INFO, FileName);
    // Longer than any name, and aligned for the struct.
    let mut memory = [0u32; 512];
    let (at, size) = (memory.as_mut_ptr(), size_of_val(&memory) as u32);
    // SAFETY: the memory is writable for its size.
    if unsafe { GetFileInformationByHandleEx(pipe, FileNameInfo, at.cast(), size) } == 0 {
        return Err(Errno::last());
    }
    let length = (memory[0] as usize).min(size_of_val(&memory) - START) / 2;
    // SAFETY: the memory is initialised, and has that many characters after its first field.
    let wide =
        unsafe { std::slice::from_raw_parts(at.cast::<u8>().add(START).cast::<u16>(), length) };
    let mut name = br"\\?\pipe".to_vec();
    name.extend(fs::path::from_wide(wide));
    Ok(name)
}

/// Creates a pipe: the end that is read, and the one that is written. An end is overlapped if it is
/// non-blocking.
pub(crate) fn one_way(nonblocking: [bool; 2]) -> Result<[Pipe; 2]> {
    create_pair(PIPE_ACCESS_INBOUND, GENERIC_WRITE | FILE_READ_ATTRIBUTES, nonblocking)
}

/// Creates a pipe whose ends are readable and writable. An end is overlapped if it is non-blocking.
pub(crate) fn pair(nonblocking: [bool; 2]) -> Result<[Pipe; 2]> {
    create_pair(PIPE_ACCESS_DUPLEX, GENERIC_READ | GENERIC_WRITE, nonblocking)
}

/// Creates a pipe to a child: our end, which is overlapped, and that of the child.
/// One for messages has both directions, and does not block in the child, either.
pub(crate) fn to_child(
    child_reads: bool,
    child_writes: bool,
    for_messages: bool,
) -> Result<[Pipe; 2]> {
    match (child_reads, child_writes) {
        _ if for_messages => pair([true, true]),
        (true, false) => {
            let access = GENERIC_READ | FILE_WRITE_ATTRIBUTES;
            create_pair(PIPE_ACCESS_OUTBOUND, access, [true, false])
        }
        (false, true) => one_way([true, false]),
        _ => pair([true, false]),
    }
}

fn create_pair(
    server_access: u32,
    client_access: u32,
    nonblocking: [bool; 2],
) -> Result<[Pipe; 2]> {
    let name = new_name();
    let flags = nonblocking.map(|nonblocking| if nonblocking { FILE_FLAG_OVERLAPPED } else { 0 });
    let open = server_access | FILE_FLAG_FIRST_PIPE_INSTANCE | flags[0];
    let mode = PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS;
    // SAFETY: the name is null-terminated, and outlives the call. What is opened has no other owner.
    let server = unsafe {
        owned(CreateNamedPipeW(name.wide.as_ptr(), open, mode, 1, BUFFER, BUFFER, 0, null()))
    }?;
    let client = open_end(&name.wide, client_access, flags[1])?;
    let ends = [(server, nonblocking[0]), (client, nonblocking[1])];
    let [server, client] = ends
        .map(|(end, nonblocking)| if nonblocking { overlapped(end, None) } else { Ok(end.into()) });
    Ok([server?, client?])
}

/// Takes ownership of a handle that a system call has returned.
///
/// # Safety
/// It was just opened, or is `INVALID_HANDLE_VALUE`.
unsafe fn owned(handle: HANDLE) -> Result<OwnedHandle> {
    if handle == INVALID_HANDLE_VALUE {
        return Err(Errno::last());
    }
    // SAFETY: the caller promises that it was just opened, so nothing owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// A name that no other pipe has.
fn new_name() -> PipeName {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut random = [0; 8];
    // Without random bytes, the numbers of the process and of the pipe are left.
    let _ = crate::os::random::fill(&mut random);
    let mut name = String::from(r"\\.\pipe\mauve");
    let numbers = [std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)];
    let _ = write!(name, "-{}-{}-{:x}", numbers[0], numbers[1], u64::from_ne_bytes(random));
    PipeName::new(name.as_bytes()).expect("the name is text")
}

#[cfg(test)]
mod tests {
    use std::io::IoSlice;

    use super::*;
    use crate::fd;

    fn write(pipe: &Pipe, bytes: &[u8]) -> Result<usize> {
        fd::write(pipe.as_descriptor(), &[IoSlice::new(bytes)])
    }

    fn read(pipe: &Pipe, buffer: &mut [u8]) -> Result<usize> {
        fd::read(pipe.as_descriptor(), buffer)
    }

    /// Repeats an operation that is in flight.
    fn retry(mut operation: impl FnMut() -> Result<usize>) -> Result<usize> {
        loop {
            match operation() {
                Err(Errno::EAGAIN) => std::thread::yield_now(),
                result => return result,
            }
        }
    }

    #[test]
    fn bytes_are_read_in_parts_and_then_the_end() {
        let [one, other] = pair([true, true]).unwrap();
        let mut buffer = [0; 3];
        assert_eq!(read(&one, &mut buffer), Err(Errno::EAGAIN));
        assert_eq!(retry(|| write(&other, b"hello")), Ok(5));
        assert_eq!((read(&one, &mut buffer), buffer), (Ok(3), *b"hel"));
        assert_eq!((read(&one, &mut buffer), &buffer[..2]), (Ok(2), &b"lo"[..]));
        assert_eq!(read(&one, &mut buffer), Err(Errno::EAGAIN));
        drop(other);
        assert_eq!(read(&one, &mut buffer), Ok(0));
        assert_eq!(retry(|| write(&one, b"x")), Err(Errno::EPIPE));
    }

    #[test]
    fn a_write_without_room_is_in_flight_until_the_other_end_is_read() {
        let [one, other] = pair([true, false]).unwrap();
        let bytes: Vec<u8> = (0..300_000u32).map(|n| (n % 251) as u8).collect();
        let reader = std::thread::spawn(move || {
            let (mut all, mut buffer) = (Vec::new(), vec![0; 10_000]);
            loop {
                match read(&other, &mut buffer).unwrap() {
                    0 => return all,
                    count => all.extend_from_slice(&buffer[..count]),
                }
            }
        });
        let mut sent = 0;
        while sent < bytes.len() {
            sent += retry(|| write(&one, &bytes[sent..])).unwrap();
        }
        drop(one);
        assert!(reader.join().unwrap() == bytes);
    }

    #[test]
    fn an_abandoned_write_is_not_the_result_of_another() {
        let [one, other] = pair([true, true]).unwrap();
        let full = vec![7; BUFFER as usize];
        while write(&one, &full).is_ok() {}
        assert_eq!(write(&one, b"other"), Err(Errno::EAGAIN), "the first one is in flight");
        let mut buffer = vec![0; 1 << 20];
        let result = loop {
            match write(&one, b"other") {
                Err(Errno::EAGAIN) => drop(read(&other, &mut buffer)),
                result => break result,
            }
        };
        assert_eq!(result, Ok(5));
    }
}
