//! Corked writes: when they are sent, and that they complete like uncorked ones.

use std::io::{IoSlice, Read as _};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::unix::net::UnixStream;

use mauve_core::{Completion, CorkPolicy, HandleId, Mode, Token};
use mauve_sys::driver::Readiness;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};
use proptest::prelude::*;

use crate::harness::{Harness, next_completion};

/// A socket pair: a stream that the engine treats as TCP, its descriptor, and the non-blocking peer.
fn stream(harness: &mut Harness, token: u64, policy: CorkPolicy) -> (HandleId, RawFd, UnixStream) {
    stream_from(harness, token, policy, 0)
}

/// The same, with a descriptor of at least `lowest`.
fn stream_from(
    harness: &mut Harness,
    token: u64,
    policy: CorkPolicy,
    lowest: RawFd,
) -> (HandleId, RawFd, UnixStream) {
    let (own, peer) = UnixStream::pair().unwrap();
    own.set_nonblocking(true).unwrap();
    peer.set_nonblocking(true).unwrap();
    let own = rustix::io::fcntl_dupfd_cloexec(own, lowest).unwrap();
    let fd = own.as_raw_fd();
    let id = harness.engine.open_tcp(Token(token));
    let mut stream = harness.engine.stream(id).unwrap();
    let adopted = stream.open(fd, true, true).unwrap();
    stream.adopt(own, adopted).unwrap();
    stream.set_cork_policy(policy);
    (id, fd, peer)
}

fn write(harness: &mut Harness, id: HandleId, token: u64, bytes: &[u8]) -> Result<usize> {
    let mut stream = harness.engine.stream(id).unwrap();
    stream.write_or_keep(Token(token), &[IoSlice::new(bytes)], || Payload::owned(bytes))
}

/// Reads all bytes that the peer has received.
fn received(peer: &mut UnixStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Ends at end of stream or with `EWOULDBLOCK`.
    let _ = peer.read_to_end(&mut bytes);
    bytes
}

/// Runs `act` once, in the callback of an idle handle. Returns the completed writes and the bytes that
/// the peer has received.
fn in_a_callback(
    policy: CorkPolicy,
    mut act: impl FnMut(&mut Harness, HandleId, &mut UnixStream),
) -> (Vec<u64>, Vec<u8>) {
    let mut harness = Harness::new();
    let (id, _, mut peer) = stream(&mut harness, 1, policy);
    let idle = harness.idle(9);
    let mut written = Vec::new();
    for _ in 0..2 {
        while let Some(completion) = next_completion(&mut harness.engine, Mode::NoWait) {
            match completion {
                Completion::Idle(_) => {
                    harness.engine.hook(idle).unwrap().stop();
                    act(&mut harness, id, &mut peer);
                }
                Completion::Write { token, result, .. } => {
                    assert_eq!(result, Ok(()));
                    written.push(token.0);
                }
                _ => {}
            }
        }
    }
    (written, received(&mut peer))
}

#[test]
fn by_default_every_write_is_attempted_at_once() {
    let (written, _) = in_a_callback(CorkPolicy::default(), |harness, id, peer| {
        for token in 2..5 {
            assert_eq!(write(harness, id, token, b"ab"), Ok(0));
            assert_eq!(received(peer), b"ab");
        }
    });
    assert_eq!(written, [2, 3, 4]);
}

#[test]
fn writes_after_the_first_are_sent_in_order_when_the_callback_has_returned() {
    let (written, bytes) = in_a_callback(CorkPolicy::AfterFirst, |harness, id, peer| {
        assert_eq!(write(harness, id, 2, b"ab"), Ok(0));
        assert_eq!(write(harness, id, 3, b"cd"), Ok(0));
        assert_eq!(write(harness, id, 4, b"ef"), Ok(0));
        assert_eq!(received(peer), b"ab");
        assert!(harness.engine.is_corked());
    });
    assert_eq!((written, &bytes[..]), (vec![2, 3, 4], &b"cdef"[..]));
}

#[test]
fn corked_bytes_are_sent_before_any_other_operation_on_the_stream() {
    let acts: [fn(&mut Harness, HandleId); 5] = [
        |harness, id| assert_eq!(harness.engine.stream(id).unwrap().unsent(), 0),
        |harness, id| {
            let slices = [IoSlice::new(b"ef")];
            assert_eq!(harness.engine.stream(id).unwrap().try_write(&slices, None), Ok(2));
        },
        |harness, id| harness.engine.stream(id).unwrap().shut_down(Token(7)).unwrap(),
        |harness, id| assert!(harness.engine.close_handle(id)),
        |harness, _| assert_eq!(harness.engine.flush_cork(), None),
    ];
    for act in acts {
        let (written, _) = in_a_callback(CorkPolicy::AfterFirst, |harness, id, peer| {
            write(harness, id, 2, b"ab").unwrap();
            write(harness, id, 3, b"cd").unwrap();
            act(harness, id);
            assert!(!harness.engine.is_corked());
            assert_eq!(received(peer)[..4], *b"abcd");
        });
        assert_eq!(written, [2, 3]);
    }
}

