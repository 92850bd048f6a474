//! HTTP/1 and HTTP/2 on one port.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use futures_io::AsyncRead;

use crate::MauveIo;

/// What a client of HTTP/2 sends first.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The version of HTTP that a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.0 or HTTP/1.1.
    Http1,
    /// HTTP/2, without an upgrade from HTTP/1.
    Http2,
}

/// Reads the first bytes of a connection to detect its protocol. hyper gets these bytes, too.
///
/// It waits until the client has sent enough, so give it a [timeout](mauve::timeout()).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use std::time::Duration;
/// use mauve_hyper::{Protocol, detect};
///
/// # use futures_lite::AsyncWriteExt;
/// # let (stream, mut client) = mauve::net::UnixStream::pair()?;
/// # client.write_all(b"GET / HTTP/1.1\r\n").await?;
/// let (protocol, io) = mauve::timeout(Duration::from_secs(10), detect(stream)).await??;
/// match protocol {
///     Protocol::Http1 => println!("serve {io:?} with hyper::server::conn::http1"),
///     Protocol::Http2 => println!("serve {io:?} with hyper::server::conn::http2"),
/// }
/// # assert_eq!(protocol, Protocol::Http1);
/// # Ok(())
/// # })
/// # }
/// ```
///
/// # Errors
/// The errors of reading. A client that closes the connection uses HTTP/1, where that is not an
/// error.
///
/// # Cancel safety
/// Dropping the future closes the stream.
pub async fn detect<T: AsyncRead + Unpin>(mut stream: T) -> io::Result<(Protocol, MauveIo<T>)> {
    let mut bytes = [0; PREFACE.len()];
    let mut length = 0;
    let protocol = loop {
        let free = &mut bytes[length..];
        let count = poll_fn(|context| Pin::new(&mut stream).poll_read(context, free)).await?;
        length += count;
        if count == 0 || bytes[..length] != PREFACE[..length] {
            break Protocol::Http1;
        }
        if length == PREFACE.len() {
            break Protocol::Http2;
        }
    };
    Ok((protocol, MauveIo::with_prefix(stream, bytes[..length].to_vec())))
}
