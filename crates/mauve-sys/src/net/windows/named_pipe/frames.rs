//! The messages of pipes that pass sockets to another process, as libuv writes them.
//!
//! A message has a header of four numbers of 32 bits: flags, zero, the number of bytes, zero. A socket follows,
//! if the flags say so, and then the bytes. A socket is described by 632 bytes: the protocol information that
//! `WSADuplicateSocketW` makes for the process that receives it, and an error that the socket has to report.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::os::windows::io::{FromRawSocket as _, OwnedSocket};
use std::ptr::null_mut;
use std::sync::Mutex;

use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};
use windows_sys::Win32::Networking::WinSock::{
    FROM_PROTOCOL_INFO, INVALID_SOCKET, SOCK_STREAM, WSA_FLAG_OVERLAPPED, WSADuplicateSocketW,
    WSAEADDRINUSE, WSAPROTOCOL_INFOW, WSASocketW,
};
use windows_sys::Win32::System::Pipes::{
    GetNamedPipeClientProcessId, GetNamedPipeInfo, GetNamedPipeServerProcessId, PIPE_SERVER_END,
};

use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor, Descriptor, RawDescriptor, handle};
use crate::device::lock;
use crate::net::{check, local_address, peer_address};
use crate::{Errno, Result, fd};

// The flags of a message.
const HAS_BYTES: u32 = 1;
const HAS_SOCKET: u32 = 1 << 1;
/// The socket is a connection, not a listener.
const IS_CONNECTION: u32 = 1 << 2;

const HEADER: usize = 16;

/// A socket in a message.
#[repr(C)]
#[derive(Clone, Copy)]
struct PassedSocket {
    protocol: WSAPROTOCOL_INFOW,
    delayed_error: u32,
}

const SOCKET: usize = size_of::<PassedSocket>();
const _: () = assert!(SOCKET == 632 && offset_of!(PassedSocket, delayed_error) == 628);

/// What precedes the `length` bytes of a message. With a socket for the process `to`, which is a TCP socket: `ENOTSUP`
/// for others.
pub(super) fn begin_message(
    into: &mut Vec<u8>,
    length: usize,
    passed: Option<BorrowedDescriptor<'_>>,
    to: u32,
) -> Result<()> {
    let mut flags = if length > 0 { HAS_BYTES } else { 0 };
    let mut socket = None;
    if let Some(passed) = passed {
        let info = duplicate(passed, to)?;
        flags |= HAS_SOCKET;
        if peer_address(passed).is_ok() {
            flags |= IS_CONNECTION;
        }
        // A socket without an address could not be bound, which is reported when it is used.
        let delayed_error = if local_address(passed).is_ok() { 0 } else { WSAEADDRINUSE };
        socket = Some(PassedSocket { protocol: info, delayed_error: delayed_error as u32 });
    }
    // A write has at most the size of a buffer.
    for number in [flags, 0, length as u32, 0] {
        into.extend(number.to_le_bytes());
    }
    if let Some(socket) = socket {
        // SAFETY: all bytes of the struct are initialised, since it has no padding.
        into.extend(unsafe {
            std::slice::from_raw_parts((&raw const socket).cast::<u8>(), SOCKET)
        });
    }
    Ok(())
}

/// Makes a duplicate of a socket for a process.
fn duplicate(passed: BorrowedDescriptor<'_>, process: u32) -> Result<WSAPROTOCOL_INFOW> {
    // SAFETY: all bits of the struct may be zero.
    let mut info: WSAPROTOCOL_INFOW = unsafe { std::mem::zeroed() };
    let is_tcp = super::super::protocol(passed.raw_descriptor())
        .is_ok_and(|info| info.iSocketType == SOCK_STREAM);
    if !is_tcp {
        return Err(Errno::ENOTSUP);
    }
    // SAFETY: the information is stored in a local variable.
    check(unsafe { WSADuplicateSocketW(passed.socket(), process, &raw mut info) })?;
    Ok(info)
}

/// Opens the socket of a message.
fn open(socket: &PassedSocket) -> Result<Descriptor> {
    let delayed_error = socket.delayed_error;
    let info = &raw const socket.protocol;
    let any = FROM_PROTOCOL_INFO;
    // SAFETY: the information is complete. The call opens a socket if it succeeds, which nothing owns.
    let socket = unsafe {
        let socket = WSASocketW(any, any, any, info, 0, WSA_FLAG_OVERLAPPED);
        if socket == INVALID_SOCKET {
            return Err(Errno::last());
        }
        Descriptor::from(OwnedSocket::from_raw_socket(socket as _))
    };
    // SAFETY: the handle is open. A child that another thread starts in between inherits it.
    unsafe { SetHandleInformation(handle(socket.raw_descriptor()), HANDLE_FLAG_INHERIT, 0) };
    fd::set_nonblocking(socket.raw_descriptor(), true)?;
    if delayed_error != 0 {
        let error = Errno::from_code(delayed_error.cast_signed());
        lock(&DELAYED).insert(socket.raw_descriptor(), error);
    }
    Ok(socket)
}

