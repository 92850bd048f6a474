//! Datagrams, with closures.

use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsRawFd as _, RawFd};

use mauve_core::Completion;
use mauve_core::handle::udp::{BindFlags, Load, UdpMut};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::stream::COPIED;
use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// A socket for datagrams.
///
/// ```
/// use mauve::{Loop, RunMode, Udp};
///
/// let lp = Loop::<Vec<u8>>::new()?;
/// let server = Udp::new(&lp);
/// server.bind("127.0.0.1:0".parse().unwrap())?;
/// server.recv_start(|heard, server, datagram| {
///     let datagram = datagram.unwrap();
///     heard.extend(datagram.bytes);
///     server.close();
/// })?;
///
/// let client = Udp::new(&lp);
/// let name = client.clone();
/// client.send(*b"hello", server.local_addr()?, move |_, sent| {
///     sent.unwrap();
///     name.close();
/// })?;
///
/// let mut heard = Vec::new();
/// lp.run_with(&mut heard, RunMode::Default)?;
/// assert_eq!(heard, b"hello");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_udp_t")]
pub struct Udp<S = ()>(AnyHandle<S>);

common_methods!(Udp);

/// A datagram that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// What is in it.
    pub bytes: &'a [u8],
    /// Who sent it.
    pub from: SocketAddr,
    /// There was more of it than the buffer could take.
    pub truncated: bool,
    /// With [receive offload](Udp::set_receive_offload), several datagrams may come as one: all
    /// have this size, but the last may be shorter.
    pub segment: Option<u16>,
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
            segment: datagram.segment,
        })
    }

    /// The datagrams that came as one: most of the time just one.
    pub fn segments(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let size = self.segment.map_or(self.bytes.len(), usize::from).max(1);
        // An empty datagram is a datagram too.
        let empty = self.bytes.is_empty().then_some(self.bytes);
        self.bytes.chunks(size).chain(empty)
    }
}

