//! Streams: real sockets with simulated readiness events.

use std::io::{Read as _, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};

use mauve_core::handle::stream::{ReadOutcome, TcpBindFlags};
use mauve_core::{Completion, HandleId, Mode, Token};
use mauve_sys::driver::{Interest, Readiness};
use mauve_sys::net::Address;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use crate::harness::{Harness, next_report};

/// A stream of an engine, its descriptor, and the other end. The token of the stream is 1.
fn connected() -> (Harness, HandleId, RawFd, UnixStream) {
    let mut harness = Harness::new();
    let (own, peer) = UnixStream::pair().unwrap();
    own.set_nonblocking(true).unwrap();
    // Smaller than the megabytes that the tests write, whatever the default is.
    rustix::net::sockopt::set_socket_send_buffer_size(&own, 128 << 10).unwrap();
    let fd = own.as_raw_fd();
    let id = harness.engine.open_pipe(Token(1), false);
    let mut stream = harness.stream(id);
    let adopted = stream.open(fd, true, true).unwrap();
    stream.adopt(OwnedFd::from(own), adopted).unwrap();
    (harness, id, fd, peer)
}

/// A stream that reads, and whose peer has written `bytes`.
fn reading(bytes: &[u8]) -> (Harness, HandleId, RawFd, UnixStream) {
    let (mut harness, id, fd, mut peer) = connected();
    peer.write_all(bytes).unwrap();
    harness.stream(id).start_reading().unwrap();
    (harness, id, fd, peer)
}

fn write(harness: &mut Harness, id: HandleId, token: u64, size: usize) -> Result<()> {
    let mut stream = harness.stream(id);
    stream.write(Token(token), Payload::owned(vec![7; size]), None).map(drop)
}

fn unsent(harness: &mut Harness, id: HandleId) -> usize {
    harness.stream(id).unsent()
}

/// All completions of a run that does not wait; `act` is the callback.
fn run_once(
    harness: &mut Harness,
    mut act: impl FnMut(&mut Harness, Completion),
) -> Vec<Completion> {
    let mut completions = Vec::new();
    while let Some(report) = next_report(&mut harness.engine, Mode::NoWait) {
        let completion = report.event();
        completions.push(completion);
        assert!(completions.len() < 1000, "a run without end");
        act(harness, completion);
    }
    completions
}

/// The writes among the completions, and how they ended.
fn writes(completions: &[Completion]) -> Vec<(u64, Result<()>)> {
    let write = |completion: &Completion| match *completion {
        Completion::Write { token, result, .. } => Some((token.0, result)),
        _ => None,
    };
    completions.iter().filter_map(write).collect()
}

#[test]
fn the_reads_of_one_event_are_bounded() {
    let (mut harness, id, fd, _peer) = reading(&[1; 1000]);
    harness.system.set_ready(fd, Readiness::READABLE);
    let completions = run_once(&mut harness, |harness, completion| {
        assert_eq!(completion, Completion::Readable(Token(1)));
        let read = harness.stream(id).read(&mut [0; 10]);
        assert_eq!(read, ReadOutcome::Data(10));
    });
    assert_eq!(completions.len(), 32);
}

#[test]
fn a_short_read_ends_the_reads_of_an_event() {
    let (mut harness, id, fd, _peer) = reading(&[1; 25]);
    harness.system.set_ready(fd, Readiness::READABLE);
    let mut counts = Vec::new();
    run_once(&mut harness, |harness, _| counts.push(harness.stream(id).read(&mut [0; 10])));
    assert_eq!(counts, [ReadOutcome::Data(10), ReadOutcome::Data(10), ReadOutcome::Data(5)]);
}

