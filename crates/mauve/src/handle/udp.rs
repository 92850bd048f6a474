//! UDP sockets, with callbacks.

use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};

use mauve_core::Completion;
use mauve_core::handle::udp::{SendQueue, UdpBindFlags, UdpMut};
use mauve_sys::descriptor::{AsDescriptor as _, RawDescriptor};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::targets::{NO_TARGET, Report};
use crate::udp_methods::udp_methods;

/// Up to this size, bytes that cannot be sent at once are copied. Larger buffers are moved into the
/// engine before the first attempt, which allocates for borrowed bytes.
const MAX_COPY: usize = 16 << 10;

/// A UDP socket.
///
/// ```
/// use mauve::{Loop, RunMode, Udp};
///
/// let lp = Loop::<Vec<u8>>::new()?;
/// let server = Udp::new(&lp);
/// server.bind("127.0.0.1:0".parse().unwrap())?;
/// server.recv_start(|received, server, datagram| {
///     let datagram = datagram.unwrap();
///     received.extend(datagram.bytes);
///     server.close();
/// })?;
///
/// Udp::new(&lp).send_with("hello", server.local_addr()?, |_, client, sent| {
///     sent.unwrap();
///     client.close();
/// })?;
///
/// let mut received = Vec::new();
/// lp.run_with(&mut received, RunMode::Default)?;
/// assert_eq!(received, b"hello");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_udp_t")]
pub struct Udp<S = ()>(AnyHandle<S>);

handle_type!(Udp);

/// A received datagram.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::net::UdpSocket;
///
/// let socket = UdpSocket::bind("127.0.0.1:0").await?;
/// socket.send_to(b"hello", socket.local_addr()?).await?;
/// let mut buffer = [0; 4];
/// let datagram = socket.recv_datagram(&mut buffer).await?;
/// assert_eq!((datagram.bytes, datagram.truncated), (&b"hell"[..], true));
/// assert_eq!(datagram.from, socket.local_addr()?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Datagram<'a> {
    /// The payload.
    pub bytes: &'a [u8],
    /// The address of the sender.
    pub from: SocketAddr,
    /// Whether the datagram was longer than the buffer. The rest is lost.
    pub truncated: bool,
    /// Size of each datagram, if [receive offload](Udp::set_receive_offload) has merged several
    /// into `bytes`. The last one may be shorter.
    pub segment_size: Option<u16>,
}

impl<'a> Datagram<'a> {
    pub(crate) fn new(bytes: &'a [u8], datagram: &datagram::Datagram) -> Result<Self> {
        if let Some(error) = datagram.error {
            return Err(error);
        }
        Ok(Self {
            bytes: &bytes[..datagram.len],
            from: datagram.from.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)?,
            truncated: datagram.truncated,
            segment_size: datagram.segment,
        })
    }

    /// The datagrams that were merged into `bytes`. Without receive offload that is one.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::net::UdpSocket;
    ///
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.set_receive_offload(true)?;
    /// socket.send_segmented(&[7; 250], socket.local_addr()?, 100).await?;
    /// let mut sizes = Vec::new();
    /// while sizes.iter().sum::<usize>() < 250 {
    ///     let mut buffer = [0; 1000];
    ///     let datagram = socket.recv_datagram(&mut buffer).await?;
    ///     sizes.extend(datagram.segments().map(<[u8]>::len));
    /// }
    /// assert_eq!(sizes, [100, 100, 50]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn segments(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let size = self.segment_size.map_or(self.bytes.len(), usize::from).max(1);
        // `chunks` yields nothing for an empty datagram.
        let empty = self.bytes.is_empty().then_some(self.bytes);
        self.bytes.chunks(size).chain(empty)
    }
}

