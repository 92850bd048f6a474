//! On Windows, a socket and a file are handles of the kernel, whose numbers do not collide. They are closed
//! with different functions, so an owned descriptor knows which of them it is. A function that accepts
//! both attempts the call for sockets first.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::os::windows::io::{
    AsRawHandle, AsRawSocket, BorrowedHandle, BorrowedSocket as StdSocket, FromRawHandle as _,
    FromRawSocket as _, IntoRawHandle, IntoRawSocket, OwnedHandle, OwnedSocket,
};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::Networking::WinSock::{SOCKET, closesocket};

use crate::device;
use crate::fd::crt;

/// The number of a descriptor that its owner may close at any time: a `SOCKET` or a `HANDLE`.
pub type RawDescriptor = usize;

/// The value of a [`RawDescriptor`] that is not open: `INVALID_SOCKET`, `INVALID_HANDLE_VALUE`.
pub const CLOSED: RawDescriptor = usize::MAX;

/// A [`RawDescriptor`] that several threads replace.
pub(crate) type AtomicDescriptor = AtomicUsize;

/// A descriptor of any type.
#[derive(Debug)]
pub struct Descriptor {
    raw: RawDescriptor,
    kind: Kind,
}

/// Which function closes a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Socket,
    Handle,
    /// A handle that the C runtime closes with its descriptor of this number.
    Crt(c_int),
}

/// A borrowed [`Descriptor`].
#[derive(Clone, Copy, Debug)]
pub struct BorrowedDescriptor<'a> {
    raw: RawDescriptor,
    owner: PhantomData<&'a Descriptor>,
}

/// A stream or datagram socket.
pub type Socket = Descriptor;
/// A borrowed [`Socket`].
pub type BorrowedSocket<'a> = BorrowedDescriptor<'a>;

/// One end of a pipe.
pub type Pipe = Descriptor;
/// A borrowed [`Pipe`].
pub type BorrowedPipe<'a> = BorrowedDescriptor<'a>;

/// A terminal.
pub type Terminal = Descriptor;

impl BorrowedDescriptor<'_> {
    /// Borrows a descriptor of another owner.
    ///
    /// # Safety
    /// It stays open as long as the result is used.
    pub const unsafe fn borrow_raw(raw: RawDescriptor) -> Self {
        Self { raw, owner: PhantomData }
    }

    /// The number for the functions of Winsock.
    #[inline]
    pub(crate) fn socket(self) -> SOCKET {
        self.raw
    }

    /// The pointer for other functions. It is a number, too.
    #[inline]
    pub(crate) fn handle(self) -> HANDLE {
        self.raw as HANDLE
    }
}

/// The pointer of a raw descriptor, for functions that fail if it is not open.
#[inline]
pub(crate) fn handle(raw: RawDescriptor) -> HANDLE {
    raw as HANDLE
}

/// Takes ownership of a descriptor, and determines its kind.
///
/// # Safety
/// It is open, and nothing else owns or closes it.
pub(crate) unsafe fn from_raw(raw: RawDescriptor) -> Descriptor {
    let kind = if crate::net::is_socket(raw) { Kind::Socket } else { Kind::Handle };
    Descriptor { raw, kind }
}

/// Takes ownership of a descriptor of the C runtime.
///
/// # Safety
/// It is open, nothing else owns or closes it, and `raw` is its handle.
pub(crate) unsafe fn from_crt(file: c_int, raw: RawDescriptor) -> Descriptor {
    Descriptor { raw, kind: Kind::Crt(file) }
}

/// Gives up ownership of a descriptor, which stays open.
pub fn into_raw(descriptor: Descriptor) -> RawDescriptor {
    ManuallyDrop::new(descriptor).raw
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        match self.kind {
            Kind::Socket => crate::net::named_pipe::forget_delayed_error(self.raw),
            _ => device::forget(self.raw),
        }
        // SAFETY: this value owns the socket or handle, so it is open, of this kind, and closed once.
        // An error means that the program has closed it.
        unsafe {
            match self.kind {
                Kind::Socket => {
                    closesocket(self.raw);
                }
                Kind::Handle => {
                    CloseHandle(handle(self.raw));
                }
                Kind::Crt(file) => {
                    crt::close_raw(file);
                }
            }
        }
    }
}