#[test]
fn stopping_or_closing_inside_a_read_ends_the_reads_of_an_event() {
    for closes in [false, true] {
        let (mut harness, id, fd, _peer) = reading(&[1; 100]);
        harness.system.set_ready(fd, Readiness::READABLE);
        let completions = run_once(&mut harness, |harness, completion| {
            if completion != Completion::Readable(Token(1)) {
                return;
            }
            let mut stream = harness.stream(id);
            assert_eq!(stream.read(&mut [0; 10]), ReadOutcome::Data(10));
            stream.stop_reading();
            if closes {
                assert!(harness.engine.close_handle(id));
            }
        });
        let closed = closes.then_some(Completion::Close(Token(1)));
        let read = std::iter::once(Completion::Readable(Token(1)));
        assert_eq!(completions, read.chain(closed).collect::<Vec<_>>());
    }
}

#[test]
fn a_write_that_succeeds_at_once_is_reported_in_the_next_pending_phase() {
    let (mut harness, id, fd, mut peer) = connected();
    write(&mut harness, id, 10, 5).unwrap();
    write(&mut harness, id, 11, 5).unwrap();
    assert_eq!(unsent(&mut harness, id), 0);
    let mut bytes = [0; 10];
    peer.read_exact(&mut bytes).unwrap();
    assert_eq!(writes(&run_once(&mut harness, |_, _| {})), [(10, Ok(())), (11, Ok(()))]);
    // The write did not block, so no interest was registered.
    assert!(harness.system.watched(fd).is_empty());
}

#[test]
fn writes_that_would_block_are_queued_in_order() {
    let (mut harness, id, fd, mut peer) = connected();
    let sizes = [4 << 20, 3, 0, 5];
    for (token, size) in sizes.into_iter().enumerate() {
        write(&mut harness, id, token as u64, size).unwrap();
    }
    let total: usize = sizes.iter().sum();
    assert_eq!(writes(&run_once(&mut harness, |_, _| {})), []);
    assert_eq!(harness.system.watched(fd), Interest::WRITABLE);
    let reader = std::thread::spawn(move || {
        let mut bytes = vec![0; total];
        peer.read_exact(&mut bytes).unwrap();
        peer
    });
    harness.system.set_ready(fd, Readiness::WRITABLE);
    let mut completions = Vec::new();
    while completions.len() < sizes.len() {
        completions.extend(writes(&run_once(&mut harness, |_, _| {})));
        std::thread::yield_now();
    }
    assert_eq!(completions, [0, 1, 2, 3].map(|token| (token, Ok(()))));
    assert_eq!(unsent(&mut harness, id), 0);
    reader.join().unwrap();
}

#[test]
fn a_failed_write_is_queued_until_it_is_reported_and_the_next_is_attempted_after_that() {
    let (mut harness, id, _, peer) = connected();
    drop(peer);
    write(&mut harness, id, 10, 5).unwrap();
    write(&mut harness, id, 11, 7).unwrap();
    assert_eq!(unsent(&mut harness, id), 12);
    let tried = harness.stream(id).try_write(&[], None);
    assert_eq!(tried, Err(Errno::EAGAIN));
    let mut left = Vec::new();
    let completions = run_once(&mut harness, |harness, _| left.push(unsent(harness, id)));
    assert_eq!(writes(&completions), [(10, Err(Errno::EPIPE)), (11, Err(Errno::EPIPE))]);
    assert_eq!(left, [7, 0]);
}

#[test]
fn closing_inside_the_callback_of_a_failed_write_cancels_the_rest() {
    let (mut harness, id, _, peer) = connected();
    drop(peer);
    write(&mut harness, id, 10, 5).unwrap();
    write(&mut harness, id, 11, 7).unwrap();
    write(&mut harness, id, 12, 7).unwrap();
    let completions = run_once(&mut harness, |harness, completion| {
        if completion.token() == Token(10) {
            assert!(harness.engine.close_handle(id));
        }
    });
    // The second write was attempted before the first was reported.
    let ends = [Errno::EPIPE, Errno::EPIPE, Errno::ECANCELED].map(Err);
    assert_eq!(writes(&completions), [(10, ends[0]), (11, ends[1]), (12, ends[2])]);
    assert_eq!(completions.last(), Some(&Completion::Close(Token(1))));
}

