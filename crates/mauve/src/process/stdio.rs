//! Standard streams of children.

use std::io::{self, IoSlice};
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use crate::net::UnixStream;

/// What a standard stream of a child refers to, as [`std::process::Stdio`].
///
/// A file, a descriptor or a stream of another child converts into a `Stdio`:
///
/// ```
/// use mauve::process::{Command, Stdio};
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let file = std::fs::File::open("/dev/null")?;
///     let output = Command::new("cat").stdin(file).output().await?;
///     assert!(output.stdout.is_empty());
///
///     // echo hello | tr a-z A-Z
///     let mut echo = Command::new("echo").arg("hello").stdout(Stdio::piped()).spawn()?;
///     let stdout: Stdio = echo.stdout.take().expect("a pipe").try_into()?;
///     let output = Command::new("tr").args(["a-z", "A-Z"]).stdin(stdout).output().await?;
///     assert_eq!(output.stdout, b"HELLO\n");
///     echo.wait().await?;
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stdio(pub(super) StdioKind);

#[derive(Clone, Debug)]
pub(super) enum StdioKind {
    Inherit,
    Null,
    Piped,
    /// Shared, so that a command can be cloned and spawned again.
    Descriptor(Arc<OwnedFd>),
}

impl Stdio {
    /// The same stream of this process.
    pub fn inherit() -> Self {
        Self(StdioKind::Inherit)
    }

    /// `/dev/null`.
    pub fn null() -> Self {
        Self(StdioKind::Null)
    }

    /// A pipe. The [`Child`](super::Child) has its other end.
    pub fn piped() -> Self {
        Self(StdioKind::Piped)
    }
}

impl From<OwnedFd> for Stdio {
    fn from(fd: OwnedFd) -> Self {
        Self(StdioKind::Descriptor(Arc::new(fd)))
    }
}

impl From<std::fs::File> for Stdio {
    fn from(file: std::fs::File) -> Self {
        OwnedFd::from(file).into()
    }
}

/// Duplicates the descriptor.
impl TryFrom<&crate::fs::File> for Stdio {
    type Error = io::Error;

    fn try_from(file: &crate::fs::File) -> io::Result<Self> {
        Ok(file.as_fd().try_clone_to_owned()?.into())
    }
}

/// The pipe to the standard input of a child. Dropping it closes it, so that the child reads the end
/// of file.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::AsyncWriteExt;
/// use mauve::process::{Command, Stdio};
///
/// let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
/// let mut stdin = child.stdin.take().expect("a pipe");
/// stdin.write_all(b"hello").await?;
/// // Now `cat` reads the end of file, and exits.
/// drop(stdin);
/// assert_eq!(child.wait_with_output().await?.stdout, b"hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ChildStdin(pub(super) UnixStream);

/// The pipe from the standard output of a child.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::io;
/// use mauve::process::{Command, Stdio};
///
/// let mut child = Command::new("echo").arg("hello").stdout(Stdio::piped()).spawn()?;
/// let stdout = child.stdout.take().expect("a pipe");
/// let mut lines = io::lines(io::BufReader::new(stdout));
/// assert_eq!(lines.next_line().await?.as_deref(), Some("hello"));
/// child.wait().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ChildStdout(pub(super) UnixStream);

/// The pipe from the standard error of a child.
#[derive(Debug)]
pub struct ChildStderr(pub(super) UnixStream);

impl AsyncWrite for ChildStdin {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, slices)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(context)
    }
}

macro_rules! impl_read {
    ($name:ident) => {
        impl AsyncRead for $name {
            fn poll_read(
                mut self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.0).poll_read(context, buffer)
            }
        }
    };
}

impl_read!(ChildStdout);
impl_read!(ChildStderr);

macro_rules! impl_into_stdio {
    ($name:ident) => {
        /// Passes the pipe to another child, which gets it in blocking mode.
        impl TryFrom<$name> for Stdio {
            type Error = io::Error;

            fn try_from(stream: $name) -> io::Result<Self> {
                let fd = OwnedFd::from(stream.0.into_std()?);
                // Programs expect that their standard streams block.
                mauve_sys::fd::set_nonblocking(fd.as_raw_fd(), false)?;
                Ok(fd.into())
            }
        }
    };
}

impl_into_stdio!(ChildStdin);
impl_into_stdio!(ChildStdout);
impl_into_stdio!(ChildStderr);
