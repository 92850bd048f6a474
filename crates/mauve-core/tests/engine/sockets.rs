//! Random operations on streams and datagram sockets, compared with a simple model.
//!
//! The sockets are real and the driver is the fake one, which takes their readiness from duplicates.
//! The model knows only what was requested: bytes and datagrams arrive complete and in order, each
//! request is reported once and in order, and a close cancels those that are left.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::sync::LazyLock;

use mauve_core::handle::stream::ReadOutcome;
use mauve_core::{Completion, HandleId, Mode, Token};
use mauve_sys::Errno;
use mauve_sys::driver::Readiness;
use mauve_sys::net::datagram::Datagram;
use mauve_sys::payload::Payload;
use proptest::prelude::*;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::harness::{Harness, next_report};

/// An operation on the socket with this number, or on its peer.
#[derive(Clone, Debug)]
enum Op {
    Send(usize, usize),
    Start(usize),
    Stop(usize),
    ShutDown(usize),
    Close(usize),
    PeerSend(usize, usize),
    PeerReceive(usize, usize),
    /// The peer of a stream sends nothing more.
    PeerEnd(usize),
}

/// Operations, then a run that does not wait, whose callbacks perform the others.
#[derive(Clone, Debug)]
struct Run {
    before: Vec<Op>,
    inside: Vec<Vec<Op>>,
}

/// The numbers of the streams and of the datagram sockets.
const STREAMS: usize = 2;
const SOCKETS: usize = 4;

fn runs() -> impl Strategy<Value = Vec<Run>> {
    let inside = prop::collection::vec(prop::collection::vec(op(), 0..4), 0..8);
    let run = (prop::collection::vec(op(), 0..16), inside);
    prop::collection::vec(run.prop_map(|(before, inside)| Run { before, inside }), 1..8)
}

fn op() -> impl Strategy<Value = Op> {
    let n = || 0..SOCKETS;
    let size = || prop_oneof![6 => 1..2000usize, 1 => 30_000..60_000usize, 2 => Just(200_000)];
    prop_oneof![
        8 => (n(), size()).prop_map(|(n, size)| Op::Send(n, size)),
        4 => n().prop_map(Op::Start),
        2 => n().prop_map(Op::Stop),
        1 => n().prop_map(Op::ShutDown),
        1 => n().prop_map(Op::Close),
        6 => (n(), 1..2000usize).prop_map(|(n, size)| Op::PeerSend(n, size)),
        6 => (n(), 1..400_000usize).prop_map(|(n, size)| Op::PeerReceive(n, size)),
        1 => n().prop_map(Op::PeerEnd),
    ]
}

/// Bytes that differ from those of another number, and from each other at another position.
fn message(number: usize, size: usize) -> Vec<u8> {
    static BYTES: LazyLock<Vec<u8>> =
        LazyLock::new(|| (0..=200_251).map(|n| (n % 251) as u8).collect());
    BYTES[number % 251..][..size].to_vec()
}

/// The readiness of a descriptor in the kernel.
fn kernel_readiness(fd: &OwnedFd) -> Readiness {
    let mut polled = [PollFd::new(fd, PollFlags::IN | PollFlags::OUT)];
    poll(&mut polled, Some(&Timespec::default())).expect("the descriptor is open");
    let found = polled[0].revents();
    let flags = [
        (PollFlags::IN, Readiness::READABLE),
        (PollFlags::OUT, Readiness::WRITABLE),
        (PollFlags::HUP, Readiness::HANGUP),
        (PollFlags::ERR, Readiness::ERROR),
    ];
    flags.into_iter().filter(|(flag, _)| found.contains(*flag)).map(|(_, ready)| ready).collect()
}

/// Takes the readiness of a descriptor from a duplicate.
fn follow<T>(harness: &Harness, own: &T)
where
    T: AsRawFd + AsFd,
{
    let duplicate = own.as_fd().try_clone_to_owned().unwrap();
    harness.system.follow(own.as_raw_fd(), move || kernel_readiness(&duplicate));
}

enum Peer {
    Stream(UnixStream),
    Datagram(UnixDatagram),
}

/// The state of a request or a side that ends once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    None,
    Requested,
    Reported,
}

/// One socket of the engine, and what the model knows about it.
struct Socket {
    id: HandleId,
    peer: Peer,
    /// The messages that were sent, and how many of them are reported.
    sent: Vec<Vec<u8>>,
    reported: usize,
    /// How many of the reported messages were not cancelled.
    delivered: usize,
    /// The messages that the peer has received. The bytes of a stream are one message.
    arrived: Vec<Vec<u8>>,
    /// The messages of the peer that were not received yet.
    incoming: VecDeque<Vec<u8>>,
    receiving: bool,
    shutdown: Progress,
    close: Progress,
    /// The end of the peer's bytes.
    end: Progress,
}

