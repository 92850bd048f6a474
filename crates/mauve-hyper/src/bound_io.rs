//! Connections for code that requires `Send`, on the loop of one thread.

/// Implements hyper's traits for a type whose first field is a `ThreadBound<MauveIo<_>>`.
macro_rules! impl_bound_io {
    ($name:ty $(, $stream:ident)?) => {
        impl$(<$stream: futures_io::AsyncRead + Unpin + 'static>)? hyper::rt::Read for $name {
            fn poll_read(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                cursor: hyper::rt::ReadBufCursor<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.0.with(|io| std::pin::Pin::new(io).poll_read(context, cursor))
            }
        }

        impl$(<$stream: futures_io::AsyncWrite + Unpin + 'static>)? hyper::rt::Write for $name {
            fn poll_write(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                bytes: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.0.with(|io| std::pin::Pin::new(io).poll_write(context, bytes))
            }

            fn is_write_vectored(&self) -> bool {
                true
            }

            fn poll_write_vectored(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                slices: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.0.with(|io| std::pin::Pin::new(io).poll_write_vectored(context, slices))
            }

            fn poll_flush(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.0.with(|io| std::pin::Pin::new(io).poll_flush(context))
            }

            fn poll_shutdown(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                self.0.with(|io| std::pin::Pin::new(io).poll_shutdown(context))
            }
        }
    };
}

pub(crate) use impl_bound_io;