#[test]
fn a_shutdown_comes_after_the_writes_before_it() {
    let (mut harness, id, _, mut peer) = connected();
    write(&mut harness, id, 10, 3).unwrap();
    harness.stream(id).shut_down(Token(20)).unwrap();
    assert_eq!(write(&mut harness, id, 11, 3), Err(Errno::EPIPE));
    let again = harness.stream(id).shut_down(Token(21));
    assert_eq!(again, Err(Errno::ENOTCONN));
    let tokens: Vec<_> =
        run_once(&mut harness, |_, _| {}).iter().map(|completions| completions.token().0).collect();
    assert_eq!(tokens, [10, 20]);
    let mut bytes = Vec::new();
    peer.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, [7; 3]);
}

#[test]
fn end_of_stream_is_reported_once_per_start_of_reading() {
    let (mut harness, id, fd, peer) = connected();
    drop(peer);
    harness.system.set_ready(fd, Readiness::READABLE | Readiness::HANGUP);
    for _ in 0..2 {
        harness.stream(id).start_reading().unwrap();
        let completions = run_once(&mut harness, |harness, _| {
            assert_eq!(harness.stream(id).read(&mut [0; 10]), ReadOutcome::End);
        });
        assert_eq!(completions, [Completion::Readable(Token(1))]);
        assert_eq!(run_once(&mut harness, |_, _| {}), []);
    }
}

#[test]
fn a_descriptor_that_the_driver_refuses_fails_reading() {
    let (mut harness, id, _, _peer) = connected();
    harness.system.refuse(Some(Errno::EPERM));
    harness.stream(id).start_reading().unwrap();
    let mut completions = run_once(&mut harness, |_, _| {});
    completions.extend(run_once(&mut harness, |_, _| {}));
    assert_eq!(completions, [Completion::ReadFailed { token: Token(1), error: Errno::EPERM }]);
    let mut stream = harness.stream(id);
    assert_eq!(stream.start_reading(), Err(Errno::ENOTCONN));
    assert!(!harness.engine.status(id).unwrap().active);
}

#[test]
fn a_descriptor_that_the_driver_refuses_fails_queued_writes() {
    let (mut harness, id, _, _peer) = connected();
    let much = Payload::owned(vec![0; 16 << 20]);
    harness.stream(id).write(Token(2), much, None).unwrap();
    harness.system.refuse(Some(Errno::ENOSPC));
    let mut completions = run_once(&mut harness, |_, _| {});
    completions.extend(run_once(&mut harness, |_, _| {}));
    assert_eq!((writes(&completions), completions.len()), (vec![(2, Err(Errno::ENOSPC))], 1));
}

#[test]
fn a_descriptor_that_the_driver_refuses_fails_a_listener_that_can_try_again() {
    let mut harness = Harness::new();
    let id = harness.engine.open_tcp(Token(1));
    harness.system.refuse(Some(Errno::ENOSPC));
    for _ in 0..2 {
        harness.stream(id).listen_tcp(1).unwrap();
        assert!(harness.engine.status(id).unwrap().active);
        let mut completions = run_once(&mut harness, |_, _| {});
        completions.extend(run_once(&mut harness, |_, _| {}));
        let result = Err(Errno::ENOSPC);
        assert_eq!(completions, [Completion::Connection { token: Token(1), result }]);
        assert!(!harness.engine.status(id).unwrap().active);
    }
}

#[test]
fn after_a_hang_up_the_next_read_reports_end_of_stream() {
    let (mut harness, id, fd, peer) = reading(b"last");
    drop(peer);
    let mut reads = Vec::new();
    for _ in 0..2 {
        harness.system.set_ready(fd, Readiness::READABLE | Readiness::HANGUP);
        let completions = run_once(&mut harness, |harness, completion| {
            if matches!(completion, Completion::Readable(_)) {
                reads.push(harness.stream(id).read(&mut [0; 10]));
            }
        });
        assert_eq!(completions, [Completion::Readable(Token(1))]);
    }
    assert_eq!(reads, [ReadOutcome::Data(4), ReadOutcome::End]);
}