impl Socket {
    fn stream(harness: &mut Harness, n: usize) -> Self {
        let (own, peer) = UnixStream::pair().unwrap();
        own.set_nonblocking(true).unwrap();
        peer.set_nonblocking(true).unwrap();
        rustix::net::sockopt::set_socket_send_buffer_size(&own, 64 << 10).unwrap();
        follow(harness, &own);
        let id = harness.engine.open_pipe(Token(n as u64), false);
        let mut stream = harness.engine.stream(id).unwrap();
        let adopted = stream.open(own.as_raw_fd(), true, true).unwrap();
        stream.adopt(OwnedFd::from(own), adopted).unwrap();
        Self::new(id, Peer::Stream(peer))
    }

    fn datagram(harness: &mut Harness, n: usize) -> Self {
        let (own, peer) = UnixDatagram::pair().unwrap();
        own.set_nonblocking(true).unwrap();
        peer.set_nonblocking(true).unwrap();
        follow(harness, &own);
        let id = harness.engine.open_udp(Token(n as u64));
        harness.engine.udp(id).unwrap().adopt(OwnedFd::from(own));
        Self::new(id, Peer::Datagram(peer))
    }

    fn new(id: HandleId, peer: Peer) -> Self {
        Self {
            id,
            peer,
            sent: Vec::new(),
            reported: 0,
            delivered: 0,
            arrived: Vec::new(),
            incoming: VecDeque::new(),
            receiving: false,
            shutdown: Progress::None,
            close: Progress::None,
            end: Progress::None,
        }
    }

    /// The peer sends a message, or as much of it as the kernel takes.
    fn peer_send(&mut self, mut message: Vec<u8>) {
        let sent = match &mut self.peer {
            Peer::Stream(peer) => peer.write(&message),
            Peer::Datagram(peer) => peer.send(&message),
        };
        // It blocks, or the engine has closed its socket.
        if let Ok(count) = sent {
            message.truncate(count);
            self.incoming.push_back(message);
        }
    }

    /// The peer receives a message, or up to `size` bytes. Returns whether there was something.
    fn peer_receive(&mut self, size: usize) -> bool {
        let mut buffer = vec![0; size];
        let received = match &mut self.peer {
            Peer::Stream(peer) => peer.read(&mut buffer),
            Peer::Datagram(peer) => {
                buffer.resize(1 << 18, 0);
                peer.recv(&mut buffer)
            }
        };
        match received {
            Ok(0) => false,
            Ok(count) => {
                buffer.truncate(count);
                self.arrived.push(buffer);
                true
            }
            Err(error) => {
                let expected = [ErrorKind::WouldBlock, ErrorKind::ConnectionReset];
                assert!(expected.contains(&error.kind()), "{error}");
                false
            }
        }
    }

    /// Removes bytes that the engine has received from the front of the incoming messages.
    fn take_incoming(&mut self, bytes: &[u8]) -> Result<(), TestCaseError> {
        if let Peer::Datagram(_) = self.peer {
            let first = self.incoming.pop_front();
            prop_assert!(
                first.as_deref() == Some(bytes),
                "another datagram than the peer has sent"
            );
            return Ok(());
        }
        let mut bytes = bytes;
        while !bytes.is_empty() {
            let Some(first) = self.incoming.front_mut() else {
                return Err(TestCaseError::fail("bytes that the peer has not sent"));
            };
            let count = first.len().min(bytes.len());
            prop_assert!(first[..count] == bytes[..count], "other bytes than the peer has sent");
            bytes = &bytes[count..];
            first.drain(..count);
            if first.is_empty() {
                self.incoming.pop_front();
            }
        }
        Ok(())
    }

    /// Checks what has arrived at the peer when all requests are reported.
    fn check_arrived(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.reported, self.sent.len(), "each request is reported");
        let (delivered, cancelled) = self.sent.split_at(self.delivered);
        if let Peer::Datagram(_) = self.peer {
            prop_assert!(self.arrived == delivered, "other datagrams than those that were sent");
            return Ok(());
        }
        let (arrived, all) = (self.arrived.concat(), self.sent.concat());
        prop_assert!(all.starts_with(&arrived), "other bytes than those that were sent");
        let least = delivered.concat().len();
        // A write may be sent in part before it is cancelled.
        let most = least + cancelled.first().map_or(0, |write| write.len() - 1);
        prop_assert!((least..=most).contains(&arrived.len()), "{} bytes", arrived.len());
        Ok(())
    }
}