#[test]
fn a_write_to_another_stream_comes_after_corked_bytes() {
    let (written, _) = in_a_callback(CorkPolicy::AfterFirst, |harness, id, peer| {
        let (other, _, mut other_peer) = stream(harness, 10, CorkPolicy::Burst);
        write(harness, id, 2, b"ab").unwrap();
        write(harness, id, 3, b"cd").unwrap();
        write(harness, other, 4, b"ef").unwrap();
        assert_eq!((received(peer), received(&mut other_peer)), (b"abcd".to_vec(), b"ef".to_vec()));
        assert!(harness.engine.close_handle(other));
    });
    assert_eq!(written, [2, 3, 4]);
}

#[test]
fn the_buffer_of_a_corked_write_may_be_reused_at_once() {
    let (_, bytes) = in_a_callback(CorkPolicy::AfterFirst, |harness, id, _| {
        let mut buffer = *b"a.";
        for token in 2..5 {
            write(harness, id, token, &buffer).unwrap();
            buffer[0] += 1;
        }
    });
    assert_eq!(bytes, b"a.b.c.");
}

#[test]
fn outside_of_a_run_nothing_is_corked() {
    let mut harness = Harness::new();
    let (id, _, mut peer) = stream(&mut harness, 1, CorkPolicy::Burst);
    for token in 2..5 {
        write(&mut harness, id, token, b"ab").unwrap();
        assert_eq!(received(&mut peer), b"ab");
    }
}

#[test]
fn corked_bytes_that_would_block_are_queued_and_reported_as_progress() {
    let mut harness = Harness::new();
    let (id, fd, mut peer) = stream(&mut harness, 1, CorkPolicy::AfterFirst);
    let idle = harness.idle(9);
    let mut completions = Vec::new();
    let fill = [7; 10_000];
    let mut offered = 0;
    while let Some(completion) = next_completion(&mut harness.engine, Mode::NoWait) {
        completions.push(completion);
        if completion == Completion::Idle(Token(9)) {
            harness.engine.hook(idle).unwrap().stop();
            // Until the flush of a full cork finds the socket buffer full.
            while write(&mut harness, id, 2, &fill).unwrap() == 0 {
                offered += 1;
            }
        }
    }
    let unsent = harness.engine.stream(id).unwrap().unsent();
    assert!(unsent > 0, "something has to wait");
    harness.system.set_ready(fd, Readiness::WRITABLE);
    let mut arrived = 0;
    let mut written =
        completions.iter().filter(|reported| matches!(reported, Completion::Write { .. })).count();
    while written <= offered {
        arrived += received(&mut peer).len();
        while let Some(completion) = next_completion(&mut harness.engine, Mode::NoWait) {
            if let Completion::Write { result, .. } = completion {
                assert_eq!(result, Ok(()));
                written += 1;
            }
        }
    }
    arrived += received(&mut peer).len();
    assert_eq!(arrived, (offered + 1) * fill.len());
}

/// An operation of a callback.
#[derive(Clone, Debug)]
enum Op {
    /// Writes parts of these sizes to a stream.
    Write(usize, Vec<usize>),
    TryWrite(usize, usize),
    /// A write whose bytes the engine owns.
    WriteOwned(usize, usize),
    ShutDown(usize),
    Close(usize),
    Unsent(usize),
}

/// An operation between two callbacks.
#[derive(Clone, Debug)]
enum Between {
    Nothing,
    /// The peer reads everything.
    Drain(usize),
    /// The peer closes its end.
    ClosePeer(usize),
}

const STREAMS: usize = 2;

fn op() -> impl Strategy<Value = Op> {
    let size = prop_oneof![8 => 0..60_usize, 2 => 60..5000_usize, 1 => 16_000..17_000_usize];
    let sizes = prop::collection::vec(size.clone(), 1..4);
    prop_oneof![
        20 => (0..STREAMS, sizes).prop_map(|(n, sizes)| Op::Write(n, sizes)),
        2 => (0..STREAMS, size.clone()).prop_map(|(n, size)| Op::TryWrite(n, size)),
        2 => (0..STREAMS, size).prop_map(|(n, size)| Op::WriteOwned(n, size)),
        1 => (0..STREAMS).prop_map(Op::ShutDown),
        1 => (0..STREAMS).prop_map(Op::Close),
        1 => (0..STREAMS).prop_map(Op::Unsent),
    ]
}

