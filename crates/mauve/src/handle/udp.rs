//! UDP sockets, with callbacks.

use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsRawFd as _, RawFd};

use mauve_core::Completion;
use mauve_core::handle::udp::{SendQueue, UdpBindFlags, UdpMut};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use super::stream::MAX_COPY;
use crate::LoopRef;
use crate::core::{NO_CALLBACK, handle_token};

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
/// let client = Udp::new(&lp);
/// let socket = client.clone();
/// client.send_with("hello", server.local_addr()?, move |_, sent| {
///     sent.unwrap();
///     socket.close();
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
        let open = |key| {
            Ok(lp.core.engine(|engine| {
                let id = engine.open_udp(handle_token(key));
                engine.udp(id).expect("opened above").set_send_ahead();
                id
            }))
        };
        Self(AnyHandle::open(lp, open).expect("opening a UDP handle cannot fail"))
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
    ///
    /// ```
    /// use mauve::{Loop, Udp, UdpBindFlags};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let flags = UdpBindFlags { reuse_address: true, ..UdpBindFlags::default() };
    /// Udp::new(&lp).bind_with(([127, 0, 0, 1], 0).into(), flags)?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_udp_flags")]
    pub fn bind_with(&self, address: SocketAddr, flags: UdpBindFlags) -> Result<()> {
        self.with(|mut udp| udp.bind(&address.into(), flags))
    }

    /// Sends a datagram to `to`, or to the connected peer if that is `None`. The bytes are a `&str`, a
    /// byte string, a `Vec<u8>`, or similar.
    ///
    /// An error that occurs after this call is not reported. [`send_with`](Self::send_with) does.
    ///
    /// ```
    /// use mauve::{Loop, Udp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    /// let client = Udp::new(&lp);
    /// client.send("hello", server.local_addr().unwrap())?;
    /// assert_eq!(server.recv(&mut [0; 8]).unwrap(), 5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
                return udp.send(NO_CALLBACK, Payload::owned(bytes), to.as_ref());
            }
            let copy = || Payload::owned(slice);
            udp.send_unreported(NO_CALLBACK, &[IoSlice::new(slice)], to.as_ref(), copy)
        })
    }

    /// [`send`](Self::send), and calls `callback` with the result when the datagram was sent.
    #[doc(alias = "uv_udp_send_cb")]
    #[track_caller]
    pub fn send_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        to: impl Into<Option<SocketAddr>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let to = to.into().map(Into::into);
        let on_sent = move |state: &mut S, completion: &Completion| {
            if let Completion::Sent { result, .. } = *completion {
                callback(state, result);
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
    pub fn fileno(&self) -> Result<RawFd> {
        self.with(|mut udp| udp.fd().map(|fd| fd.as_raw_fd()))
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
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Udp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let udp = Udp::new(&lp);
    /// udp.bind(([127, 0, 0, 1], 0).into())?;
    /// udp.send_with("hello", udp.local_addr()?, |_, result| result.unwrap())?;
    /// // Sent, but its callback has not run.
    /// assert_eq!(udp.send_queue().count, 1);
    /// lp.run(RunMode::Default)?;
    /// assert_eq!(udp.send_queue().count, 0);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_udp_get_send_queue_size")]
    #[doc(alias = "uv_udp_get_send_queue_count")]
    pub fn send_queue(&self) -> SendQueue {
        self.with(|mut udp| Ok(udp.send_queue())).unwrap_or_default()
    }

    /// Connects the socket to a peer: it sends to this peer by default, and receives from it alone.
    ///
    /// ```
    /// use mauve::{Loop, Udp};
    ///
    /// let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    /// let lp: Loop = Loop::new()?;
    /// let client = Udp::new(&lp);
    /// client.connect(server.local_addr().unwrap())?;
    /// client.send("hello", None)?;
    /// assert_eq!(client.peer_addr()?, server.local_addr().unwrap());
    /// assert_eq!(server.recv(&mut [0; 8]).unwrap(), 5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_udp_connect")]
    pub fn connect(&self, peer: SocketAddr) -> Result<()> {
        self.with(|mut udp| udp.connect(&peer.into()))
    }

    /// Disconnects the socket from its peer.
    pub fn disconnect(&self) -> Result<()> {
        self.with(|mut udp| udp.disconnect())
    }

    /// The local address.
    #[doc(alias = "uv_udp_getsockname")]
    pub fn local_addr(&self) -> Result<SocketAddr> {
        self.with(|mut udp| udp.local_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
    }

    /// The address of the peer.
    #[doc(alias = "uv_udp_getpeername")]
    pub fn peer_addr(&self) -> Result<SocketAddr> {
        self.with(|mut udp| udp.peer_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
    }

    /// Sends a datagram without queueing, and returns its size. `EAGAIN` if it cannot be sent at
    /// once.
    ///
    /// ```
    /// use mauve::{Loop, Udp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let udp = Udp::new(&lp);
    /// udp.bind(([127, 0, 0, 1], 0).into())?;
    /// assert_eq!(udp.try_send(b"hello", udp.local_addr()?)?, 5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_udp_try_send")]
    pub fn try_send(&self, bytes: &[u8], to: impl Into<Option<SocketAddr>>) -> Result<usize> {
        let to = to.into().map(Into::into);
        self.with(|mut udp| udp.try_send(&[IoSlice::new(bytes)], to.as_ref()))
    }

    /// Sends `bytes` as datagrams of `segment_size` bytes each; the last one may be shorter. With
    /// generic segmentation offload (GSO) this costs little more than sending one. Sends as many as
    /// possible without queueing, and returns the number of bytes sent.
    ///
    /// ```
    /// use mauve::{Loop, Udp};
    ///
    /// let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    /// let lp: Loop = Loop::new()?;
    /// let udp = Udp::new(&lp);
    /// udp.bind(([127, 0, 0, 1], 0).into())?;
    /// assert_eq!(udp.try_send_segmented(&[7; 250], server.local_addr().unwrap(), 100)?, 250);
    /// for size in [100, 100, 50] {
    ///     assert_eq!(server.recv(&mut [0; 1000]).unwrap(), size);
    /// }
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "UDP_SEGMENT")]
    pub fn try_send_segmented(
        &self,
        bytes: &[u8],
        to: impl Into<Option<SocketAddr>>,
        segment_size: u16,
    ) -> Result<usize> {
        let to = to.into().map(Into::into);
        self.with(|mut udp| udp.try_send_segmented(bytes, to.as_ref(), segment_size))
    }

    /// Enables generic receive offload (GRO): the kernel may merge datagrams of one sender, see
    /// [`Datagram::segment_size`](crate::Datagram::segment_size).
    #[doc(alias = "UDP_GRO")]
    pub fn set_receive_offload(&self, on: bool) -> Result<()> {
        self.with(|mut udp| udp.set_receive_offload(on))
    }

    /// Joins a multicast group.
    #[doc(alias = "uv_udp_set_membership")]
    pub fn join_multicast(&self, group: MulticastGroup) -> Result<()> {
        self.with(|mut udp| udp.set_membership(group, Membership::Join))
    }

    /// Leaves a multicast group.
    #[doc(alias = "uv_udp_set_membership")]
    pub fn leave_multicast(&self, group: MulticastGroup) -> Result<()> {
        self.with(|mut udp| udp.set_membership(group, Membership::Leave))
    }

    /// Joins a multicast group for datagrams of one source.
    #[doc(alias = "uv_udp_set_source_membership")]
    pub fn join_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> Result<()> {
        self.with(|mut udp| udp.set_source_membership(group, source, Membership::Join))
    }

    /// Leaves a multicast group for datagrams of one source.
    #[doc(alias = "uv_udp_set_source_membership")]
    pub fn leave_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> Result<()> {
        self.with(|mut udp| udp.set_source_membership(group, source, Membership::Leave))
    }

    /// Sets the interface for outgoing multicast datagrams. `None` lets the kernel choose.
    #[doc(alias = "uv_udp_set_multicast_interface")]
    pub fn set_multicast_interface(
        &self,
        interface: impl Into<Option<MulticastInterface>>,
    ) -> Result<()> {
        self.with(|mut udp| udp.set_multicast_interface(interface.into()))
    }

    /// Sets whether multicast datagrams are looped back to this host.
    #[doc(alias = "uv_udp_set_multicast_loop")]
    pub fn set_multicast_loop(&self, on: bool) -> Result<()> {
        self.with(|mut udp| udp.set_multicast_loop(on.into()))
    }

    /// Sets the time to live of multicast datagrams. Zero keeps them on this host.
    #[doc(alias = "uv_udp_set_multicast_ttl")]
    pub fn set_multicast_ttl(&self, ttl: u8) -> Result<()> {
        self.with(|mut udp| udp.set_multicast_ttl(ttl.into()))
    }

    /// Sets the time to live of datagrams, from 1 to 255.
    #[doc(alias = "uv_udp_set_ttl")]
    pub fn set_ttl(&self, ttl: u8) -> Result<()> {
        self.with(|mut udp| udp.set_ttl(ttl.into()))
    }

    /// Sets whether the socket may send to broadcast addresses.
    #[doc(alias = "uv_udp_set_broadcast")]
    pub fn set_broadcast(&self, on: bool) -> Result<()> {
        self.with(|mut udp| udp.set_broadcast(on))
    }
}

fn clamp(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}