/// Tokens of requests: the number of the socket, and that of the request plus one. Zero is the socket.
fn request_token(n: usize, number: usize) -> Token {
    Token((n + SOCKETS * (number + 1)) as u64)
}

struct Player {
    harness: Harness,
    sockets: Vec<Socket>,
    inside: VecDeque<Vec<Op>>,
}

impl Player {
    fn new() -> Self {
        let mut harness = Harness::new();
        let sockets = (0..SOCKETS).map(|n| match n {
            ..STREAMS => Socket::stream(&mut harness, n),
            _ => Socket::datagram(&mut harness, n),
        });
        let sockets = sockets.collect();
        Self { harness, sockets, inside: VecDeque::new() }
    }

    fn perform(&mut self, op: &Op) -> Result<(), TestCaseError> {
        let (Op::Send(n, _)
        | Op::Start(n)
        | Op::Stop(n)
        | Op::ShutDown(n)
        | Op::Close(n)
        | Op::PeerSend(n, _)
        | Op::PeerReceive(n, _)
        | Op::PeerEnd(n)) = *op;
        let socket = &mut self.sockets[n];
        let (engine, id, is_stream) = (&mut self.harness.engine, socket.id, n < STREAMS);
        match *op {
            Op::PeerSend(_, size) if socket.end == Progress::None => {
                let first = socket.incoming.len() + socket.sent.len();
                socket.peer_send(message(first, size));
            }
            Op::PeerReceive(_, size) => drop(socket.peer_receive(size)),
            Op::PeerEnd(_) if socket.end == Progress::None => {
                if let Peer::Stream(peer) = &socket.peer {
                    let _ = peer.shutdown(Shutdown::Write);
                    socket.end = Progress::Requested;
                }
            }
            Op::PeerSend(..) | Op::PeerEnd(_) => {}
            _ if socket.close != Progress::None => {}
            Op::Send(_, size) => {
                let number = socket.sent.len();
                // Larger datagrams may not fit into the buffer of the socket.
                let message = message(7 * number, if is_stream { size } else { size.min(2000) });
                let (token, payload) = (request_token(n, number), Payload::owned(message.clone()));
                let result = if is_stream {
                    engine.stream(id).unwrap().write(token, payload, None).map(drop)
                } else {
                    engine.udp(id).unwrap().send(token, payload, None)
                };
                if socket.shutdown == Progress::None {
                    prop_assert_eq!(result, Ok(()));
                    socket.sent.push(message);
                } else {
                    prop_assert_eq!(result, Err(Errno::EPIPE));
                }
            }
            Op::Start(_) if socket.end != Progress::Reported => {
                let result = if is_stream {
                    engine.stream(id).unwrap().start_reading()
                } else {
                    engine.udp(id).unwrap().start_receiving()
                };
                let was_receiving = std::mem::replace(&mut socket.receiving, true);
                prop_assert_eq!(result, if was_receiving { Err(Errno::EALREADY) } else { Ok(()) });
            }
            Op::Start(_) => {}
            Op::Stop(_) => {
                socket.receiving = false;
                match is_stream {
                    true => engine.stream(id).unwrap().stop_reading(),
                    false => engine.udp(id).unwrap().stop_receiving(),
                }
            }
            Op::ShutDown(_) if is_stream => {
                let token = request_token(n, usize::from(u16::MAX));
                let result = engine.stream(id).unwrap().shut_down(token);
                let first = socket.shutdown == Progress::None;
                prop_assert_eq!(result, if first { Ok(()) } else { Err(Errno::ENOTCONN) });
                if first {
                    socket.shutdown = Progress::Requested;
                }
            }
            Op::ShutDown(_) => {}
            Op::Close(_) => {
                prop_assert!(engine.close_handle(id));
                (socket.close, socket.receiving) = (Progress::Requested, false);
            }
        }
        Ok(())
    }

    /// Runs once without waiting. Returns the number of completions.
    fn run(&mut self) -> Result<usize, TestCaseError> {
        let mut count = 0;
        while let Some(report) = next_report(&mut self.harness.engine, Mode::NoWait) {
            count += 1;
            prop_assert!(count < 10_000, "a run without end");
            self.complete(report.event())?;
            for op in self.inside.pop_front().unwrap_or_default() {
                self.perform(&op)?;
            }
        }
        Ok(count)
    }

