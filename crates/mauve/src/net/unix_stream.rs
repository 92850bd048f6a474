//! Unix domain streams for tasks.

use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::os::unix::net::SocketAddr;
use std::path::Path;
use std::task::Context;

use mauve_sys::net::{self, Address};

use super::Direction;
use super::socket::{Socket, open_pipe};
use super::stream::{impl_io, impl_stream};
use crate::core::current;
use crate::os_io::impl_socket_traits;

/// A connection over a Unix domain socket, for tasks. Dropping it closes it.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::{AsyncReadExt, AsyncWriteExt};
/// use mauve::net::UnixStream;
///
/// let (mut stream, mut peer) = UnixStream::pair()?;
/// stream.write_all(b"hello").await?;
/// let mut buffer = [0; 5];
/// peer.read_exact(&mut buffer).await?;
/// assert_eq!(&buffer, b"hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct UnixStream(pub(crate) Socket);

impl UnixStream {
    /// Connects to the socket at `path`, on the loop that runs on this thread.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::{UnixListener, UnixStream};
    /// # let directory = mauve::fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
    /// # let path = directory.join("socket");
    /// let listener = UnixListener::bind(&path)?;
    /// let stream = UnixStream::connect(&path).await?;
    /// assert_eq!(stream.peer_addr()?.as_pathname(), Some(&*path));
    /// # mauve::fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cancel safety
    /// If the future is dropped, the connection is given up and its socket closed.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_pipe_connect")]
    pub async fn connect(path: impl AsRef<Path>) -> io::Result<Self> {
        let socket = Socket::open(current(), open_pipe)?;
        let token = socket.token();
        let name = path.as_ref().as_os_str().as_encoded_bytes();
        socket.with(|mut stream| stream.connect_pipe(token, name))?;
        socket.connected().await?;
        Ok(Self(socket))
    }

    /// Creates two connected streams, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn pair() -> io::Result<(Self, Self)> {
        let (one, two) = std::os::unix::net::UnixStream::pair()?;
        Ok((Self::from_std(one)?, Self::from_std(two)?))
    }

    /// The credentials of the process that has connected the socket, or created the pair.
    pub fn peer_cred(&self) -> io::Result<UCred> {
        let peer = self.0.with_fd(net::peer_credentials)?;
        Ok(UCred { pid: peer.pid, uid: peer.uid, gid: peer.gid })
    }

    /// The local address.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        unix_address(&self.0.with_fd(net::local_address)?)
    }

    /// The address of the peer.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        unix_address(&self.0.with_fd(net::peer_address)?)
    }

    /// Takes the pending error of the socket (`SO_ERROR`).
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.with_fd(net::take_error)?.map(Into::into))
    }
}

/// Converts the address of a Unix socket.
pub(super) fn unix_address(address: &Address) -> io::Result<SocketAddr> {
    address.to_unix_socket_addr()
}

impl_stream!(UnixStream, std::os::unix::net::UnixStream, open_pipe);

/// The credentials of a peer process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UCred {
    pid: i32,
    uid: u32,
    gid: u32,
}

impl UCred {
    /// The id of the user.
    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// The id of the group.
    pub fn gid(&self) -> u32 {
        self.gid
    }

    /// The id of the process. `None` if it is not known on this platform.
    pub fn pid(&self) -> Option<u32> {
        u32::try_from(self.pid).ok().filter(|pid| *pid > 0)
    }
}
