//! Servers on mauve's handles with closures.

use mauve::{CorkPolicy, Loop, Pipe, Result, RunMode, Tcp, Udp};

use super::{BACKLOG, MESSAGE, Service, anywhere, path, ready};

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    let lp: Loop = Loop::new()?;
    match service {
        Service::TcpEcho => listen(&lp, echo)?,
        Service::Answer => listen(&lp, answer)?,
        Service::Sink => listen(&lp, sink)?,
        Service::PipeEcho => listen_locally(&lp)?,
        Service::UdpEcho => echo_datagrams(&lp)?,
    }
    lp.run(RunMode::Default)?;
    Ok(())
}

/// What is done with a connection.
type Serve = fn(&Tcp) -> Result<()>;

fn listen(lp: &Loop, serve: Serve) -> Result<()> {
    let server = Tcp::new(lp);
    server.bind(anywhere())?;
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

/// Answers each message with a write of its own; the stream is corked, so they leave in one call.
fn answer(peer: &Tcp) -> Result<()> {
    peer.set_cork_policy(CorkPolicy::Burst)?;
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

/// A connection that can be written to no more ends for its reader, who closes it.
fn write(peer: &Tcp, bytes: &[u8]) {
    peer.write(bytes, |(), _| {}).unwrap_or_else(|_| peer.close());
}

fn listen_locally(lp: &Loop) -> Result<()> {
    let server = Pipe::new(lp);
    server.bind(path())?;
    server.listen(BACKLOG, |(), _, connection| {
        let echoed = connection.and_then(|peer| {
            peer.read_start(|(), peer, data| match data {
                Ok(Some(bytes)) => peer.write(bytes, |(), _| {}).unwrap_or_else(|_| peer.close()),
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
    socket.bind(anywhere())?;
    socket.recv_start(|(), socket, datagram| {
        let datagram = datagram.expect("a datagram");
        socket.send(datagram.bytes, datagram.from, |(), _| {}).expect("to send it back");
    })?;
    ready(socket.local_addr()?);
    Ok(())
}