impl<S: 'static> Udp<S> {
    /// Creates a handle. The socket is created when the handle is bound, connected, or used.
    #[doc(alias = "uv_udp_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(AnyHandle::open(lp, |engine, token| {
            let id = engine.open_udp(token);
            engine.udp(id).expect("opened above").set_send_ahead();
            id
        }))
    }

    /// Performs an operation on the engine's socket. `EINVAL` if it is closed.
    fn with<R>(
        &self,
        operation: impl FnOnce(UdpMut<'_, Platform>) -> Result<R, Errno>,
    ) -> Result<R> {
        let core = &self.lp.core;
        core.engine_result(|engine| operation(engine.udp(self.id).ok_or(Errno::EINVAL)?))
    }

    /// Binds to an address.
    #[doc(alias = "uv_udp_bind")]
    pub fn bind(&self, address: SocketAddr) -> Result<()> {
        self.bind_with(address, UdpBindFlags::default())
    }

    /// Binds to an address, with flags.
    #[doc(alias = "uv_udp_flags")]
    pub fn bind_with(&self, address: SocketAddr, flags: UdpBindFlags) -> Result<()> {
        self.with(|mut udp| udp.bind(&address.into(), flags))
    }

    /// Sends a datagram to `to`, or to the connected peer if that is `None`. The bytes are a `&str`, a
    /// byte string, a `Vec<u8>`, or similar.
    ///
    /// An error that occurs after this call is not reported. [`send_with`](Self::send_with) does.
    #[doc(alias = "uv_udp_send")]
    pub fn send(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        to: impl Into<Option<SocketAddr>>,
    ) -> Result<()> {
        let to = to.into().map(Into::into);
        self.with(|mut udp| {
            let slice = bytes.as_ref();
            if slice.len() > MAX_COPY {
                return udp.send(NO_TARGET, Payload::owned(bytes), to.as_ref());
            }
            let copy = || Payload::owned(slice);
            udp.send_unreported(NO_TARGET, &[IoSlice::new(slice)], to.as_ref(), copy)
        })
    }

    /// [`send`](Self::send), and calls `callback` with the result when the datagram was sent.
    #[doc(alias = "uv_udp_send_cb")]
    #[track_caller]
    pub fn send_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        to: impl Into<Option<SocketAddr>>,
        callback: impl FnOnce(&mut S, &Self, Result<()>) + 'static,
    ) -> Result<()> {
        let to = to.into().map(Into::into);
        let on_sent = move |state: &mut S, handle, report: Report<'_>| {
            if let Report::Event(Completion::Sent { result, .. }) = report {
                callback(state, &Self(handle), *result);
            }
        };
        self.request(on_sent, |engine, id, token| {
            let mut udp = engine.udp(id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            if slice.len() > MAX_COPY {
                return udp.send(token, Payload::owned(bytes), to.as_ref());
            }
            let copy = || Payload::owned(slice);
            udp.send_or_keep(token, &[IoSlice::new(slice)], to.as_ref(), copy).map(drop)
        })
    }

    /// Starts receiving. `callback` gets the datagrams as they arrive. Receiving continues after an
    /// error.
    #[doc(alias = "uv_udp_recv_start")]
    #[track_caller]
    pub fn recv_start(
        &self,
        mut callback: impl FnMut(&mut S, &Self, Result<Datagram<'_>>) + 'static,
    ) -> Result<()> {
        self.with(|mut udp| udp.start_receiving())?;
        self.on_event(move |state, this: &Self, _| {
            let mut buffer = this.lp.core.take_buffer();
            let mut datagram = datagram::Datagram::empty();
            loop {
                match this.with(|mut udp| udp.receive(&mut buffer, &mut datagram)) {
                    Ok(()) => callback(state, this, Datagram::new(&buffer, &datagram)),
                    Err(Errno::EAGAIN) => {}
                    Err(error) => callback(state, this, Err(error)),
                }
                let more = this.may_call_again()
                    && this.with(|mut udp| Ok(udp.may_receive_more())) == Ok(true);
                if !more {
                    break;
                }
            }
            this.lp.core.return_buffer(buffer);
        });
        Ok(())
    }

    /// Stops receiving. Does nothing if the handle is not receiving.
    #[doc(alias = "uv_udp_recv_stop")]
    pub fn recv_stop(&self) {
        // The error means that the handle is closed, and therefore does not receive.
        let _ = self.with(|mut udp| {
            udp.stop_receiving();
            Ok(())
        });
    }

    /// The file descriptor, for logging and comparison. The handle owns it and may close it.
    #[doc(alias = "uv_fileno")]
    #[doc(alias = "as_raw_fd")]
    pub fn raw_descriptor(&self) -> Result<RawDescriptor> {
        self.with(|mut udp| udp.fd().map(|fd| fd.raw_descriptor()))
    }

    /// Size of the kernel's receive buffer (`SO_RCVBUF`).
    #[doc(alias = "uv_recv_buffer_size")]
    pub fn recv_buffer_size(&self) -> Result<usize> {
        self.with(|mut udp| net::buffer_size(udp.fd()?, false)).map(|size| size as usize)
    }

    /// Sets the size of the kernel's receive buffer. Linux doubles the value.
    #[doc(alias = "uv_recv_buffer_size")]
    pub fn set_recv_buffer_size(&self, size: usize) -> Result<()> {
        self.with(|mut udp| net::set_buffer_size(udp.fd()?, false, clamp(size)))
    }

    /// Size of the kernel's send buffer (`SO_SNDBUF`).
    #[doc(alias = "uv_send_buffer_size")]
    pub fn send_buffer_size(&self) -> Result<usize> {
        self.with(|mut udp| net::buffer_size(udp.fd()?, true)).map(|size| size as usize)
    }

    /// Sets the size of the kernel's send buffer. Linux doubles the value.
    #[doc(alias = "uv_send_buffer_size")]
    pub fn set_send_buffer_size(&self, size: usize) -> Result<()> {
        self.with(|mut udp| net::set_buffer_size(udp.fd()?, true, clamp(size)))
    }

    /// Size of the send queue: datagrams that are not sent, or whose callback has not run yet.
    #[doc(alias = "uv_udp_get_send_queue_size")]
    #[doc(alias = "uv_udp_get_send_queue_count")]
    pub fn send_queue(&self) -> SendQueue {
        self.with(|mut udp| Ok(udp.send_queue())).unwrap_or_default()
    }

    /// Connects the socket to a peer: it sends to this peer by default, and receives from it alone.
    #[doc(alias = "uv_udp_connect")]
    pub fn connect(&self, peer: SocketAddr) -> Result<()> {
        self.with(|mut udp| udp.connect(&peer.into()))
    }

    udp_methods!(Result);
}

fn clamp(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}
