//! Servers on mauve's handles with callbacks.

use mauve::{Loop, Pipe, Result, RunMode, Tcp, Udp};

use super::{BACKLOG, MESSAGE, Service, any_port, path, ready};

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    let lp: Loop = Loop::new()?;
    match service {
        Service::TcpEcho => listen(&lp, echo)?,
        Service::Reply => listen(&lp, reply)?,
        Service::Sink => listen(&lp, sink)?,
        Service::PipeEcho => listen_unix(&lp)?,
        Service::UdpEcho => echo_datagrams(&lp)?,
    }
    lp.run(RunMode::Default)?;
    Ok(())
}

/// Serves one connection.
type Serve = fn(&Tcp) -> Result<()>;

fn listen(lp: &Loop, serve: Serve) -> Result<()> {
    let server = Tcp::new(lp);
    server.bind(any_port())?;
    server.listen(BACKLOG, move |(), _, connection| {
        let served = connection.and_then(|peer| {
            peer.set_nodelay(true)?;
            serve(&peer)
        });
        served.expect("a connection");
    })?;
    ready(server.local_addr()?);
    Ok(())
}

fn echo(peer: &Tcp) -> Result<()> {
    peer.read_start(|(), peer, data| match data {
        Ok(Some(bytes)) => write(peer, bytes),
        _ => peer.close(),
    })
}

/// Replies to each message with a separate write.
fn reply(peer: &Tcp) -> Result<()> {
    let mut partial = 0;
    peer.read_start(move |(), peer, data| match data {
        Ok(Some(bytes)) => {
            partial += bytes.len();
            while partial >= MESSAGE {
                partial -= MESSAGE;
                write(peer, &[b'm'; MESSAGE]);
            }
        }
        _ => peer.close(),
    })
}

fn sink(peer: &Tcp) -> Result<()> {
    peer.read_start(|(), peer, data| {
        if !matches!(data, Ok(Some(_))) {
            peer.close();
        }
    })
}

/// A failed write closes the connection here or, if it was queued, in the read callback.
fn write(peer: &Tcp, bytes: &[u8]) {
    peer.write(bytes).unwrap_or_else(|_| peer.close());
}

fn listen_unix(lp: &Loop) -> Result<()> {
    let server = Pipe::new(lp);
    server.bind(path())?;
    server.listen(BACKLOG, |(), _, connection| {
        let echoed = connection.and_then(|peer| {
            peer.read_start(|(), peer, data| match data {
                Ok(Some(bytes)) => peer.write(bytes).unwrap_or_else(|_| peer.close()),
                _ => peer.close(),
            })
        });
        echoed.expect("a connection");
    })?;
    ready(path().display());
    Ok(())
}

fn echo_datagrams(lp: &Loop) -> Result<()> {
    let socket = Udp::new(lp);
    socket.bind(any_port())?;
    socket.recv_start(|(), socket, datagram| {
        let datagram = datagram.expect("a datagram");
        socket.send(datagram.bytes, datagram.from).expect("sending works");
    })?;
    ready(socket.local_addr()?);
    Ok(())
}