/// The errors of received sockets that could not be bound, until they are closed.
static DELAYED: Mutex<BTreeMap<RawDescriptor, Errno>> = Mutex::new(BTreeMap::new());

/// The error of a received socket that could not be bound.
pub(crate) fn delayed_error(socket: RawDescriptor) -> Option<Errno> {
    lock(&DELAYED).get(&socket).copied()
}

/// Called before a socket is closed: the system gives its number to another one.
pub(crate) fn forget_delayed_error(socket: RawDescriptor) {
    lock(&DELAYED).remove(&socket);
}

/// The process at the other end of a pipe.
pub(super) fn peer_process(pipe: HANDLE) -> Result<u32> {
    let (mut flags, mut process) = (0, 0);
    // SAFETY: the numbers are stored in local variables. The calls fail if the handle is no pipe.
    let known = unsafe {
        let none = null_mut();
        match GetNamedPipeInfo(pipe, &raw mut flags, none, none, none) {
            0 => 0,
            _ if flags & PIPE_SERVER_END != 0 => {
                GetNamedPipeClientProcessId(pipe, &raw mut process)
            }
            _ => GetNamedPipeServerProcessId(pipe, &raw mut process),
        }
    };
    if known == 0 { Err(Errno::last()) } else { Ok(process) }
}

/// The message that is being read.
#[derive(Debug, Default)]
pub(super) struct MessageReader {
    /// The part of a header, or of a header and its socket, that was read.
    start: Vec<u8>,
    /// How many bytes of the message are left.
    bytes_left: usize,
}

impl MessageReader {
    /// Reads bytes of messages with `read`. Calls `receive` for each socket. `EAGAIN` if there are no more bytes,
    /// or only a socket. `ECONNABORTED` if what was read is no message.
    pub fn read(
        &mut self,
        buffer: &mut [u8],
        mut read: impl FnMut(&mut [u8]) -> Result<usize>,
        receive: &mut dyn FnMut(Descriptor),
    ) -> Result<usize> {
        while self.bytes_left == 0 {
            let mut part = [0; SOCKET];
            let missing = self.missing()?;
            match read(&mut part[..missing])? {
                // Within a message, too: libuv reports the end of the stream.
                0 => return Ok(0),
                count => self.start.extend_from_slice(&part[..count]),
            }
            if self.missing()? > 0 {
                continue;
            }
            let start = std::mem::take(&mut self.start);
            self.bytes_left = number(&start, 2) as usize;
            if start.len() > HEADER {
                // SAFETY: the bytes are as many as the struct has, and any values are valid.
                let socket =
                    unsafe { start[HEADER..].as_ptr().cast::<PassedSocket>().read_unaligned() };
                receive(open(&socket)?);
                if self.bytes_left == 0 {
                    return Err(Errno::EAGAIN);
                }
            }
        }
        let size = buffer.len().min(self.bytes_left);
        let count = read(&mut buffer[..size])?;
        self.bytes_left -= count;
        Ok(count)
    }

    /// How many bytes are missing at the beginning of the message.
    fn missing(&self) -> Result<usize> {
        if self.start.len() < HEADER {
            return Ok(HEADER - self.start.len());
        }
        let [flags, one, bytes, other] = [0, 1, 2, 3].map(|index| number(&self.start, index));
        let known = HAS_BYTES | HAS_SOCKET | IS_CONNECTION;
        let has_bytes = flags & HAS_BYTES != 0;
        if flags & !known != 0 || one != 0 || other != 0 || (bytes > 0) != has_bytes {
            return Err(Errno::ECONNABORTED);
        }
        let socket = if flags & HAS_SOCKET != 0 { SOCKET } else { 0 };
        Ok(HEADER + socket - self.start.len())
    }
}