impl Descriptor {
    /// The socket, in the type of the standard library.
    ///
    /// # Panics
    /// Panics if it is not a socket.
    pub fn as_std_socket(&self) -> StdSocket<'_> {
        assert_eq!(self.kind, Kind::Socket, "the descriptor is not a socket");
        // SAFETY: the socket is open as long as `self` is borrowed.
        unsafe { StdSocket::borrow_raw(self.raw as _) }
    }

    /// The handle, in the type of the standard library.
    ///
    /// # Panics
    /// Panics if it is a socket.
    pub fn as_std_handle(&self) -> BorrowedHandle<'_> {
        assert_ne!(self.kind, Kind::Socket, "the descriptor is a socket");
        // SAFETY: the handle is open as long as `self` is borrowed.
        unsafe { BorrowedHandle::borrow_raw(handle(self.raw)) }
    }
}

/// # Panics
/// Panics if the descriptor is not a socket.
impl From<Descriptor> for OwnedSocket {
    fn from(socket: Descriptor) -> Self {
        assert_eq!(socket.kind, Kind::Socket, "the descriptor is not a socket");
        // SAFETY: it is an open socket, and `into_raw` gives up its ownership.
        unsafe { Self::from_raw_socket(into_raw(socket) as _) }
    }
}

/// # Panics
/// Panics if the descriptor is a socket.
impl From<Descriptor> for OwnedHandle {
    fn from(descriptor: Descriptor) -> Self {
        assert_ne!(descriptor.kind, Kind::Socket, "the descriptor is a socket");
        // SAFETY: it is an open handle, and `into_raw` gives up its ownership.
        unsafe { Self::from_raw_handle(handle(into_raw(descriptor))) }
    }
}

/// Implements the conversions of the standard library's owners, through `$owned`.
macro_rules! impl_conversions {
    ($($owner:ty: $owned:ty),* $(,)?) => {$(
        impl From<$owner> for Descriptor {
            fn from(owner: $owner) -> Self {
                <$owned>::from(owner).into()
            }
        }

        /// # Panics
        /// Panics if it is a descriptor of another kind.
        impl From<Descriptor> for $owner {
            fn from(descriptor: Descriptor) -> Self {
                <$owned>::from(descriptor).into()
            }
        }
    )*};
}

impl_conversions! {
    std::net::TcpListener: OwnedSocket,
    std::net::TcpStream: OwnedSocket,
    std::net::UdpSocket: OwnedSocket,
    std::fs::File: OwnedHandle,
    std::io::PipeReader: OwnedHandle,
    std::io::PipeWriter: OwnedHandle,
}

impl From<OwnedSocket> for Descriptor {
    fn from(socket: OwnedSocket) -> Self {
        Self { raw: socket.into_raw_socket() as RawDescriptor, kind: Kind::Socket }
    }
}

impl From<OwnedHandle> for Descriptor {
    fn from(handle: OwnedHandle) -> Self {
        Self { raw: handle.into_raw_handle() as RawDescriptor, kind: Kind::Handle }
    }
}

/// Access to a descriptor, whatever owns it.
pub trait AsDescriptor {
    /// The number of the descriptor.
    fn raw_descriptor(&self) -> RawDescriptor;

    /// Borrows the descriptor.
    #[inline]
    fn as_descriptor(&self) -> BorrowedDescriptor<'_> {
        BorrowedDescriptor { raw: self.raw_descriptor(), owner: PhantomData }
    }
}

impl AsDescriptor for Descriptor {
    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        self.raw
    }
}

impl AsDescriptor for BorrowedDescriptor<'_> {
    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        self.raw
    }
}

impl<T: AsDescriptor + ?Sized> AsDescriptor for &T {
    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        (**self).raw_descriptor()
    }
}

impl<T: AsDescriptor + ?Sized> AsDescriptor for Rc<T> {
    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        (**self).raw_descriptor()
    }
}

impl<T: AsDescriptor + ?Sized> AsDescriptor for Arc<T> {
    #[inline]
    fn raw_descriptor(&self) -> RawDescriptor {
        (**self).raw_descriptor()
    }
}

/// Implements the trait for the standard library's owners of sockets and of handles.
macro_rules! impl_as_descriptor {
    ($($owner:ty: $raw:ident),* $(,)?) => {$(
        impl AsDescriptor for $owner {
            #[inline]
            fn raw_descriptor(&self) -> RawDescriptor {
                self.$raw() as RawDescriptor
            }
        }
    )*};
}

impl_as_descriptor! {
    OwnedSocket: as_raw_socket,
    std::net::TcpListener: as_raw_socket,
    std::net::TcpStream: as_raw_socket,
    std::net::UdpSocket: as_raw_socket,
    OwnedHandle: as_raw_handle,
    std::fs::File: as_raw_handle,
    std::io::PipeReader: as_raw_handle,
    std::io::PipeWriter: as_raw_handle,
}
