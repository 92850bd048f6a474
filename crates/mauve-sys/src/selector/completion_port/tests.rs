use std::io::IoSlice;
use std::net::SocketAddr;

use super::*;
use crate::net::{self, AF_INET, Address, SOCK_DGRAM, SOCK_STREAM};
use crate::selector::{Readiness, Timeout, wait};
use crate::waker::{notify, open};

/// A selector and the port of its waker.
fn selector() -> (Selector, Descriptor) {
    let port = open().unwrap().fd;
    (Selector::new(port.as_descriptor()).unwrap(), port)
}

/// The events of a wait of at most `timeout` milliseconds.
fn events(selector: &mut Selector, timeout: u32) -> Vec<Event> {
    let mut events = Vec::new();
    let options = WaitOptions::at_most(Some(timeout));
    wait!(selector, options, &mut events).unwrap();
    events
}

/// Long enough for an event that is certain.
const LONG: u32 = 60_000;
/// For an event that does not come.
const SHORT: u32 = 30;

fn ready(key: u64, readiness: Readiness) -> Event {
    Event::Ready { key: Key(key), readiness }
}

fn pair() -> [Descriptor; 2] {
    net::socket_pair(SOCK_STREAM, 0, [true, true]).unwrap()
}

fn send(socket: &Descriptor, bytes: &[u8]) {
    assert_eq!(net::send(socket.as_descriptor(), &[IoSlice::new(bytes)]), Ok(bytes.len()));
}

fn listener() -> (Descriptor, Address) {
    let listener = net::socket(AF_INET, SOCK_STREAM).unwrap();
    let any = SocketAddr::from(([127, 0, 0, 1], 0)).into();
    net::bind(listener.as_descriptor(), &any).unwrap();
    net::listen(listener.as_descriptor(), 8).unwrap();
    let address = net::local_address(listener.as_descriptor()).unwrap();
    (listener, address)
}