#[test]
fn a_hang_up_without_data_reports_end_of_stream() {
    let (mut harness, id, fd, _peer) = connected();
    harness.stream(id).start_reading().unwrap();
    harness.system.set_ready(fd, Readiness::HANGUP);
    assert_eq!(run_once(&mut harness, |_, _| {}), [Completion::ReadEnd(Token(1))]);
    assert!(!harness.stream(id).is_reading());
}

#[test]
fn a_stream_that_closes_while_it_connects_has_all_its_requests_cancelled_in_order() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    let mut harness = Harness::new();
    // Twice, to see that the first one leaves no state.
    for first in [10, 20] {
        let id = harness.engine.open_tcp(Token(first));
        let mut stream = harness.stream(id);
        stream.connect_tcp(Token(first + 1), &address).unwrap();
        stream.write(Token(first + 2), Payload::owned(vec![7; 3]), None).unwrap();
        stream.shut_down(Token(first + 3)).unwrap();
        assert_eq!(stream.shut_down(Token(0)), Err(Errno::ENOTCONN));
        assert!(harness.engine.close_handle(id));
        let cancelled = Err(Errno::ECANCELED);
        let completions = run_once(&mut harness, |_, _| {});
        assert_eq!(
            completions,
            [
                Completion::Connect { token: Token(first + 1), result: cancelled },
                Completion::Write {
                    token: Token(first + 2),
                    result: cancelled,
                    unwritten: 3,
                    unsent: 0
                },
                Completion::Shutdown { token: Token(first + 3), result: cancelled },
                Completion::Close(Token(first)),
            ]
        );
        assert!(!harness.engine.alive());
    }
}

#[test]
fn a_connect_that_fails_at_once_is_reported_once_and_leaves_no_state() {
    let mut harness = Harness::new();
    for token in [10, 20, 30] {
        let id = harness.engine.open_pipe(Token(token), false);
        for attempt in 1..3 {
            let mut stream = harness.stream(id);
            stream.connect_pipe(Token(token + attempt), b"/no/such/pipe").unwrap();
            assert_eq!(stream.connect_pipe(Token(0), b"/no/such/pipe"), Err(Errno::EALREADY));
            let completions = run_once(&mut harness, |_, _| {});
            let result = Err(Errno::ENOENT);
            assert_eq!(
                completions,
                [Completion::Connect { token: Token(token + attempt), result }]
            );
        }
        assert!(harness.engine.close_handle(id));
        assert_eq!(run_once(&mut harness, |_, _| {}), [Completion::Close(Token(token))]);
    }
}

#[test]
fn a_bind_error_is_reported_by_the_stream_that_was_bound() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    let mut harness = Harness::new();
    let [first, second] = [1, 2].map(|token| harness.engine.open_tcp(Token(token)));
    let mut stream = harness.stream(first);
    stream.bind(&address, TcpBindFlags::default()).unwrap();
    assert_eq!(stream.local_address().err(), Some(Errno::EADDRINUSE));
    assert_eq!(stream.listen_tcp(1), Err(Errno::EADDRINUSE));
    // An error that a connect request reports is cleared.
    stream.connect_tcp(Token(3), &address).unwrap();
    let result = Err(Errno::EADDRINUSE);
    assert_eq!(
        run_once(&mut harness, |_, _| {}),
        [Completion::Connect { token: Token(3), result }]
    );
    assert!(harness.stream(first).local_address().is_ok());
    let any = Address::from(std::net::SocketAddr::from(([127, 0, 0, 1], 0)));
    let mut stream = harness.stream(second);
    stream.bind(&any, TcpBindFlags::default()).unwrap();
    assert!(stream.local_address().is_ok());
    stream.listen_tcp(1).unwrap();
}

