//! Streams: real sockets, whose readiness the tests make up.

use std::io::{Read as _, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use mauve_core::handle::stream::{BindFlags, ReadOutcome};
use mauve_core::{Completion, HandleId, Mode, Token};
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::net::Address;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use crate::stage::{Stage, next_completion};

/// A stream of the engine, its descriptor, and the other end.
fn stream(stage: &mut Stage, token: u64) -> (HandleId, RawFd, UnixStream) {
    let (own, peer) = UnixStream::pair().unwrap();
    own.set_nonblocking(true).unwrap();
    // Whatever the machine's default is: megabytes do not fit.
    rustix::net::sockopt::set_socket_send_buffer_size(&own, 128 << 10).unwrap();
    let fd = own.as_raw_fd();
    let id = stage.engine.open_pipe(Token(token), false);
    let mut stream = stage.engine.stream(id).unwrap();
    let adopted = stream.open(fd, true, true).unwrap();
    stream.adopt(OwnedFd::from(own), adopted).unwrap();
    (id, fd, peer)
}

fn write(stage: &mut Stage, id: HandleId, token: u64, size: usize) -> Result<()> {
    let mut stream = stage.engine.stream(id).unwrap();
    stream.write(Token(token), Payload::owned(vec![7; size]), None)
}

fn unsent(stage: &mut Stage, id: HandleId) -> usize {
    stage.engine.stream(id).unwrap().unsent()
}

/// All completions of a run that does not wait; `act` does what callbacks do.
fn turn(stage: &mut Stage, mut act: impl FnMut(&mut Stage, Completion)) -> Vec<Completion> {
    let mut told = Vec::new();
    while let Some(completion) = next_completion(&mut stage.engine, Mode::NoWait) {
        told.push(completion);
        assert!(told.len() < 1000, "a run without end");
        act(stage, completion);
    }
    told
}

/// The writes among the completions, and how they ended.
fn writes(told: &[Completion]) -> Vec<(u64, Result<()>)> {
    let write = |completion: &Completion| match *completion {
        Completion::Write { token, result, .. } => Some((token.0, result)),
        _ => None,
    };
    told.iter().filter_map(write).collect()
}

#[test]
fn one_event_is_good_for_a_bounded_number_of_reads() {
    let mut stage = Stage::new();
    let (id, fd, mut peer) = stream(&mut stage, 1);
    peer.write_all(&[1; 1000]).unwrap();
    stage.engine.stream(id).unwrap().start_reading().unwrap();
    stage.world.set_ready(fd, Readiness::READABLE);
    let told = turn(&mut stage, |stage, completion| {
        assert_eq!(completion, Completion::Readable(Token(1)));
        let read = stage.engine.stream(id).unwrap().read(&mut [0; 10]);
        assert_eq!(read, ReadOutcome::Data(10));
    });
    assert_eq!(told.len(), 32);
}

#[test]
fn a_buffer_that_was_not_filled_ends_the_reads_of_an_event() {
    let mut stage = Stage::new();
    let (id, fd, mut peer) = stream(&mut stage, 1);
    peer.write_all(&[1; 25]).unwrap();
    stage.engine.stream(id).unwrap().start_reading().unwrap();
    stage.world.set_ready(fd, Readiness::READABLE);
    let mut counts = Vec::new();
    turn(&mut stage, |stage, _| counts.push(stage.engine.stream(id).unwrap().read(&mut [0; 10])));
    assert_eq!(counts, [ReadOutcome::Data(10), ReadOutcome::Data(10), ReadOutcome::Data(5)]);
}

#[test]
fn stopping_or_closing_inside_a_read_ends_the_reads_of_an_event() {
    for closes in [false, true] {
        let mut stage = Stage::new();
        let (id, fd, mut peer) = stream(&mut stage, 1);
        peer.write_all(&[1; 100]).unwrap();
        stage.engine.stream(id).unwrap().start_reading().unwrap();
        stage.world.set_ready(fd, Readiness::READABLE);
        let told = turn(&mut stage, |stage, completion| {
            if completion != Completion::Readable(Token(1)) {
                return;
            }
            let mut stream = stage.engine.stream(id).unwrap();
            assert_eq!(stream.read(&mut [0; 10]), ReadOutcome::Data(10));
            stream.stop_reading();
            if closes {
                assert!(stage.engine.close_handle(id));
            }
        });
        let closed = closes.then_some(Completion::Close(Token(1)));
        let read = std::iter::once(Completion::Readable(Token(1)));
        assert_eq!(told, read.chain(closed).collect::<Vec<_>>());
    }
}

#[test]
fn a_write_that_leaves_at_once_is_told_in_the_next_pending_phase() {
    let mut stage = Stage::new();
    let (id, fd, mut peer) = stream(&mut stage, 1);
    write(&mut stage, id, 10, 5).unwrap();
    write(&mut stage, id, 11, 5).unwrap();
    assert_eq!(unsent(&mut stage, id), 0);
    let mut bytes = [0; 10];
    peer.read_exact(&mut bytes).unwrap();
    assert_eq!(writes(&turn(&mut stage, |_, _| {})), [(10, Ok(())), (11, Ok(()))]);
    // Nothing had to wait, so nothing was watched for.
    assert!(stage.world.watched(fd).is_empty());
}

#[test]
fn what_does_not_leave_waits_for_room_and_keeps_its_order() {
    let mut stage = Stage::new();
    let (id, fd, mut peer) = stream(&mut stage, 1);
    let sizes = [4 << 20, 3, 0, 5];
    for (token, size) in sizes.into_iter().enumerate() {
        write(&mut stage, id, token as u64, size).unwrap();
    }
    let total: usize = sizes.iter().sum();
    assert_eq!(writes(&turn(&mut stage, |_, _| {})), []);
    assert_eq!(stage.world.watched(fd), Interest::WRITABLE);
    let reader = std::thread::spawn(move || {
        let mut bytes = vec![0; total];
        peer.read_exact(&mut bytes).unwrap();
        peer
    });
    stage.world.set_ready(fd, Readiness::WRITABLE);
    let mut told = Vec::new();
    while told.len() < sizes.len() {
        told.extend(writes(&turn(&mut stage, |_, _| {})));
        std::thread::yield_now();
    }
    assert_eq!(told, [0, 1, 2, 3].map(|token| (token, Ok(()))));
    assert_eq!(unsent(&mut stage, id), 0);
    reader.join().unwrap();
}

#[test]
fn a_failed_write_counts_until_it_is_told_and_the_next_is_tried_after_that() {
    let mut stage = Stage::new();
    let (id, _, peer) = stream(&mut stage, 1);
    drop(peer);
    write(&mut stage, id, 10, 5).unwrap();
    write(&mut stage, id, 11, 7).unwrap();
    assert_eq!(unsent(&mut stage, id), 12);
    let tried = stage.engine.stream(id).unwrap().try_write(&[], None);
    assert_eq!(tried, Err(Errno::EAGAIN));
    let mut left = Vec::new();
    let told = turn(&mut stage, |stage, _| left.push(unsent(stage, id)));
    assert_eq!(writes(&told), [(10, Err(Errno::EPIPE)), (11, Err(Errno::EPIPE))]);
    assert_eq!(left, [7, 0]);
}

#[test]
fn closing_inside_the_callback_of_a_failed_write_cancels_the_rest() {
    let mut stage = Stage::new();
    let (id, _, peer) = stream(&mut stage, 1);
    drop(peer);
    write(&mut stage, id, 10, 5).unwrap();
    write(&mut stage, id, 11, 7).unwrap();
    write(&mut stage, id, 12, 7).unwrap();
    let told = turn(&mut stage, |stage, completion| {
        if completion.token() == Token(10) {
            assert!(stage.engine.close_handle(id));
        }
    });
    // The second was tried when the first was about to be told.
    let ends = [Errno::EPIPE, Errno::EPIPE, Errno::ECANCELED].map(Err);
    assert_eq!(writes(&told), [(10, ends[0]), (11, ends[1]), (12, ends[2])]);
    assert_eq!(told.last(), Some(&Completion::Close(Token(1))));
}

#[test]
fn a_shutdown_comes_after_the_writes_before_it() {
    let mut stage = Stage::new();
    let (id, _, mut peer) = stream(&mut stage, 1);
    write(&mut stage, id, 10, 3).unwrap();
    stage.engine.stream(id).unwrap().shut_down(Token(20)).unwrap();
    assert_eq!(write(&mut stage, id, 11, 3), Err(Errno::EPIPE));
    let again = stage.engine.stream(id).unwrap().shut_down(Token(21));
    assert_eq!(again, Err(Errno::ENOTCONN));
    let tokens: Vec<_> = turn(&mut stage, |_, _| {}).iter().map(|told| told.token().0).collect();
    assert_eq!(tokens, [10, 20]);
    let mut bytes = Vec::new();
    peer.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, [7; 3]);
}

