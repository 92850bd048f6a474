//! Operations on the sockets and handles of Windows.

use std::fs::OpenOptions;
use std::io::IoSlice;
use std::os::windows::io::{BorrowedHandle, BorrowedSocket, OwnedHandle};
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{GetHandleInformation, INVALID_HANDLE_VALUE, WAIT_FAILED};
use windows_sys::Win32::Networking::WinSock::{
    FIONBIO, POLLIN, POLLOUT, WSAPOLLFD, WSAPoll, ioctlsocket,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_TYPE_CHAR, FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileType, ReadFile, WriteFile,
};
use windows_sys::Win32::System::Console::{
    GetConsoleMode, GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
};
use windows_sys::Win32::System::Threading::WaitForSingleObject;

use super::FdType;
use crate::descriptor::{
    self, AsDescriptor as _, BorrowedDescriptor, CLOSED, Descriptor, RawDescriptor, handle,
};

use crate::net::named_pipe;
use crate::{Errno, Result, device, net, payload, tty};

/// Determines the type of `fd`.
#[doc(alias = "uv_guess_handle")]
pub fn fd_type(fd: RawDescriptor) -> FdType {
    if fd == CLOSED {
        return FdType::Unknown;
    }
    if let Some(device) = device::find(fd) {
        return device.fd_type();
    }
    // SAFETY: the number is used by calls that fail if it is not open.
    let borrowed = unsafe { BorrowedDescriptor::borrow_raw(fd) };
    if let Ok(family) = net::family(borrowed) {
        return match family {
            net::AF_INET | net::AF_INET6 if net::is_udp(borrowed) => FdType::Udp,
            net::AF_INET | net::AF_INET6 => FdType::Tcp,
            _ => FdType::Unknown,
        };
    }
    // SAFETY: the call fails if the number is not an open handle.
    match unsafe { GetFileType(handle(fd)) } {
        FILE_TYPE_CHAR if is_console(fd) => FdType::Tty,
        FILE_TYPE_CHAR | FILE_TYPE_DISK => FdType::File,
        FILE_TYPE_PIPE => FdType::Pipe,
        _ => FdType::Unknown,
    }
}

fn is_console(fd: RawDescriptor) -> bool {
    let mut mode = 0;
    // SAFETY: stores a number in a local variable. The call fails for other handles.
    unsafe { GetConsoleMode(handle(fd), &raw mut mode) != 0 }
}

/// Sets or clears non-blocking mode of a socket. Makes a device of a pipe, whose operations do not block; then
/// its writes wait until all is written if the mode is cleared. `ENOTSOCK` for other descriptors.
pub fn set_nonblocking(fd: RawDescriptor, nonblocking: bool) -> Result<()> {
    if let Some(device) = device::find(fd) {
        return device.set_blocking(!nonblocking);
    }
    // SAFETY: the call fails if the number is not an open handle.
    if nonblocking && unsafe { GetFileType(handle(fd)) } == FILE_TYPE_PIPE && !net::is_socket(fd) {
        return named_pipe::adopt(fd);
    }
    let mut value = u32::from(nonblocking);
    // SAFETY: FIONBIO reads a number. The call fails if the number is no socket.
    net::check(unsafe { ioctlsocket(fd, FIONBIO, &raw mut value) }).map(drop)
}

/// Reads available bytes. Zero bytes mean end of file, unless `buffer` is empty.
pub fn read(fd: BorrowedDescriptor<'_>, buffer: &mut [u8]) -> Result<usize> {
    net::receive(fd, buffer)
}

/// [`read`] from a handle that is no socket and no device. Blocks until there is data.
pub(crate) fn read_handle(fd: BorrowedDescriptor<'_>, buffer: &mut [u8]) -> Result<usize> {
    let (at, size) = (buffer.as_mut_ptr(), u32::try_from(buffer.len()).unwrap_or(u32::MAX));
    let mut count = 0;
    // SAFETY: the buffer has at least `size` bytes, and is exclusively borrowed.
    match unsafe { ReadFile(fd.handle(), at, size, &raw mut count, null_mut()) } {
        0 => match Errno::last() {
            // The other end of a pipe is closed.
            Errno::EOF => Ok(0),
            error => Err(error),
        },
        _ => Ok(count as usize),
    }
}

/// Writes as many bytes as the descriptor accepts. `ENOBUFS` becomes `EAGAIN`, because the caller has to wait
/// in both cases.
pub fn write(fd: BorrowedDescriptor<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    net::send(fd, slices)
}