fn between() -> impl Strategy<Value = Between> {
    prop_oneof![
        4 => Just(Between::Nothing),
        4 => (0..STREAMS).prop_map(Between::Drain),
        1 => (0..STREAMS).prop_map(Between::ClosePeer),
    ]
}

type Callbacks = Vec<(Vec<Op>, Between)>;

/// The observable results of a program: return values, completions of each stream, and the bytes that
/// the peers have received.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    results: Vec<String>,
    completions: Vec<(u64, String)>,
    bytes: [Vec<u8>; STREAMS],
}

struct Player {
    harness: Harness,
    streams: Vec<(HandleId, RawFd, Option<UnixStream>)>,
    requests: u64,
    /// The next byte to write to each stream.
    next: [u8; STREAMS],
    seen: Seen,
}

impl Player {
    fn new(policy: CorkPolicy) -> Self {
        let mut harness = Harness::new();
        // Events are reported by descriptor. Both players have the same order, whatever numbers other
        // tests of the process have left free.
        let lowest = |n: usize| 100 * (n as RawFd + 1);
        let open = |n| stream_from(&mut harness, n as u64, policy, lowest(n));
        let streams: Vec<_> = (0..STREAMS).map(open).collect();
        for (_, fd, _) in &streams {
            harness.system.set_ready(*fd, Readiness::WRITABLE);
        }
        let streams = streams.into_iter().map(|(id, fd, peer)| (id, fd, Some(peer))).collect();
        Self { harness, streams, requests: 100, next: [0; STREAMS], seen: Seen::default() }
    }

    /// The next bytes of a counting sequence, so that lost or reordered bytes are detected.
    fn bytes(&mut self, n: usize, size: usize) -> Vec<u8> {
        let next = &mut self.next[n];
        let make = |_| {
            *next = next.wrapping_mul(5).wrapping_add(17);
            *next
        };
        (0..size).map(make).collect()
    }

    fn perform(&mut self, op: &Op) -> String {
        self.requests += 1;
        let token = Token(self.requests);
        let (Op::Write(n, _)
        | Op::TryWrite(n, _)
        | Op::WriteOwned(n, _)
        | Op::ShutDown(n)
        | Op::Close(n)
        | Op::Unsent(n)) = *op;
        let id = self.streams[n].0;
        // The duty of a host: flush before every operation except a write to the same stream.
        if !matches!(op, Op::Write(..)) {
            self.harness.engine.flush_cork();
        }
        let result = match *op {
            Op::Write(_, ref sizes) => {
                let parts: Vec<_> = sizes.iter().map(|size| self.bytes(n, *size)).collect();
                let slices: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
                let Some(mut stream) = self.harness.engine.stream(id) else { return "gone".into() };
                let keep = || Payload::owned(parts.concat());
                stream.write_or_keep(token, &slices, keep).map(|_| 0)
            }
            Op::TryWrite(_, size) => {
                let bytes = self.bytes(n, size);
                let Some(mut stream) = self.harness.engine.stream(id) else { return "gone".into() };
                stream.try_write(&[IoSlice::new(&bytes)], None)
            }
            Op::WriteOwned(_, size) => {
                let bytes = self.bytes(n, size);
                let Some(mut stream) = self.harness.engine.stream(id) else { return "gone".into() };
                stream.write(token, Payload::owned(bytes), None).map(|()| 0)
            }
            Op::ShutDown(_) => {
                let Some(mut stream) = self.harness.engine.stream(id) else { return "gone".into() };
                stream.shut_down(token).map(|()| 0)
            }
            Op::Close(_) => Ok(usize::from(self.harness.engine.close_handle(id))),
            Op::Unsent(_) => {
                let Some(mut stream) = self.harness.engine.stream(id) else { return "gone".into() };
                Ok(stream.unsent())
            }
        };
        format!("{result:?}")
    }

    fn run(&mut self, ops: &[Op]) {
        let idle = self.harness.idle(9);
        while let Some(completion) = next_completion(&mut self.harness.engine, Mode::NoWait) {
            if completion == Completion::Idle(Token(9)) {
                self.harness.engine.hook(idle).unwrap().stop();
                assert!(self.harness.engine.close_handle(idle));
                for op in ops {
                    let result = self.perform(op);
                    self.seen.results.push(format!("{op:?}: {result}"));
                }
            } else if !matches!(completion, Completion::Progress { .. }) {
                let what = match completion {
                    Completion::Write { result, .. } => format!("write {result:?}"),
                    Completion::Shutdown { result, .. } => format!("shutdown {result:?}"),
                    other => format!("{other:?}"),
                };
                self.seen.completions.push((completion.token().0, what));
            }
        }
    }

