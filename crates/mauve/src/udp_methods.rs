//! What UDP sockets have in common, with callbacks and for tasks.

use std::io::IoSlice;
use std::net::SocketAddr;

use mauve_core::handle::udp::UdpMut;
use mauve_sys::Result;
use mauve_sys::driver::Platform;
use mauve_sys::net::Address;
use mauve_sys::net::datagram::{MAX_SEND_BATCH, Transmit};

/// Sends as many datagrams as possible without queueing. Returns how many. The errors are those of the
/// first one.
pub(crate) fn send_many(
    udp: &mut UdpMut<'_, Platform>,
    datagrams: &[(&[u8], SocketAddr)],
) -> Result<usize> {
    let mut sent = 0;
    for batch in datagrams.chunks(MAX_SEND_BATCH) {
        match send_batch(udp, batch) {
            Ok(count) if count == batch.len() => sent += count,
            Ok(count) => return Ok(sent + count),
            Err(error) if sent == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(sent)
}

/// [`send_many`] for up to [`MAX_SEND_BATCH`] datagrams.
fn send_batch(udp: &mut UdpMut<'_, Platform>, datagrams: &[(&[u8], SocketAddr)]) -> Result<usize> {
    if let [(bytes, to)] = *datagrams {
        return udp.try_send(&[IoSlice::new(bytes)], Some(&to.into())).map(|_| 1);
    }
    let at = |index: usize| datagrams.get(index).copied();
    let addresses: [_; MAX_SEND_BATCH] =
        std::array::from_fn(|index| Some(Address::from(at(index)?.1)));
    let parts: [_; MAX_SEND_BATCH] =
        std::array::from_fn(|index| [IoSlice::new(at(index).map_or(&[], |(bytes, _)| bytes))]);
    let transmits: [_; MAX_SEND_BATCH] = std::array::from_fn(|index| Transmit {
        parts: &parts[index],
        to: addresses[index].as_ref(),
    });
    for transmit in &transmits[..datagrams.len()] {
        udp.check_sendable(transmit.parts[0].len(), transmit.to)?;
    }
    udp.try_send_many(&transmits[..datagrams.len()])
}

/// Implements the methods of both types of UDP sockets. `$result` is the type of their results. A caller
/// has a method `with`, and imports the types.
macro_rules! udp_methods {
    ($result:ident) => {
        /// Disconnects the socket from its peer.
        pub fn disconnect(&self) -> $result<()> {
            self.with(|mut udp| udp.disconnect())
        }

        /// The local address.
        #[doc(alias = "uv_udp_getsockname")]
        pub fn local_addr(&self) -> $result<SocketAddr> {
            self.with(|mut udp| udp.local_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
        }

        /// The address of the peer.
        #[doc(alias = "uv_udp_getpeername")]
        pub fn peer_addr(&self) -> $result<SocketAddr> {
            self.with(|mut udp| udp.peer_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
        }

        /// Sends a datagram without queueing, and returns its size. `EAGAIN` if it cannot be sent at
        /// once.
        #[doc(alias = "uv_udp_try_send")]
        pub fn try_send(&self, bytes: &[u8], to: impl Into<Option<SocketAddr>>) -> $result<usize> {
            let to = to.into().map(Into::into);
            self.with(|mut udp| udp.try_send(&[IoSlice::new(bytes)], to.as_ref()))
        }

        /// Sends datagrams, each with its bytes and its destination, without queueing and with as few
        /// system calls as possible. Returns how many were sent. On Linux, one call sends 64 of them, and
        /// those of one size to one address cost little more than a single one (GSO).
        ///
        /// # Errors
        /// Those of the first datagram: `EAGAIN` if it cannot be sent at once, `EISCONN` if the socket is
        /// connected. If another one fails, those before it were sent.
        #[doc(alias = "uv_udp_try_send2")]
        #[doc(alias = "sendmmsg")]
        pub fn try_send_many(&self, datagrams: &[(&[u8], SocketAddr)]) -> $result<usize> {
            self.with(|mut udp| crate::udp_methods::send_many(&mut udp, datagrams))
        }

        /// Sends `bytes` as datagrams of `segment_size` bytes each; the last one may be shorter. With
        /// generic segmentation offload (GSO) this costs little more than sending one. Sends as many as
        /// possible without queueing, and returns the number of bytes sent.
        ///
        /// ```
        /// # #[mauve::main]
        /// # async fn main() -> std::io::Result<()> {
        /// use mauve::net::UdpSocket;
        ///
        /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
        /// assert_eq!(socket.try_send_segmented(&[7; 150], socket.local_addr()?, 100)?, 150);
        /// assert_eq!(socket.recv(&mut [0; 1000]).await?, 100);
        /// assert_eq!(socket.recv(&mut [0; 1000]).await?, 50);
        /// # Ok(())
        /// # }
        /// ```
        #[doc(alias = "UDP_SEGMENT")]
        pub fn try_send_segmented(
            &self,
            bytes: &[u8],
            to: impl Into<Option<SocketAddr>>,
            segment_size: u16,
        ) -> $result<usize> {
            let to = to.into().map(Into::into);
            self.with(|mut udp| udp.try_send_segmented(bytes, to.as_ref(), segment_size))
        }

        /// Enables generic receive offload (GRO): the kernel may merge datagrams of one sender, see
        /// [`Datagram::segment_size`](crate::Datagram::segment_size).
        #[doc(alias = "UDP_GRO")]
        pub fn set_receive_offload(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_receive_offload(on))
        }

        /// Joins a multicast group.
        #[doc(alias = "uv_udp_set_membership")]
        pub fn join_multicast(&self, group: MulticastGroup) -> $result<()> {
            self.with(|mut udp| udp.set_membership(group, Membership::Join))
        }

        /// Leaves a multicast group.
        #[doc(alias = "uv_udp_set_membership")]
        pub fn leave_multicast(&self, group: MulticastGroup) -> $result<()> {
            self.with(|mut udp| udp.set_membership(group, Membership::Leave))
        }

        /// Joins a multicast group for datagrams of one source.
        #[doc(alias = "uv_udp_set_source_membership")]
        pub fn join_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> $result<()> {
            self.with(|mut udp| udp.set_source_membership(group, source, Membership::Join))
        }

        /// Leaves a multicast group for datagrams of one source.
        #[doc(alias = "uv_udp_set_source_membership")]
        pub fn leave_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> $result<()> {
            self.with(|mut udp| udp.set_source_membership(group, source, Membership::Leave))
        }

        /// Sets the interface for outgoing multicast datagrams. `None` lets the kernel choose.
        #[doc(alias = "uv_udp_set_multicast_interface")]
        pub fn set_multicast_interface(
            &self,
            interface: impl Into<Option<MulticastInterface>>,
        ) -> $result<()> {
            self.with(|mut udp| udp.set_multicast_interface(interface.into()))
        }

        /// Sets whether multicast datagrams are looped back to this host.
        #[doc(alias = "uv_udp_set_multicast_loop")]
        pub fn set_multicast_loop(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_multicast_loop(on.into()))
        }

        /// Sets the time to live of multicast datagrams, up to 255. Zero keeps them on this host.
        #[doc(alias = "uv_udp_set_multicast_ttl")]
        pub fn set_multicast_ttl(&self, ttl: u32) -> $result<()> {
            let ttl = ttl.try_into().unwrap_or(i32::MAX);
            self.with(|mut udp| udp.set_multicast_ttl(ttl))
        }

        /// Sets the time to live of datagrams, from 1 to 255.
        #[doc(alias = "uv_udp_set_ttl")]
        pub fn set_ttl(&self, ttl: u32) -> $result<()> {
            let ttl = ttl.try_into().unwrap_or(i32::MAX);
            self.with(|mut udp| udp.set_ttl(ttl))
        }

        /// Sets whether the socket may send to broadcast addresses.
        #[doc(alias = "uv_udp_set_broadcast")]
        pub fn set_broadcast(&self, on: bool) -> $result<()> {
            self.with(|mut udp| udp.set_broadcast(on))
        }
    };
}

pub(crate) use udp_methods;