#[test]
fn the_end_is_told_once_for_each_start() {
    let mut stage = Stage::new();
    let (id, fd, peer) = stream(&mut stage, 1);
    drop(peer);
    stage.world.set_ready(fd, Readiness::READABLE | Readiness::HANGUP);
    for _ in 0..2 {
        stage.engine.stream(id).unwrap().start_reading().unwrap();
        let told = turn(&mut stage, |stage, _| {
            assert_eq!(stage.engine.stream(id).unwrap().read(&mut [0; 10]), ReadOutcome::End);
        });
        assert_eq!(told, [Completion::Readable(Token(1))]);
        assert_eq!(turn(&mut stage, |_, _| {}), []);
    }
}

#[test]
fn a_descriptor_that_the_driver_refuses_is_an_error_of_reading() {
    let mut stage = Stage::new();
    let (id, _, _peer) = stream(&mut stage, 1);
    stage.world.refuse(Some(Errno::EPERM));
    stage.engine.stream(id).unwrap().start_reading().unwrap();
    let mut told = turn(&mut stage, |_, _| {});
    told.extend(turn(&mut stage, |_, _| {}));
    assert_eq!(told, [Completion::ReadFailed { token: Token(1), error: Errno::EPERM }]);
    let mut stream = stage.engine.stream(id).unwrap();
    assert_eq!(stream.start_reading(), Err(Errno::ENOTCONN));
    assert!(!stage.engine.status(id).unwrap().active);
}