/// A number of a header.
fn number(header: &[u8], index: usize) -> u32 {
    let bytes = header[index * 4..][..4].try_into().expect("four bytes");
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::IoSlice;

    use super::super::pair;
    use super::*;
    use crate::descriptor::Pipe;
    use crate::net::{self, AF_INET};

    fn messages() -> [Pipe; 2] {
        let pipes = pair([true, true]).unwrap();
        for pipe in &pipes {
            net::frame_messages(pipe.as_descriptor());
        }
        pipes
    }

    fn send(pipe: &Pipe, bytes: &[u8], socket: Option<&Descriptor>) -> Result<usize> {
        let (pipe, slices) = (pipe.as_descriptor(), [IoSlice::new(bytes)]);
        loop {
            let sent = match socket {
                Some(socket) => net::send_with_descriptor(pipe, &slices, socket.as_descriptor()),
                None => fd::write(pipe, &slices),
            };
            if sent != Err(Errno::EAGAIN) {
                return sent;
            }
        }
    }

    fn receive(pipe: &Pipe, buffer: &mut [u8], sockets: &mut Vec<Descriptor>) -> Result<usize> {
        let before = sockets.len();
        loop {
            let read = net::receive_with_descriptors(pipe.as_descriptor(), buffer, |socket| {
                sockets.push(socket);
            });
            if read != Err(Errno::EAGAIN) || sockets.len() > before {
                return read;
            }
        }
    }

    #[test]
    fn messages_have_the_bytes_of_libuv() {
        let [ours, theirs] = pair([true, true]).unwrap();
        net::frame_messages(ours.as_descriptor());
        assert_eq!(send(&ours, b"hello", None), Ok(5));
        assert_eq!(send(&ours, b"", None), Ok(0));
        let mut buffer = [0; 64];
        while fd::read(theirs.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
        let mut expected = [0; 37];
        (expected[0], expected[8]) = (1, 5);
        expected[16..21].copy_from_slice(b"hello");
        assert_eq!(buffer[..37], expected);
    }

    #[test]
    fn bytes_and_sockets_arrive_in_order() {
        let [ours, theirs] = messages();
        let listener = net::socket(AF_INET, net::SOCK_STREAM).unwrap();
        let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into();
        net::bind(listener.as_descriptor(), &any).unwrap();
        net::listen(listener.as_descriptor(), 1).unwrap();
        let [socket, peer] = net::socket_pair(net::SOCK_STREAM, 0, [true, true]).unwrap();
        send(&ours, b"one", None).unwrap();
        send(&ours, b"two", Some(&socket)).unwrap();
        send(&ours, b"", Some(&listener)).unwrap();
        let (mut buffer, mut sockets) = ([0; 2], Vec::new());
        let mut all = Vec::new();
        for _ in 0..4 {
            let count = receive(&theirs, &mut buffer, &mut sockets).unwrap();
            all.extend_from_slice(&buffer[..count]);
        }
        assert_eq!((all.as_slice(), sockets.len()), (&b"onetwo"[..], 1));
        assert_eq!(receive(&theirs, &mut buffer, &mut sockets), Err(Errno::EAGAIN));
        let [passed, passed_listener] =
            [&sockets[0], &sockets[1]].map(|socket| socket.as_descriptor());
        assert_eq!(
            net::local_address(passed_listener),
            net::local_address(listener.as_descriptor())
        );
        // The duplicate is the same connection.
        drop(socket);
        while fd::write(passed, &[IoSlice::new(b"ok")]) != Ok(2) {}
        while fd::read(peer.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
        assert_eq!(&buffer, b"ok");
        drop(ours);
        assert_eq!(receive(&theirs, &mut buffer, &mut sockets), Ok(0));
    }

    #[test]
    fn a_socket_that_could_not_be_bound_reports_that_when_it_listens() {
        let [ours, theirs] = messages();
        let unbound = net::socket(AF_INET, net::SOCK_STREAM).unwrap();
        send(&ours, b"x", Some(&unbound)).unwrap();
        let mut sockets = Vec::new();
        receive(&theirs, &mut [0; 8], &mut sockets).unwrap();
        let listening = net::listen(sockets[0].as_descriptor(), 1);
        assert_eq!(listening, Err(Errno::EADDRINUSE));
        let raw = sockets.remove(0).raw_descriptor();
        assert_eq!(delayed_error(raw), None, "the socket is closed, and its number is free");
        // One that was never bound listens on any port.
        assert_eq!(net::listen(unbound.as_descriptor(), 1), Ok(()));
    }

    #[test]
    fn what_is_no_message_ends_the_connection() {
        let [ours, theirs] = pair([true, true]).unwrap();
        net::frame_messages(theirs.as_descriptor());
        send(&ours, &[8; 16], None).unwrap();
        let error = receive(&theirs, &mut [0; 8], &mut Vec::new());
        assert_eq!(error, Err(Errno::ECONNABORTED));
    }

    #[test]
    fn datagram_sockets_and_pipes_are_not_passed() {
        let [ours, _theirs] = messages();
        let datagrams = net::socket(AF_INET, net::SOCK_DGRAM).unwrap();
        let [pipe, _other] = pair([true, true]).unwrap();
        for descriptor in [&datagrams, &pipe] {
            assert_eq!(send(&ours, b"x", Some(descriptor)), Err(Errno::ENOTSUP));
        }
    }
}
