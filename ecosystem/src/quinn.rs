//! QUIC: the runtime of quinn on mauve's event loop.
//!
//! quinn requires `Send` of sockets and timers, and those of mauve belong to a loop. So an endpoint, its
//! connections and its streams have to be used on the thread of the loop that created it: another thread
//! panics.

use std::future::Future;
use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, UdpSocket};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use mauve::ThreadBound;
use mauve::net::AsyncFd;
use quinn::udp::{RecvMeta, Transmit, UdpSocketState};
use quinn::{AsyncTimer, AsyncUdpSocket, Runtime, UdpPoller};

/// The runtime for [`quinn::Endpoint::new`], on the loop that runs on this thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct MauveRuntime;

impl Runtime for MauveRuntime {
    fn new_timer(&self, deadline: Instant) -> Pin<Box<dyn AsyncTimer>> {
        Box::pin(Timer(mauve::time::sleep_until(deadline.into())))
    }

    fn now(&self) -> Instant {
        mauve::time::Instant::now().into_std()
    }

    fn spawn(&self, future: Pin<Box<dyn Future<Output = ()> + Send>>) {
        mauve::spawn(future);
    }

    fn wrap_udp_socket(&self, socket: UdpSocket) -> io::Result<Arc<dyn AsyncUdpSocket>> {
        // Sets non-blocking mode, too.
        let state = UdpSocketState::new((&socket).into())?;
        Ok(Arc::new(Socket { io: ThreadBound::new(AsyncFd::new(socket)?), state }))
    }
}

#[derive(Debug)]
struct Timer(mauve::Sleep);

impl AsyncTimer for Timer {
    fn reset(mut self: Pin<&mut Self>, deadline: Instant) {
        self.0.reset(deadline.into());
    }

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(context)
    }
}

#[derive(Debug)]
struct Socket {
    io: ThreadBound<AsyncFd<UdpSocket>>,
    state: UdpSocketState,
}

impl AsyncUdpSocket for Socket {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        Box::pin(Writable(self))
    }

    fn try_send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.io.with(|io| self.state.send(io.get_ref().into(), transmit))
    }

    fn poll_recv(
        &self,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        self.io.with(|io| {
            loop {
                match self.state.recv(io.get_ref().into(), buffers, meta) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        drop(ready!(io.poll_read_ready(context))?);
                    }
                    received => return Poll::Ready(received),
                }
            }
        })
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.io.with(|io| io.get_ref().local_addr())
    }

    fn max_transmit_segments(&self) -> usize {
        self.state.max_gso_segments()
    }

    fn max_receive_segments(&self) -> usize {
        self.state.gro_segments()
    }

    fn may_fragment(&self) -> bool {
        self.state.may_fragment()
    }
}

#[derive(Debug)]
struct Writable(Arc<Socket>);

impl UdpPoller for Writable {
    fn poll_writable(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.io.with(|io| io.poll_write_ready(context).map_ok(drop))
    }
}