#[test]
fn a_write_that_is_sent_in_part_sends_the_rest_later() {
    let (mut harness, id, fd, mut peer) = connected();
    let bytes: Vec<u8> = (0..1_000_000).map(|n| n as u8).collect();
    for (token, bytes) in [(2, &bytes[..]), (3, b"end")] {
        let mut stream = harness.stream(id);
        let unsent = stream.write(Token(token), Payload::owned(bytes), None).unwrap();
        assert_eq!(unsent, stream.unsent());
    }
    assert!(unsent(&mut harness, id) > 3 && harness.engine.alive());
    let reader = std::thread::spawn(move || {
        let mut all = vec![0; 1_000_003];
        peer.read_exact(&mut all).unwrap();
        (all, peer)
    });
    let mut completions = Vec::new();
    while unsent(&mut harness, id) > 0 {
        harness.system.set_ready(fd, Readiness::WRITABLE);
        completions.extend(run_once(&mut harness, |_, _| {}));
        std::thread::yield_now();
    }
    let (all, _peer) = reader.join().unwrap();
    assert!(all[..1_000_000] == bytes && &all[1_000_000..] == b"end");
    completions.extend(run_once(&mut harness, |_, _| {}));
    assert_eq!(writes(&completions), [(2, Ok(())), (3, Ok(()))]);
}

#[test]
fn cancelled_writes_end_after_finished_ones_with_what_they_have_not_written() {
    let (mut harness, id, _, _peer) = connected();
    write(&mut harness, id, 2, 10).unwrap();
    write(&mut harness, id, 3, 1_000_000).unwrap();
    let left = unsent(&mut harness, id);
    assert!(left > 0);
    for token in [4, 5] {
        write(&mut harness, id, token, 100).unwrap();
    }
    // A finished write, an unknown one, one in the middle twice, and the one that is sent in part.
    for token in [2, 9, 4, 4, 3] {
        let mut stream = harness.stream(id);
        assert_eq!(stream.cancel_write(Token(token)), Ok(()));
        assert_eq!(stream.unsent(), left + 200);
    }
    let cancelled = |token, unwritten, unsent| Completion::Write {
        token: Token(token),
        result: Err(Errno::ECANCELED),
        unwritten,
        unsent,
    };
    assert_eq!(
        run_once(&mut harness, |_, _| {}),
        [
            Completion::Write { token: Token(2), result: Ok(()), unwritten: 0, unsent: left + 200 },
            cancelled(4, 100, left + 100),
            cancelled(3, left as u32, 100),
        ]
    );
    assert!(harness.engine.close_handle(id));
    assert_eq!(harness.stream(id).cancel_write(Token(5)), Err(Errno::EBUSY));
    assert_eq!(writes(&run_once(&mut harness, |_, _| {})), [(5, Err(Errno::ECANCELED))]);
}

/// A listener, its descriptor, and clients that have connected.
fn listener(harness: &mut Harness, clients: usize) -> (HandleId, RawFd, Vec<UnixStream>) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("mauve-core-{}-{number}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let id = harness.engine.open_pipe(Token(1), false);
    let mut stream = harness.stream(id);
    stream.bind_pipe(path.as_os_str().as_bytes()).unwrap();
    stream.listen_pipe(128).unwrap();
    let fd = stream.fd().unwrap().as_raw_fd();
    let clients = (0..clients).map(|_| UnixStream::connect(&path).unwrap()).collect();
    std::fs::remove_file(path).unwrap();
    (id, fd, clients)
}

/// How many connections each of `events` accepts.
fn accepted(harness: &mut Harness, id: HandleId, fd: RawFd, events: usize) -> Vec<usize> {
    let mut counts = Vec::new();
    for _ in 0..events {
        harness.system.set_ready(fd, Readiness::READABLE);
        let completions = run_once(harness, |harness, _| {
            harness.stream(id).take().unwrap();
        });
        counts.push(completions.len());
    }
    counts
}