#[test]
fn a_descriptor_that_the_driver_refuses_fails_queued_writes() {
    let mut stage = Stage::new();
    let (id, _, _peer) = stream(&mut stage, 1);
    let much = Payload::owned(vec![0; 16 << 20]);
    stage.engine.stream(id).unwrap().write(Token(2), much, None).unwrap();
    stage.world.refuse(Some(Errno::ENOSPC));
    let mut told = turn(&mut stage, |_, _| {});
    told.extend(turn(&mut stage, |_, _| {}));
    let result = Err(Errno::ENOSPC);
    assert_eq!(told, [Completion::Write { token: Token(2), result, unsent: 0 }]);
}

#[test]
fn a_descriptor_that_the_driver_refuses_fails_a_listener_that_can_try_again() {
    let mut stage = Stage::new();
    let id = stage.engine.open_tcp(Token(1));
    stage.world.refuse(Some(Errno::ENOSPC));
    for _ in 0..2 {
        stage.engine.stream(id).unwrap().listen_tcp(1).unwrap();
        assert!(stage.engine.status(id).unwrap().active);
        let mut told = turn(&mut stage, |_, _| {});
        told.extend(turn(&mut stage, |_, _| {}));
        let result = Err(Errno::ENOSPC);
        assert_eq!(told, [Completion::Connection { token: Token(1), result }]);
        assert!(!stage.engine.status(id).unwrap().active);
    }
}

#[test]
fn the_end_after_a_hang_up_is_what_the_next_read_says() {
    let mut stage = Stage::new();
    let (id, fd, mut peer) = stream(&mut stage, 1);
    peer.write_all(b"last").unwrap();
    drop(peer);
    stage.engine.stream(id).unwrap().start_reading().unwrap();
    let mut reads = Vec::new();
    for _ in 0..2 {
        stage.world.set_ready(fd, Readiness::READABLE | Readiness::HANGUP);
        let told = turn(&mut stage, |stage, completion| {
            if matches!(completion, Completion::Readable(_)) {
                reads.push(stage.engine.stream(id).unwrap().read(&mut [0; 10]));
            }
        });
        assert_eq!(told, [Completion::Readable(Token(1))]);
    }
    assert_eq!(reads, [ReadOutcome::Data(4), ReadOutcome::End]);
}

