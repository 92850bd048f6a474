//! What servers of tasks do on every runtime.

/// Defines the functions of a server: those that listen, and those that serve a connection.
///
/// Runtimes have sockets of the same shape and no trait in common, so this is a macro. It uses the names in
/// scope at the call: the sockets, `Result`, and the traits that read and write streams. Its arguments are
/// the function that spawns a task, and what a task has to be in addition.
#[macro_export]
macro_rules! task_servers {
    ($spawn:path $(, $bound:path)?) => {
        async fn listen<F>(serve: fn(TcpStream) -> F) -> Result<()>
        where
            F: Future<Output = Result<()>> $(+ $bound)? + 'static,
        {
            let listener = TcpListener::bind($crate::server::any_port()).await?;
            $crate::server::ready(listener.local_addr()?);
            loop {
                let (peer, _) = listener.accept().await?;
                peer.set_nodelay(true)?;
                $spawn(serve(peer));
            }
        }

        async fn listen_unix() -> Result<()> {
            let path = $crate::server::path();
            let listener = UnixListener::bind(&path)?;
            $crate::server::ready(path.display());
            loop {
                $spawn(echo(listener.accept().await?.0));
            }
        }

        /// Each connection holds a buffer.
        async fn echo(mut peer: impl AsyncRead + AsyncWrite + Unpin) -> Result<()> {
            let mut buffer = $crate::server::Buffer::take();
            loop {
                let count = peer.read(&mut buffer).await?;
                if count == 0 {
                    return Ok(());
                }
                peer.write_all(&buffer[..count]).await?;
            }
        }

        /// Replies to each message with a separate write.
        async fn reply(mut peer: TcpStream) -> Result<()> {
            use $crate::server::MESSAGE;
            let mut buffer = $crate::server::Buffer::take();
            let mut partial = 0;
            loop {
                let count = peer.read(&mut buffer).await?;
                if count == 0 {
                    return Ok(());
                }
                partial += count;
                while partial >= MESSAGE {
                    partial -= MESSAGE;
                    peer.write_all(&[b'm'; MESSAGE]).await?;
                }
            }
        }

        async fn sink(mut peer: TcpStream) -> Result<()> {
            let mut buffer = $crate::server::Buffer::take();
            while peer.read(&mut buffer).await? > 0 {}
            Ok(())
        }
    };
}