impl<S: 'static> Udp<S> {
    /// Makes a handle. It gets a socket when it is bound, connected, or used.
    #[doc(alias = "uv_udp_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_udp(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a datagram handle cannot fail"))
    }

    fn with<R>(
        &self,
        operation: impl FnOnce(UdpMut<'_, Platform>) -> Result<R, Errno>,
    ) -> Result<R> {
        self.0.lp.core.engine(|engine| operation(engine.udp(self.0.id).ok_or(Errno::EINVAL)?))
    }

    /// Gives it an address.
    #[doc(alias = "uv_udp_bind")]
    pub fn bind(&self, address: SocketAddr) -> Result<()> {
        self.bind_with(address, BindFlags::default())
    }

    /// Gives it an address, with flags.
    pub fn bind_with(&self, address: SocketAddr, flags: BindFlags) -> Result<()> {
        self.with(|mut udp| udp.bind(&address.into(), flags))
    }

    /// Sends a datagram, and tells `callback` when it is gone. It goes to `to`, or, without, to the
    /// peer that the socket is connected with.
    #[doc(alias = "uv_udp_send")]
    pub fn send(
        &self,
        bytes: impl AsRef<[u8]> + Into<Box<[u8]>>,
        to: impl Into<Option<SocketAddr>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let to = to.into().map(Into::into);
        let ending = move |state: &mut S, completion: &Completion| {
            if let Completion::Sent { result, .. } = *completion {
                callback(state, result);
            }
        };
        self.0.request(ending, |engine, id, token| {
            let mut udp = engine.udp(id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            if slice.len() > COPIED {
                return udp.send(token, Payload::owned(bytes), to.as_ref());
            }
            let keep = || Payload::owned(slice);
            udp.send_or_keep(token, &[IoSlice::new(slice)], to.as_ref(), keep).map(drop)
        })
    }

    /// Receives, and has `callback` get the datagrams as they come. An error does not end it.
    #[doc(alias = "uv_udp_recv_start")]
    pub fn recv_start(
        &self,
        mut callback: impl FnMut(&mut S, &Self, Result<Datagram<'_>>) + 'static,
    ) -> Result<()> {
        self.with(|mut udp| udp.start_receiving())?;
        self.0.on_event(move |state, handle, _| {
            let this = Self(handle);
            let mut buffer = this.lp().core.take_buffer();
            let mut datagram = datagram::Datagram::empty();
            loop {
                match this.with(|mut udp| udp.receive(&mut buffer, &mut datagram)) {
                    Ok(()) => callback(state, &this, Datagram::new(&buffer, &datagram)),
                    Err(Errno::EAGAIN) => {}
                    Err(error) => callback(state, &this, Err(error)),
                }
                let more = this.0.may_run_again()
                    && this.with(|mut udp| Ok(udp.may_receive_more())) == Ok(true);
                if !more {
                    break;
                }
            }
            this.lp().core.put_buffer_back(buffer);
            this.0
        });
        Ok(())
    }

    /// Stops receiving. Nothing happens if it does not receive.
    #[doc(alias = "uv_udp_recv_stop")]
    pub fn recv_stop(&self) {
        // A closed handle does not receive either.
        let _ = self.with(|mut udp| {
            udp.stop_receiving();
            Ok(())
        });
    }

    /// The number of its descriptor, good for a name and for nothing else.
    #[doc(alias = "uv_fileno")]
    pub fn descriptor(&self) -> Result<RawFd> {
        self.with(|mut udp| udp.fd().map(|fd| fd.as_raw_fd()))
    }

    /// How much the system keeps of what arrives faster than it is received.
    #[doc(alias = "uv_recv_buffer_size")]
    pub fn receive_buffer_size(&self) -> Result<usize> {
        self.with(|mut udp| net::buffer_size(udp.fd()?, false)).map(|size| size as usize)
    }

    /// Sets [`receive_buffer_size`](Self::receive_buffer_size). Linux doubles it.
    pub fn set_receive_buffer_size(&self, size: usize) -> Result<()> {
        self.with(|mut udp| net::set_buffer_size(udp.fd()?, false, clamp(size)))
    }

    /// How much the system keeps of what is sent faster than the network takes it.
    #[doc(alias = "uv_send_buffer_size")]
    pub fn send_buffer_size(&self) -> Result<usize> {
        self.with(|mut udp| net::buffer_size(udp.fd()?, true)).map(|size| size as usize)
    }

    /// Sets [`send_buffer_size`](Self::send_buffer_size). Linux doubles it.
    pub fn set_send_buffer_size(&self, size: usize) -> Result<()> {
        self.with(|mut udp| net::set_buffer_size(udp.fd()?, true, clamp(size)))
    }

    /// What was handed over for sending and is not reported yet.
    #[doc(alias = "uv_udp_get_send_queue_size")]
    #[doc(alias = "uv_udp_get_send_queue_count")]
    pub fn send_queue(&self) -> Load {
        self.with(|mut udp| Ok(udp.load())).unwrap_or_default()
    }
}

fn clamp(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// What both kinds of datagram socket can do at once. `with` gives the engine's view, and the
/// results are of the type `$result`.
macro_rules! datagram_methods {
    ($result:ident) => {
        /// Ties the socket to one peer: datagrams go to it, and are taken from it alone.
        #[doc(alias = "uv_udp_connect")]
        pub fn connect(&self, peer: SocketAddr) -> $result<()> {
            self.with(|mut udp| udp.connect(&peer.into()))
        }

        /// Unties the socket from its peer.
        pub fn disconnect(&self) -> $result<()> {
            self.with(|mut udp| udp.disconnect())
        }

        /// The address of this side.
        #[doc(alias = "uv_udp_getsockname")]
        pub fn local_addr(&self) -> $result<SocketAddr> {
            self.with(|mut udp| udp.local_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
        }

        /// The address of the peer.
        #[doc(alias = "uv_udp_getpeername")]
        pub fn peer_addr(&self) -> $result<SocketAddr> {
            self.with(|mut udp| udp.peer_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
        }

        /// Sends a datagram if that is possible at once; returns its size. `EAGAIN` if it is not.
        #[doc(alias = "uv_udp_try_send")]
        pub fn try_send(&self, bytes: &[u8], to: impl Into<Option<SocketAddr>>) -> $result<usize> {
            let to = to.into().map(Into::into);
            self.with(|mut udp| udp.try_send(&[IoSlice::new(bytes)], to.as_ref()))
        }

        /// Sends `bytes` as datagrams of `segment` bytes each; the last one may be shorter. That
        /// costs hardly more than sending one: the system divides them as late as possible. Sends
        /// as many as is possible at once, and returns how many bytes those were.
        pub fn try_send_segmented(
            &self,
            bytes: &[u8],
            to: impl Into<Option<SocketAddr>>,
            segment: u16,
        ) -> $result<usize> {
            let to = to.into().map(Into::into);
            self.with(|mut udp| udp.try_send_segmented(bytes, to.as_ref(), segment))
        }

        /// Whether datagrams of one sender may come as one, see
        /// [`Datagram::segment`](crate::Datagram::segment): far cheaper when there are many.
        pub fn set_receive_offload(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_receive_offload(on))
        }

        /// Receives what is sent to a group.
        #[doc(alias = "uv_udp_set_membership")]
        pub fn join(&self, group: MulticastGroup) -> $result<()> {
            self.with(|mut udp| udp.set_membership(group, Membership::Join))
        }

        /// Receives no more what is sent to a group.
        pub fn leave(&self, group: MulticastGroup) -> $result<()> {
            self.with(|mut udp| udp.set_membership(group, Membership::Leave))
        }

        /// Receives what `source` sends to a group.
        #[doc(alias = "uv_udp_set_source_membership")]
        pub fn join_source(&self, group: MulticastGroup, source: IpAddr) -> $result<()> {
            self.with(|mut udp| udp.set_source_membership(group, source, Membership::Join))
        }

        /// Receives no more what `source` sends to a group.
        pub fn leave_source(&self, group: MulticastGroup, source: IpAddr) -> $result<()> {
            self.with(|mut udp| udp.set_source_membership(group, source, Membership::Leave))
        }

        /// Chooses the interface for datagrams to groups; `None` leaves it to the system.
        #[doc(alias = "uv_udp_set_multicast_interface")]
        pub fn set_multicast_interface(
            &self,
            outlet: impl Into<Option<MulticastInterface>>,
        ) -> $result<()> {
            self.with(|mut udp| udp.set_multicast_interface(outlet.into()))
        }

        /// Whether datagrams to a group come back to this machine.
        #[doc(alias = "uv_udp_set_multicast_loop")]
        pub fn set_multicast_loop(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_multicast_loop(on.into()))
        }

        /// How many routers a datagram to a group may pass; zero keeps it on this machine.
        #[doc(alias = "uv_udp_set_multicast_ttl")]
        pub fn set_multicast_ttl(&self, ttl: u8) -> $result<()> {
            self.with(|mut udp| udp.set_multicast_ttl(ttl.into()))
        }

        /// How many routers a datagram may pass; not zero.
        #[doc(alias = "uv_udp_set_ttl")]
        pub fn set_ttl(&self, ttl: u8) -> $result<()> {
            self.with(|mut udp| udp.set_ttl(ttl.into()))
        }

        /// Whether datagrams may go to everybody.
        #[doc(alias = "uv_udp_set_broadcast")]
        pub fn set_broadcast(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_broadcast(on))
        }
    };
}
pub(crate) use datagram_methods;

impl<S: 'static> Udp<S> {
    datagram_methods!(Result);
}