#[test]
fn a_hang_up_with_nothing_to_read_is_the_end() {
    let mut stage = Stage::new();
    let (id, fd, _peer) = stream(&mut stage, 1);
    stage.engine.stream(id).unwrap().start_reading().unwrap();
    stage.world.set_ready(fd, Readiness::HANGUP);
    assert_eq!(turn(&mut stage, |_, _| {}), [Completion::ReadEnd(Token(1))]);
    assert!(!stage.engine.stream(id).unwrap().is_reading());
}

#[test]
fn a_stream_that_closes_while_it_connects_has_all_its_requests_cancelled_in_order() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    let mut stage = Stage::new();
    // The second one finds what the first has left behind.
    for round in [10, 20] {
        let id = stage.engine.open_tcp(Token(round));
        let mut stream = stage.engine.stream(id).unwrap();
        stream.connect_tcp(Token(round + 1), &address).unwrap();
        stream.write(Token(round + 2), Payload::owned(vec![7; 3]), None).unwrap();
        stream.shut_down(Token(round + 3)).unwrap();
        assert_eq!(stream.shut_down(Token(0)), Err(Errno::ENOTCONN));
        assert!(stage.engine.close_handle(id));
        let cancelled = Err(Errno::ECANCELED);
        let told = turn(&mut stage, |_, _| {});
        assert_eq!(
            told,
            [
                Completion::Connect { token: Token(round + 1), result: cancelled },
                Completion::Write { token: Token(round + 2), result: cancelled, unsent: 0 },
                Completion::Shutdown { token: Token(round + 3), result: cancelled },
                Completion::Close(Token(round)),
            ]
        );
        assert!(!stage.engine.alive());
    }
}

#[test]
fn a_connection_that_cannot_begin_is_told_once_and_leaves_nothing_behind() {
    let mut stage = Stage::new();
    for token in [10, 20, 30] {
        let id = stage.engine.open_pipe(Token(token), false);
        for attempt in 1..3 {
            let mut stream = stage.engine.stream(id).unwrap();
            stream.connect_pipe(Token(token + attempt), b"/no/such/pipe").unwrap();
            assert_eq!(stream.connect_pipe(Token(0), b"/no/such/pipe"), Err(Errno::EALREADY));
            let told = turn(&mut stage, |_, _| {});
            let result = Err(Errno::ENOENT);
            assert_eq!(told, [Completion::Connect { token: Token(token + attempt), result }]);
        }
        assert!(stage.engine.close_handle(id));
        assert_eq!(turn(&mut stage, |_, _| {}), [Completion::Close(Token(token))]);
    }
}

#[test]
fn an_error_of_binding_is_the_stream_s_own() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    let mut stage = Stage::new();
    let [first, second] = [1, 2].map(|token| stage.engine.open_tcp(Token(token)));
    let mut stream = stage.engine.stream(first).unwrap();
    stream.bind(&address, BindFlags::default()).unwrap();
    assert_eq!(stream.local_address().err(), Some(Errno::EADDRINUSE));
    assert_eq!(stream.listen_tcp(1), Err(Errno::EADDRINUSE));
    // One that is told by connecting is told for good.
    stream.connect_tcp(Token(3), &address).unwrap();
    let result = Err(Errno::EADDRINUSE);
    assert_eq!(turn(&mut stage, |_, _| {}), [Completion::Connect { token: Token(3), result }]);
    assert!(stage.engine.stream(first).unwrap().local_address().is_ok());
    let any = Address::from(std::net::SocketAddr::from(([127, 0, 0, 1], 0)));
    let mut stream = stage.engine.stream(second).unwrap();
    stream.bind(&any, BindFlags::default()).unwrap();
    assert!(stream.local_address().is_ok());
    stream.listen_tcp(1).unwrap();
}