#[test]
fn a_listener_accepts_one_connection_per_event() {
    let mut harness = Harness::new();
    let (id, fd, _clients) = listener(&mut harness, 4);
    assert_eq!(accepted(&mut harness, id, fd, 5), [1, 1, 1, 1, 0]);
}

#[test]
fn a_listener_may_accept_a_burst_per_event() {
    let mut harness = Harness::new();
    harness.engine.accept_in_bursts(true);
    let (id, fd, _clients) = listener(&mut harness, 40);
    // The second event shows that it is a burst. It accepts 33: the first one, and 32 more.
    assert_eq!(accepted(&mut harness, id, fd, 4), [1, 33, 6, 0]);
    // A connection alone is not a burst.
    let (id, fd, _clients) = listener(&mut harness, 2);
    assert_eq!(accepted(&mut harness, id, fd, 3), [1, 1, 0]);
}

#[test]
fn the_host_may_accept_the_connections_of_a_burst_itself() {
    let mut harness = Harness::new();
    harness.engine.accept_in_bursts(true);
    let (id, fd, _clients) = listener(&mut harness, 40);
    assert_eq!(accepted(&mut harness, id, fd, 1), [1]);
    harness.system.set_ready(fd, Readiness::READABLE);
    let mut count = 0;
    let completions = run_once(&mut harness, |harness, _| {
        let mut stream = harness.stream(id);
        assert_eq!(stream.accept_next(), Ok(false), "one is not taken yet");
        stream.take().unwrap();
        count += 1;
        while stream.accept_next().unwrap() {
            stream.take().unwrap();
            count += 1;
        }
    });
    assert_eq!((completions.len(), count), (1, 33));
    assert_eq!(harness.stream(id).accept_next(), Ok(false), "no event");
}

#[test]
fn a_burst_ends_when_a_connection_is_not_taken_or_the_listener_is_closed() {
    let mut harness = Harness::new();
    harness.engine.accept_in_bursts(true);
    let (id, fd, _clients) = listener(&mut harness, 8);
    assert_eq!(accepted(&mut harness, id, fd, 1), [1]);
    harness.system.set_ready(fd, Readiness::READABLE);
    assert_eq!(run_once(&mut harness, |_, _| {}).len(), 1);
    harness.system.set_ready(fd, Readiness::READABLE);
    assert_eq!(run_once(&mut harness, |_, _| {}), [], "the last one is not taken");
    harness.stream(id).take().unwrap();
    assert_eq!(accepted(&mut harness, id, fd, 1), [1]);
    harness.system.set_ready(fd, Readiness::READABLE);
    let completions = run_once(&mut harness, |harness, completion| {
        if matches!(completion, Completion::Connection { .. }) {
            let mut stream = harness.stream(id);
            stream.take().unwrap();
            harness.engine.close_handle(id);
            let closed = harness.stream(id).accept_next();
            assert_eq!(closed, Ok(false));
        }
    });
    let token = Token(1);
    let expected = [Completion::Connection { token, result: Ok(()) }, Completion::Close(token)];
    assert_eq!(completions, expected);
}

#[test]
fn the_host_may_read_all_data_of_an_event_itself() {
    let (mut harness, id, fd, _peer) = reading(&[1; 1000]);
    let mut reads = Vec::new();
    for size in [10, 400] {
        harness.system.set_ready(fd, Readiness::READABLE);
        let completions = run_once(&mut harness, |harness, _| {
            let mut stream = harness.stream(id);
            let mut sizes = Vec::new();
            loop {
                match stream.read(&mut vec![0; size]) {
                    ReadOutcome::Data(count) => sizes.push(count),
                    outcome => panic!("{outcome:?}"),
                }
                if !stream.may_read_more() {
                    break;
                }
            }
            reads.push(sizes);
        });
        assert_eq!(completions, [Completion::Readable(Token(1))]);
    }
    // As many as the engine would report, then all that is left.
    assert_eq!(reads, [vec![10; 32], vec![400, 280]]);
    assert!(!harness.stream(id).may_read_more(), "no event");
}
