//! Whether the peer of a socket belongs to this process, from the list of its descriptors.

use std::net::SocketAddr;
use std::os::fd::{BorrowedFd, RawFd};

use super::{Address, Peer, c, family, local_address, peer_address, peer_credentials};

pub fn peer(fd: RawFd) -> Peer {
    if fd < 0 {
        return Peer::None;
    }
    // SAFETY: not -1. If it is closed, or another descriptor by now, the calls below fail or are about another
    // one. They only read.
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    match family(fd) {
        Ok(c::AF_UNIX) => match peer_credentials(fd) {
            // The peer is a process that cannot be seen, or there is none.
            Ok(peer) if peer.pid == 0 => Peer::None,
            Ok(peer) if peer.pid.unsigned_abs() == std::process::id() => Peer::Own,
            Ok(_) => Peer::Foreign,
            Err(_) => Peer::None,
        },
        Ok(c::AF_INET | c::AF_INET6) => {
            let (Some(peer), Some(own)) =
                (canonical(peer_address(fd)), canonical(local_address(fd)))
            else {
                return Peer::None;
            };
            let is_own = own_sockets().any(|(local, remote)| {
                // A socket for datagrams may be bound to all addresses.
                let is_peer =
                    local == peer || (local.ip().is_unspecified() && local.port() == peer.port());
                is_peer && remote.is_none_or(|remote| remote == own)
            });
            if is_own { Peer::Own } else { Peer::Foreign }
        }
        _ => Peer::None,
    }
}

/// The local and the remote address of each internet socket of this process.
fn own_sockets() -> impl Iterator<Item = (SocketAddr, Option<SocketAddr>)> {
    let entries = std::fs::read_dir("/dev/fd").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let fd: RawFd = entry.file_name().to_str()?.parse().ok()?;
        // SAFETY: the list has just named it. If another thread closes it meanwhile, the calls below, which
        // only read, fail or are about another descriptor.
        let fd = unsafe { BorrowedFd::borrow_raw(fd) };
        Some((canonical(local_address(fd))?, canonical(peer_address(fd))))
    })
}

/// An internet address. One of IPv4 may be written as one of IPv6.
fn canonical(address: crate::Result<Address>) -> Option<SocketAddr> {
    let address = address.ok()?.to_socket_addr()?;
    (address.port() != 0).then(|| SocketAddr::new(address.ip().to_canonical(), address.port()))
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    use super::{Peer, peer};

    #[test]
    fn both_ends_of_a_connection_in_a_process_are_its_own() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        assert_eq!([peer(client.as_raw_fd()), peer(server.as_raw_fd())], [Peer::Own; 2]);
        assert_eq!(peer(listener.as_raw_fd()), Peer::None);
        // The listener could accept it.
        drop((server, listener));
        let message = "the socket of the peer is closed";
        assert_eq!(peer(client.as_raw_fd()), Peer::Foreign, "{message}");
        let (one, _other) = UnixStream::pair().unwrap();
        assert_eq!(peer(one.as_raw_fd()), Peer::Own);
        let receiver = UdpSocket::bind("0.0.0.0:0").unwrap();
        let sender = UdpSocket::bind("127.0.0.1:0").unwrap();
        sender.connect(("127.0.0.1", receiver.local_addr().unwrap().port())).unwrap();
        assert_eq!(peer(sender.as_raw_fd()), Peer::Own);
    }
}
