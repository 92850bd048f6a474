//! The busy task of a measurement, the same for all runtimes.

/// Defines `FloodedSocket`: a socket and the operations that keep a task busy.
///
/// Runtimes have sockets of the same shape and no trait in common, so this is a macro. It uses the
/// names in scope at the call: `TcpListener`, `UdpSocket`, `Result`, `Flood`, `Span`, and
/// the traits that read and write streams.
#[macro_export]
macro_rules! flooded_socket {
    () => {
        enum FloodedSocket {
            Tcp(TcpListener),
            Udp(UdpSocket),
        }

        impl FloodedSocket {
            async fn bind(flood: Flood) -> Result<Self> {
                let address = $crate::server::any_port();
                Ok(match flood {
                    Flood::Receive(_) | Flood::Send(_) => {
                        Self::Udp(UdpSocket::bind(address).await?)
                    }
                    _ => Self::Tcp(TcpListener::bind(address).await?),
                })
            }

            fn address(&self) -> Result<std::net::SocketAddr> {
                match self {
                    Self::Tcp(listener) => listener.local_addr(),
                    Self::Udp(socket) => socket.local_addr(),
                }
            }

            /// Performs operations without pause. Datagrams are sent `to` an address.
            async fn keep_busy(
                &self,
                flood: Flood,
                to: std::net::SocketAddr,
                span: Span,
            ) -> Result<()> {
                match (self, flood) {
                    (Self::Tcp(listener), Flood::Read(size)) => {
                        let (mut stream, mut buffer) = (listener.accept().await?.0, vec![0; size]);
                        while !span.is_over() && stream.read(&mut buffer).await? > 0 {}
                    }
                    (Self::Tcp(listener), Flood::Write(size)) => {
                        let (mut stream, buffer) = (listener.accept().await?.0, vec![0; size]);
                        while !span.is_over() {
                            stream.write_all(&buffer).await?;
                        }
                    }
                    (Self::Tcp(listener), _) => {
                        while !span.is_over() {
                            listener.accept().await?;
                        }
                    }
                    (Self::Udp(socket), Flood::Send(size)) => {
                        let buffer = vec![0; size];
                        while !span.is_over() {
                            socket.send_to(&buffer, to).await?;
                        }
                    }
                    (Self::Udp(socket), _) => {
                        let mut buffer = vec![0; $crate::server::BUFFER];
                        while !span.is_over() {
                            socket.recv_from(&mut buffer).await?;
                        }
                    }
                }
                Ok(())
            }
        }
    };
}
