use super::*;

fn raise(signal: i32) {
    // SAFETY: a signal to this thread, for which a handler is installed.
    unsafe { libc::raise(signal) };
}

fn take(pipe: &SignalPipe) -> Vec<Raised> {
    let mut taken = Vec::new();
    while pipe.read::<4>(|raised| taken.push(raised)) > 0 {}
    taken
}

fn numbers(pipe: &SignalPipe) -> Vec<i32> {
    take(pipe).iter().map(|raised| raised.signal).collect()
}

/// One test, because signal actions belong to the whole process.
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
    let since: Vec<_> = take(&one).iter().map(|raised| raised.is_since(late)).collect();
    assert_eq!(since, [false, true]);

    two.unwatch(first, Delivery::Persistent);
    drop(two);
    let mut three = SignalPipe::new(PipeEnds::open().unwrap());
    three.watch(second, Delivery::Persistent).unwrap();
    [first, second].into_iter().for_each(raise);
    assert_eq!(numbers(&three), [second], "and nothing that its writer had before");

    for bad in [0, -1, 65, libc::SIGKILL, libc::SIGSTOP] {
        assert_eq!(three.watch(bad, Delivery::Persistent), Err(Errno::EINVAL));
    }
}
