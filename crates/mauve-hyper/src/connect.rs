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
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use http_body_util::Empty;
/// use hyper::{Request, Uri, body::Bytes};
///
/// # let listener = mauve::net::TcpListener::bind("127.0.0.1:0").await?;
/// # let address = listener.local_addr()?;
/// # mauve::spawn(async move {
/// #     use futures_lite::{AsyncReadExt, AsyncWriteExt};
/// #     let (mut stream, _) = listener.accept().await.unwrap();
/// #     stream.read(&mut [0; 1000]).await.unwrap();
/// #     stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
/// # });
/// let uri: Uri = format!("http://{address}/").parse()?;
/// let io = mauve_hyper::connect(&uri).await?;
/// let (mut client, connection) = hyper::client::conn::http1::handshake(io).await?;
/// mauve::spawn(connection);
/// let response = client.send_request(Request::get(uri).body(Empty::<Bytes>::new())?).await?;
/// assert_eq!(response.status(), 204);
/// # Ok(())
/// # })
/// # }
/// ```
///
/// # Errors
/// `InvalidInput` if the URI has no host, or a scheme other than `http`. The errors of resolving the
/// name, and of connecting.
///
/// # Cancel safety
/// If the future is dropped, the connection is given up and its socket closed.
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