    fn drain(&mut self, n: usize) -> usize {
        let Some(peer) = &mut self.streams[n].2 else { return 0 };
        let bytes = received(peer);
        self.seen.bytes[n].extend_from_slice(&bytes);
        bytes.len()
    }

    fn play(mut self, callbacks: &Callbacks) -> Seen {
        for (ops, between) in callbacks {
            self.run(ops);
            match *between {
                Between::Nothing => {}
                Between::Drain(n) => drop(self.drain(n)),
                Between::ClosePeer(n) => {
                    self.drain(n);
                    self.streams[n].2 = None;
                }
            }
        }
        // Until the peers have read all bytes, and all completions are reported.
        loop {
            let before = self.seen.completions.len();
            let drained: usize = (0..STREAMS).map(|n| self.drain(n)).sum();
            self.run(&[]);
            self.run(&[]);
            // The idle handle of each run is closed.
            if drained == 0 && self.seen.completions.len() == before + 2 {
                break;
            }
        }
        self.seen.completions.retain(|(token, _)| *token != 9);
        self.seen
    }
}

/// The completions of each stream. The order between streams is not compared.
fn by_stream(seen: &Seen, callbacks: &Callbacks) -> Vec<Vec<(u64, String)>> {
    let ops: Vec<&Op> = callbacks.iter().flat_map(|(ops, _)| ops).collect();
    let is_of =
        |n: usize, token: u64| matches!(ops[token as usize - 101], Op::Write(of, _) if *of == n);
    let of = |n| seen.completions.iter().filter(move |(token, _)| is_of(n, *token));
    (0..STREAMS).map(|n| of(n).cloned().collect()).collect()
}

/// A number of cases for every test run; `PROPTEST_CASES` overrides it.
fn config() -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = requested.unwrap_or(100);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// If no write blocks, a program cannot distinguish corked writes from uncorked ones.
    #[test]
    fn corked_writes_complete_like_uncorked_ones(
        callbacks in prop::collection::vec((prop::collection::vec(op(), 1..8), between()), 1..8)
    ) {
        // The peers read everything after each callback, so no write blocks.
        let callbacks: Callbacks = callbacks
            .into_iter()
            .flat_map(|(ops, between)| {
                [(ops, Between::Drain(0)), (vec![], Between::Drain(1)), (vec![], between)]
            })
            .collect();
        let plain = Player::new(CorkPolicy::Off).play(&callbacks);
        for policy in [CorkPolicy::AfterFirst, CorkPolicy::Burst] {
            prop_assert_eq!(&plain, &Player::new(policy).play(&callbacks), "{:?}", policy);
        }
    }

    /// If writes block, the same bytes arrive in the same order, and every request has the same
    /// result.
    #[test]
    fn corked_writes_lose_no_bytes_if_the_socket_buffer_is_full(
        sizes in prop::collection::vec(prop::collection::vec((0..STREAMS, 1..16_000_usize), 1..40), 1..6),
        drained in prop::collection::vec(0..3 * STREAMS, 6),
    ) {
        let callback = |(sizes, n): (&Vec<(usize, usize)>, usize)| {
            let write = |(n, size): &(usize, usize)| Op::Write(*n, vec![*size]);
            let between = if n < STREAMS { Between::Drain(n) } else { Between::Nothing };
            (sizes.iter().map(write).collect(), between)
        };
        let callbacks: Callbacks = sizes.iter().zip(drained).map(callback).collect();
        let plain = Player::new(CorkPolicy::Off).play(&callbacks);
        for policy in [CorkPolicy::AfterFirst, CorkPolicy::Burst] {
            let corked = Player::new(policy).play(&callbacks);
            prop_assert_eq!(&plain.bytes, &corked.bytes);
            prop_assert_eq!(by_stream(&plain, &callbacks), by_stream(&corked, &callbacks));
        }
    }
}

#[test]
fn corked_writes_to_a_closed_peer_fail_in_order() {
    let play = |policy| {
        let callbacks = vec![
            (vec![Op::Write(0, vec![1]); 3], Between::ClosePeer(0)),
            (vec![Op::Write(0, vec![2]); 3], Between::Nothing),
            (vec![Op::Write(0, vec![3]); 2], Between::Nothing),
        ];
        Player::new(policy).play(&callbacks).completions
    };
    let plain = play(CorkPolicy::Off);
    let failed = format!("write {:?}", Err::<(), _>(Errno::EPIPE));
    assert_eq!(plain.iter().filter(|(_, what)| *what == failed).count(), 5);
    assert_eq!(play(CorkPolicy::AfterFirst), plain);
    assert_eq!(play(CorkPolicy::Burst), plain);
}