/// [`write`] to a handle that is no socket and no device: the first slice that is not empty.
pub(crate) fn write_handle(fd: BorrowedDescriptor<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    let parts = slices.iter().map(|slice| payload::single(std::slice::from_ref(slice)));
    let bytes = parts.into_iter().find(|bytes| !bytes.is_empty()).unwrap_or_default();
    let mut count = 0;
    // SAFETY: the bytes are borrowed during the call. A slice has at most `u32::MAX` of them.
    let written = unsafe {
        WriteFile(fd.handle(), bytes.as_ptr(), bytes.len() as u32, &raw mut count, null_mut())
    };
    if written == 0 { Err(Errno::last()) } else { Ok(count as usize) }
}

/// Takes ownership of a raw descriptor. `EBADF` if it is [`CLOSED`].
///
/// # Safety
/// The descriptor is open, and nothing else owns or closes it.
pub unsafe fn from_raw(fd: RawDescriptor) -> Result<Descriptor> {
    if fd == CLOSED {
        return Err(Errno::EBADF);
    }
    // SAFETY: the caller promises that it is open and not owned elsewhere.
    Ok(unsafe { descriptor::from_raw(fd) })
}

/// Whether a read from a socket does not block: there is data, the end of the stream, or an error.
/// `ENOTSOCK` for other descriptors.
pub fn is_readable(fd: BorrowedDescriptor<'_>) -> Result<bool> {
    is_ready(fd, POLLIN)
}

/// Whether a write to a socket does not block: there is room, or an error. `ENOTSOCK` for other
/// descriptors.
pub fn is_writable(fd: BorrowedDescriptor<'_>) -> Result<bool> {
    is_ready(fd, POLLOUT)
}

fn is_ready(fd: BorrowedDescriptor<'_>, events: i16) -> Result<bool> {
    if !net::is_socket(fd.socket()) {
        return Err(Errno::ENOTSOCK);
    }
    let mut entry = WSAPOLLFD { fd: fd.socket(), events, revents: 0 };
    // SAFETY: there is one entry, which is a local variable.
    match unsafe { WSAPoll(&raw mut entry, 1, 0) } {
        -1 => Err(Errno::last()),
        count => Ok(count > 0),
    }
}

/// The standard input, output or error of this process, by its number from 0 to 2. [`CLOSED`] if it has none.
pub fn standard(number: usize) -> RawDescriptor {
    let names = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];
    let Some(name) = names.get(number) else { return CLOSED };
    // SAFETY: takes a number. The result belongs to the process.
    let handle = unsafe { GetStdHandle(*name) };
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        CLOSED
    } else {
        handle as RawDescriptor
    }
}

/// Whether it is the standard input, output or error of this process.
pub fn is_standard(fd: BorrowedDescriptor<'_>) -> bool {
    (0..3).any(|number| standard(number) == fd.handle() as RawDescriptor)
}

/// Duplicates a descriptor. The duplicate is not inherited.
pub fn duplicate(fd: BorrowedDescriptor<'_>) -> Result<Descriptor> {
    // SAFETY: the descriptor is borrowed, so it is open, and of the kind that the calls are made for.
    unsafe {
        Ok(if net::is_socket(fd.socket()) {
            BorrowedSocket::borrow_raw(fd.socket() as _).try_clone_to_owned()?.into()
        } else {
            BorrowedHandle::borrow_raw(fd.handle()).try_clone_to_owned()?.into()
        })
    }
}

/// Gives up a descriptor without closing it.
pub fn leave_open(fd: Descriptor) {
    let _ = descriptor::into_raw(fd);
}

/// Closes a descriptor. Ignores errors, for example when the program has already closed it, as libuv
/// does.
pub fn close(fd: Descriptor) {
    drop(fd);
}

/// Whether the number is an open descriptor.
pub fn is_open(fd: RawDescriptor) -> bool {
    let mut flags = 0;
    // SAFETY: stores a number in a local variable. The call fails if the handle is not open.
    fd != CLOSED && unsafe { GetHandleInformation(handle(fd), &raw mut flags) } != 0
}

/// Whether the descriptor can be read, and written: both for a socket. `EBADF` if it is not open.
pub fn access_mode(fd: BorrowedDescriptor<'_>) -> Result<(bool, bool)> {
    if let Some(device) = device::find(fd.raw_descriptor()) {
        return Ok(device.access());
    }
    if net::is_socket(fd.socket()) {
        return Ok((true, true));
    }
    if is_console(fd.raw_descriptor()) {
        let is_input = tty::is_input(fd);
        return Ok((is_input, !is_input));
    }
    named_pipe::access(fd.handle())
}

/// Whether a write that returns `EAGAIN` is not performed: not for a pipe, whose write is then in flight.
pub fn can_try_write(fd: BorrowedDescriptor<'_>) -> bool {
    device::find(fd.raw_descriptor()).is_none_or(|device| device.can_try_write())
}