    fn complete(&mut self, completion: Completion) -> Result<(), TestCaseError> {
        let token = completion.token();
        let n = token.0 as usize % SOCKETS;
        let (socket, engine) = (&mut self.sockets[n], &mut self.harness.engine);
        prop_assert_ne!(socket.close, Progress::Reported, "{:?} after the close", completion);
        match completion {
            Completion::Readable(_) => {
                prop_assert!(socket.receiving, "not reading");
                let mut buffer = [0; 700];
                match engine.stream(socket.id).unwrap().read(&mut buffer) {
                    ReadOutcome::Data(count) => socket.take_incoming(&buffer[..count])?,
                    ReadOutcome::End => {
                        prop_assert_eq!(socket.end, Progress::Requested);
                        prop_assert!(socket.incoming.is_empty(), "the end comes after all bytes");
                        (socket.end, socket.receiving) = (Progress::Reported, false);
                    }
                    ReadOutcome::WouldBlock => {}
                    outcome => prop_assert!(false, "{outcome:?}"),
                }
            }
            Completion::Receivable(_) => {
                prop_assert!(socket.receiving, "not receiving");
                let (mut buffer, mut datagram) = ([0; 4000], Datagram::empty());
                match engine.udp(socket.id).unwrap().receive(&mut buffer, &mut datagram) {
                    Ok(()) => socket.take_incoming(&buffer[..datagram.len])?,
                    Err(error) => prop_assert_eq!(error, Errno::EAGAIN),
                }
            }
            Completion::Write { result, .. } | Completion::Sent { result, .. } => {
                prop_assert_eq!(token, request_token(n, socket.reported), "in order");
                socket.reported += 1;
                if result.is_ok() {
                    prop_assert_eq!(socket.delivered + 1, socket.reported, "after a cancelled one");
                    socket.delivered += 1;
                } else {
                    prop_assert_eq!(result, Err(Errno::ECANCELED));
                    prop_assert_eq!(socket.close, Progress::Requested);
                }
                if let Completion::Write { unsent, .. } = completion
                    && socket.close == Progress::None
                {
                    prop_assert_eq!(unsent, engine.stream(socket.id).unwrap().unsent());
                }
            }
            Completion::Progress { unsent, .. } => {
                prop_assert_eq!(unsent, engine.stream(socket.id).unwrap().unsent());
            }
            Completion::Shutdown { result, .. } => {
                prop_assert_eq!(socket.shutdown, Progress::Requested);
                // As in libuv, writes of the last callbacks may be reported after it. But they are sent.
                if socket.close == Progress::None {
                    prop_assert_eq!(engine.stream(socket.id).unwrap().unsent(), 0);
                }
                let closed = socket.close == Progress::Requested;
                prop_assert!(result == Ok(()) || closed && result == Err(Errno::ECANCELED));
                socket.shutdown = Progress::Reported;
            }
            Completion::Close(_) => {
                prop_assert_eq!(socket.close, Progress::Requested);
                prop_assert_ne!(socket.shutdown, Progress::Requested, "not reported");
                prop_assert_eq!(socket.reported, socket.sent.len(), "each request is reported");
                socket.close = Progress::Reported;
            }
            other => prop_assert!(false, "{other:?}"),
        }
        Ok(())
    }

    /// Lets the peers receive until all requests are reported, and what was sent to a socket that
    /// receives has arrived.
    fn finish(&mut self) -> Result<(), TestCaseError> {
        self.inside.clear();
        let mut idle = 0;
        while idle < 3 {
            let mut progress = self.run()? > 0;
            for socket in &mut self.sockets {
                while socket.peer_receive(1 << 16) {
                    progress = true;
                }
            }
            idle = if progress { 0 } else { idle + 1 };
        }
        for socket in &self.sockets {
            socket.check_arrived()?;
            prop_assert_ne!(socket.shutdown, Progress::Requested, "the shutdown is reported");
            prop_assert!(!socket.receiving || socket.incoming.is_empty(), "all was received");
        }
        Ok(())
    }
}

fn play(runs: &[Run]) -> Result<(), TestCaseError> {
    let mut player = Player::new();
    for run in runs {
        run.before.iter().try_for_each(|op| player.perform(op))?;
        player.inside = run.inside.clone().into();
        player.run()?;
    }
    player.finish()?;
    (0..SOCKETS).try_for_each(|n| player.perform(&Op::Close(n)))?;
    player.finish()?;
    for socket in &player.sockets {
        prop_assert_eq!(socket.close, Progress::Reported);
    }
    prop_assert_eq!(player.harness.engine.close(), Ok(()));
    Ok(())
}

fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { failure_persistence: None, ..config }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sockets_agree_with_the_model_on_random_operations(runs in runs()) {
        play(&runs)?;
    }
}
