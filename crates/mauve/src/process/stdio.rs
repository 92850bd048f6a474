//! Standard streams of children.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_io::AsyncWrite;
use mauve_sys::descriptor::{AsDescriptor as _, Descriptor};
use mauve_sys::fd;

use crate::net::{PipeStream, impl_io};

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
    Descriptor(Arc<Descriptor>),
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

impl From<Descriptor> for Stdio {
    fn from(descriptor: Descriptor) -> Self {
        Self(StdioKind::Descriptor(Arc::new(descriptor)))
    }
}

impl From<std::fs::File> for Stdio {
    fn from(file: std::fs::File) -> Self {
        Descriptor::from(file).into()
    }
}

/// Duplicates the descriptor.
impl TryFrom<&crate::fs::File> for Stdio {
    type Error = io::Error;

    fn try_from(file: &crate::fs::File) -> io::Result<Self> {
        Ok(fd::duplicate(file.as_descriptor())?.into())
    }
}

/// The pipe to the standard input of a child. Dropping it closes it, so that the child reads the end
/// of file. So does `close` of the extension traits.
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
pub struct ChildStdin(Option<PipeStream>);

impl ChildStdin {
    pub(super) fn new(pipe: PipeStream) -> Self {
        Self(Some(pipe))
    }

    fn pipe(&self) -> io::Result<&PipeStream> {
        self.0.as_ref().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

impl AsyncWrite for ChildStdin {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.pipe()?.0.poll_write(context, slices)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.as_ref().map_or(Ok(()), |pipe| pipe.0.flush()))
    }

    /// Closes the pipe: only a socket can be shut down.
    fn poll_close(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0 = None;
        Poll::Ready(Ok(()))
    }
}

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
pub struct ChildStdout(pub(super) PipeStream);

/// The pipe from the standard error of a child.
#[derive(Debug)]
pub struct ChildStderr(pub(super) PipeStream);

impl_io!(read ChildStdout, |stdout| stdout.0.0);
impl_io!(read ChildStderr, |stderr| stderr.0.0);

macro_rules! impl_into_stdio {
    ($name:ident, |$stream:ident| $pipe:expr) => {
        /// Passes the pipe to another child, which gets it in blocking mode.
        impl TryFrom<$name> for Stdio {
            type Error = io::Error;

            fn try_from($stream: $name) -> io::Result<Self> {
                let pipe: PipeStream = $pipe;
                let pipe = pipe.into_descriptor()?;
                // Programs expect that their standard streams block.
                fd::set_nonblocking(pipe.raw_descriptor(), false)?;
                Ok(pipe.into())
            }
        }
    };
}

impl_into_stdio!(ChildStdin, |stdin| stdin.0.ok_or(io::ErrorKind::BrokenPipe)?);
impl_into_stdio!(ChildStdout, |stdout| stdout.0);
impl_into_stdio!(ChildStderr, |stderr| stderr.0);
