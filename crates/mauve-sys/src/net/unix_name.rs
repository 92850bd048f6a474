//! Addresses of Unix sockets for the standard library, which has them on Unix only.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net as unix;

use super::{Address, system};

impl Address {
    /// The address of a Unix socket, for the standard library.
    pub fn to_unix_socket_addr(&self) -> std::io::Result<unix::SocketAddr> {
        match self.unix_name() {
            [0, name @ ..] => system::abstract_address(name),
            // An empty path is the address of an unnamed socket.
            path => unix::SocketAddr::from_pathname(OsStr::from_bytes(path)),
        }
    }
}