/// Whether waiting for input takes it from other processes, so that the registration has to end with the interest:
/// for a line of a console, and for a pipe whose operations block.
pub fn waits_by_reading(fd: BorrowedDescriptor<'_>) -> bool {
    device::find(fd.raw_descriptor()).is_some_and(|device| device.waits_by_reading())
}

/// Opens a reserve descriptor, which the caller closes to free one after `EMFILE`.
pub fn open_reserve() -> Result<Descriptor> {
    let file = OpenOptions::new().read(true).open("NUL")?;
    Ok(OwnedHandle::from(file).into())
}

/// `EPERM` for a file or a directory, which a selector cannot wait for: they are always ready. `ENOSYS` for
/// pipes and consoles that are [no devices yet](set_nonblocking), `EBADF` if the descriptor is not open.
pub(crate) fn refuse_files(fd: RawDescriptor) -> Result<()> {
    match fd_type(fd) {
        FdType::Tcp | FdType::Udp => Ok(()),
        FdType::File => Err(Errno::EPERM),
        FdType::Pipe | FdType::Tty if device::find(fd).is_some() => Ok(()),
        FdType::Pipe | FdType::Tty => Err(Errno::ENOSYS),
        FdType::Unknown => {
            let mut flags = 0;
            // SAFETY: stores a number in a local variable. The call fails if the handle is not open.
            let is_open = unsafe { GetHandleInformation(handle(fd), &raw mut flags) } != 0;
            // SAFETY: the call fails if the handle is not that of an object that can be waited for.
            let is_waitable =
                is_open && unsafe { WaitForSingleObject(handle(fd), 0) } != WAIT_FAILED;
            match (is_waitable, is_open) {
                (true, _) => Ok(()),
                (false, true) => Err(Errno::EPERM),
                (false, false) => Err(Errno::EBADF),
            }
        }
    }
}

/// Permits all users to read from, or to write to, the connections of a server. `EBADF` for another descriptor.
#[doc(alias = "uv_pipe_chmod")]
pub fn chmod_socket(server: BorrowedDescriptor<'_>, read: bool, write: bool) -> Result<()> {
    device::find(server.raw_descriptor()).ok_or(Errno::EBADF)?.permit(read, write)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{AF_INET, SOCK_DGRAM, SOCK_STREAM};

    #[test]
    fn descriptors_have_a_type() {
        let [tcp, udp] = [SOCK_STREAM, SOCK_DGRAM].map(|kind| net::socket(AF_INET, kind).unwrap());
        let file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        let (reader, _writer) = std::io::pipe().unwrap();
        let types = [tcp.raw_descriptor(), udp.raw_descriptor(), file.raw_descriptor()];
        assert_eq!(types.map(fd_type), [FdType::Tcp, FdType::Udp, FdType::File]);
        assert_eq!(fd_type(reader.raw_descriptor()), FdType::Pipe);
        assert_eq!(fd_type(CLOSED), FdType::Unknown);
        assert_eq!(refuse_files(file.raw_descriptor()), Err(Errno::EPERM));
        assert_eq!(refuse_files(0x7fff_fff0), Err(Errno::EBADF));
    }

    #[test]
    fn a_pipe_is_read_and_written_with_the_fallback() {
        let (reader, writer) = std::io::pipe().unwrap();
        let slices = [IoSlice::new(b""), IoSlice::new(b"mauve")];
        assert_eq!(write(writer.as_descriptor(), &slices), Ok(5));
        let mut buffer = [0; 8];
        assert_eq!(read(reader.as_descriptor(), &mut buffer), Ok(5));
        drop(writer);
        assert_eq!(read(reader.as_descriptor(), &mut buffer), Ok(0));
    }

    #[test]
    fn a_socket_is_writable_and_becomes_readable() {
        let [one, other] = net::socket_pair(SOCK_STREAM, 0, [true, true]).unwrap();
        assert_eq!(is_readable(other.as_descriptor()), Ok(false));
        assert_eq!(is_writable(one.as_descriptor()), Ok(true));
        write(one.as_descriptor(), &[IoSlice::new(b"x")]).unwrap();
        while is_readable(other.as_descriptor()) != Ok(true) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_owner_determines_whether_it_has_a_socket() {
        let [one, other] = net::socket_pair(SOCK_STREAM, 0, [true, false]).unwrap();
        let raw = descriptor::into_raw(one);
        // SAFETY: it was given up in the line above.
        drop(unsafe { from_raw(raw) });
        assert_eq!(read(other.as_descriptor(), &mut [0; 8]), Ok(0), "the socket is closed");
        // SAFETY: refused.
        assert_eq!(unsafe { from_raw(CLOSED) }.err(), Some(Errno::EBADF));
    }
}
