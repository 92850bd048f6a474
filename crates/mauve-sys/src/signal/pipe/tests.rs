use super::*;

fn raise(signal: i32) {
    // SAFETY: a handler is installed for the signal, which is sent to this thread.
    unsafe { libc::raise(signal) };
}

fn read_all(pipe: &SignalPipe) -> Vec<SignalEvent> {
    let mut events = Vec::new();
    while pipe.read::<4>(|event| events.push(event)) > 0 {}
    events
}

fn numbers(pipe: &SignalPipe) -> Vec<i32> {
    read_all(pipe).iter().map(|event| event.signal).collect()
}

/// One test, because signal actions are per process.
#[test]
fn every_pipe_receives_every_signal_that_it_watches() {
    let [first, second] = [libc::SIGUSR1, libc::SIGURG];
    let (mut one, mut two) =
        (SignalPipe::new(PipeEnds::open().unwrap()), SignalPipe::new(PipeEnds::open().unwrap()));
    one.watch(first, Delivery::Persistent).unwrap();
    one.watch(second, Delivery::Persistent).unwrap();
    two.watch(first, Delivery::Persistent).unwrap();
    [first, second, first].into_iter().for_each(raise);
    assert_eq!(numbers(&one), [first, second, first]);
    assert_eq!(numbers(&two), [first, first]);

    raise(first);
    let late = one.watch(first, Delivery::OneShot).unwrap();
    raise(first);
    let since: Vec<_> = read_all(&one).iter().map(|event| event.is_since(late)).collect();
    assert_eq!(since, [false, true]);

    two.unwatch(first, Delivery::Persistent);
    drop(two);
    let mut three = SignalPipe::new(PipeEnds::open().unwrap());
    three.watch(second, Delivery::Persistent).unwrap();
    [first, second].into_iter().for_each(raise);
    assert_eq!(numbers(&three), [second], "a reused writer has no watchers");

    for bad in [0, -1, 65, libc::SIGKILL, libc::SIGSTOP] {
        assert_eq!(three.watch(bad, Delivery::Persistent), Err(Errno::EINVAL));
    }
}
