//! Connections for clients.

use std::io;

use hyper::Uri;
use mauve::net::TcpStream;

use crate::MauveIo;

/// Connects to the host of a URI, at port 80 if it names none, on the loop that runs on this thread.
/// The name is resolved without blocking, and its addresses are tried in turn.
///
/// Give the result to the handshake of [`hyper::client::conn`].
///
/// # Errors
/// `InvalidInput` if the URI has no host, or a scheme other than `http`. The errors of resolving the
/// name, and of connecting.
///
/// # Panics
/// Panics if no loop runs on this thread.
pub async fn connect(uri: &Uri) -> io::Result<MauveIo<TcpStream>> {
    let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
    if uri.scheme_str().is_some_and(|scheme| scheme != "http") {
        return Err(invalid("the scheme of the URI is not http"));
    }
    let host = uri.host().ok_or_else(|| invalid("the URI has no host"))?;
    // An IPv6 address is in brackets.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(80))).await?;
    stream.set_nodelay(true)?;
    Ok(MauveIo::new(stream))
}