#[test]
fn readiness_is_level_triggered() {
    let (mut selector, _port) = selector();
    let [one, other] = pair();
    selector.register(one.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    send(&other, b"xy");
    for _ in 0..3 {
        assert_eq!(events(&mut selector, LONG), [ready(1, Readiness::READABLE)]);
    }
    assert_eq!(net::receive(one.as_descriptor(), &mut [0; 8]), Ok(2));
    assert_eq!(events(&mut selector, SHORT), []);
}

#[test]
fn a_changed_interest_is_reported_with_its_new_key() {
    let (mut selector, _port) = selector();
    let [one, other] = pair();
    selector.register(one.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    selector.reregister(one.raw_descriptor(), Key(2), Interest::WRITABLE).unwrap();
    assert_eq!(events(&mut selector, LONG), [ready(2, Readiness::WRITABLE)]);
    send(&other, b"x");
    selector.reregister(one.raw_descriptor(), Key(3), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, LONG), [ready(3, Readiness::READABLE)]);
}

#[test]
fn a_deregistered_or_closed_socket_is_not_reported() {
    let (mut selector, _port) = selector();
    let ([one, other], [closed, peer]) = (pair(), pair());
    selector.register(one.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    selector.register(closed.raw_descriptor(), Key(2), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    selector.deregister(one.raw_descriptor()).unwrap();
    selector.deregister_and_close(closed, false).unwrap();
    send(&other, b"x");
    drop(peer);
    while selector.pending > 0 {
        assert_eq!(events(&mut selector, SHORT), []);
    }
    assert!(selector.registrations.is_empty());
}

#[test]
fn a_socket_may_be_registered_with_two_selectors() {
    let ((mut first, _one_port), (mut second, _other_port)) = (selector(), selector());
    let [one, other] = pair();
    first.register(one.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    second.register(one.raw_descriptor(), Key(2), Interest::READABLE).unwrap();
    send(&other, b"x");
    assert_eq!(events(&mut first, LONG), [ready(1, Readiness::READABLE)]);
    assert_eq!(events(&mut second, LONG), [ready(2, Readiness::READABLE)]);
}

#[test]
fn connections_are_reported_to_both_sides() {
    let (mut selector, _port) = selector();
    let (listener, address) = listener();
    let client = net::socket(AF_INET, SOCK_STREAM).unwrap();
    selector.register(listener.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    net::connect(client.as_descriptor(), &address).unwrap();
    selector.register(client.raw_descriptor(), Key(2), Interest::WRITABLE).unwrap();
    let mut seen = Vec::new();
    while !seen.contains(&ready(1, Readiness::READABLE))
        || !seen.contains(&ready(2, Readiness::WRITABLE))
    {
        seen.extend(events(&mut selector, LONG));
    }
    let mut peer = Address::unspecified();
    let accepted = net::accept_from(listener.as_descriptor(), &mut peer).unwrap();
    assert_eq!(peer, net::local_address(client.as_descriptor()).unwrap());
    assert_eq!(net::peer_address(accepted.as_descriptor()), Ok(peer));
    assert_eq!(net::accept(listener.as_descriptor()).err(), Some(Errno::EAGAIN));
}

#[test]
fn a_refused_connection_is_writable_and_hung_up() {
    let (mut selector, _port) = selector();
    let (listener, address) = listener();
    drop(listener);
    let client = net::socket(AF_INET, SOCK_STREAM).unwrap();
    net::connect(client.as_descriptor(), &address).unwrap();
    selector.register(client.raw_descriptor(), Key(1), Interest::WRITABLE).unwrap();
    let failed = Readiness::WRITABLE | Readiness::HANGUP;
    assert_eq!(events(&mut selector, LONG), [ready(1, failed)]);
    assert_eq!(net::take_error(client.as_descriptor()), Ok(Some(Errno::ECONNREFUSED)));
}

#[test]
fn ends_and_resets_are_reported() {
    let (mut selector, _port) = selector();
    let [one, other] = pair();
    let both = Interest::READABLE | Interest::DISCONNECT;
    selector.register(one.raw_descriptor(), Key(1), both).unwrap();
    net::shutdown_write(other.as_descriptor()).unwrap();
    let end = Readiness::READABLE | Readiness::DISCONNECT;
    assert_eq!(events(&mut selector, LONG), [ready(1, end)]);
    assert_eq!(net::receive(one.as_descriptor(), &mut [0; 8]), Ok(0));
    selector.deregister(one.raw_descriptor()).unwrap();

    let [one, other] = pair();
    selector.register(one.raw_descriptor(), Key(2), Interest::READABLE).unwrap();
    net::set_reset_on_close(other.as_descriptor()).unwrap();
    drop(other);
    let reset = Readiness::READABLE | Readiness::ERROR | Readiness::HANGUP;
    assert_eq!(events(&mut selector, LONG), [ready(2, reset)]);
}

#[test]
fn datagrams_are_reported() {
    let (mut selector, _port) = selector();
    let [from, to] = [(), ()].map(|()| net::socket(AF_INET, SOCK_DGRAM).unwrap());
    let any = SocketAddr::from(([127, 0, 0, 1], 0)).into();
    net::bind(to.as_descriptor(), &any).unwrap();
    selector.register(to.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    let address = net::local_address(to.as_descriptor()).unwrap();
    let transmit = net::datagram::Transmit { parts: &[IoSlice::new(b"mauve")], to: Some(&address) };
    net::datagram::send(from.as_descriptor(), &transmit).unwrap();
    assert_eq!(events(&mut selector, LONG), [ready(1, Readiness::READABLE)]);
}

#[test]
fn a_notification_ends_a_wait_and_is_reported_once() {
    let (mut selector, port) = selector();
    std::thread::scope(|scope| {
        scope.spawn(|| notify(port.as_descriptor()));
        assert_eq!(events(&mut selector, LONG), [Event::Wake]);
    });
    assert_eq!(events(&mut selector, SHORT), []);
}

#[test]
fn a_socket_that_is_registered_during_a_wait_is_reported() {
    let (mut selector, _port) = selector();
    let ([one, other], [changed, peer]) = (pair(), pair());
    selector.register(changed.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    let call = selector.begin_wait(WaitOptions::at_most(Some(LONG)));
    let waiting = SendCall(call);
    let count = std::thread::scope(|scope| {
        // SAFETY: the selector exists until the thread has ended, and begins no other wait.
        let waiter = scope.spawn(move || unsafe { Selector::run(&{ waiting }.0) });
        std::thread::sleep(Duration::from_millis(SHORT.into()));
        // The wait does not end with the poll of a registration that is replaced.
        selector.reregister(changed.raw_descriptor(), Key(2), Interest::DISCONNECT).unwrap();
        selector.register(one.raw_descriptor(), Key(3), Interest::READABLE).unwrap();
        std::thread::sleep(Duration::from_millis(SHORT.into()));
        assert!(!waiter.is_finished());
        send(&other, b"x");
        waiter.join().unwrap().unwrap()
    });
    let mut events = Vec::new();
    assert!(!selector.end_wait(count, &mut events));
    assert_eq!(events, [ready(3, Readiness::READABLE)]);
    drop(peer);
}

/// A wait that is moved to another thread.
struct SendCall(WaitCall);

// SAFETY: the selector of the wait outlives the thread, and nothing else uses its buffer.
unsafe impl Send for SendCall {}

#[test]
fn files_cannot_be_registered() {
    let (mut selector, _port) = selector();
    let file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
    let registered = selector.register(file.raw_descriptor(), Key(1), Interest::READABLE);
    assert_eq!(registered, Err(Errno::EPERM));
    let (reader, _writer) = std::io::pipe().unwrap();
    let registered = selector.register(reader.raw_descriptor(), Key(1), Interest::READABLE);
    assert_eq!(registered, Err(Errno::ENOSYS));
    assert_eq!(selector.probe(0x7fff_fff0), Err(Errno::EBADF));
}

#[test]
fn a_wait_lasts_as_long_as_its_timeout() {
    let (mut selector, _port) = selector();
    let begin = Instant::now();
    let options =
        WaitOptions { timeout: Timeout::Exact(Duration::from_micros(19_500)), ..at_once() };
    let mut events = Vec::new();
    assert!(!wait!(selector, options, &mut events).unwrap());
    assert!(begin.elapsed() >= Duration::from_millis(19), "{:?}", begin.elapsed());
}

fn at_once() -> WaitOptions<'static> {
    WaitOptions::at_most(Some(0))
}

#[test]
fn a_dropped_selector_leaves_no_poll_behind() {
    let (mut selector, _port) = selector();
    let sockets: Vec<_> = (0..20).flat_map(|_| pair()).collect();
    for (key, socket) in (0..).zip(&sockets) {
        selector.register(socket.raw_descriptor(), Key(key), Interest::READABLE).unwrap();
    }
    assert_eq!(selector.pending, sockets.len());
    selector.clear();
    assert_eq!(selector.pending, 0);
}

#[test]
fn a_pipe_is_reported_when_it_is_readable_or_writable() {
    let (mut selector, _port) = selector();
    let [one, other] = net::duplex_pipe([true, true]).unwrap();
    let both = Interest::READABLE | Interest::WRITABLE;
    selector.register(one.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    while crate::fd::write(other.as_descriptor(), &[IoSlice::new(b"xy")]) == Err(Errno::EAGAIN) {}
    for _ in 0..3 {
        assert_eq!(events(&mut selector, LONG), [ready(1, Readiness::READABLE)]);
    }
    assert_eq!(crate::fd::read(one.as_descriptor(), &mut [0; 8]), Ok(2));
    assert_eq!(crate::fd::read(one.as_descriptor(), &mut [0; 8]), Err(Errno::EAGAIN));
    // What was found before the read may be reported once.
    events(&mut selector, SHORT);
    assert_eq!(events(&mut selector, SHORT), []);
    selector.reregister(one.raw_descriptor(), Key(2), both).unwrap();
    assert_eq!(events(&mut selector, LONG), [ready(2, Readiness::WRITABLE)]);
    let full = vec![0; 1 << 16];
    while crate::fd::write(one.as_descriptor(), &[IoSlice::new(&full)]).is_ok() {}
    events(&mut selector, SHORT);
    assert_eq!(events(&mut selector, SHORT), []);
    while crate::fd::read(other.as_descriptor(), &mut vec![0; 1 << 17]).is_ok() {}
    assert_eq!(events(&mut selector, LONG), [ready(2, Readiness::WRITABLE)]);
    selector.reregister(one.raw_descriptor(), Key(3), Interest::READABLE).unwrap();
    events(&mut selector, SHORT);
    drop(other);
    assert_eq!(events(&mut selector, LONG), [ready(3, Readiness::READABLE)]);
    selector.deregister_and_close(one, false).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
}

#[test]
fn an_object_is_readable_while_it_is_signaled() {
    let (mut selector, _port) = selector();
    let event = crate::event::Event::new().unwrap();
    selector.register(event.raw_descriptor(), Key(1), Interest::READABLE).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    std::thread::scope(|scope| {
        scope.spawn(|| event.set());
        assert_eq!(events(&mut selector, LONG), [ready(1, Readiness::READABLE)]);
    });
    assert_eq!(events(&mut selector, LONG), [ready(1, Readiness::READABLE)]);
    event.reset();
    events(&mut selector, SHORT);
    assert_eq!(events(&mut selector, SHORT), []);
    event.set();
    selector.deregister(event.raw_descriptor()).unwrap();
    assert_eq!(events(&mut selector, SHORT), []);
    assert_eq!(selector.objects.pending, 0);
}
