use super::*;

fn raise(signal: i32) {
    // SAFETY: a signal to this thread, for which a handler is installed.
    unsafe { libc::raise(signal) };
}

fn take(mailbox: &Mailbox) -> Vec<Raised> {
    let mut taken = Vec::new();
    while mailbox.read(|raised| taken.push(raised)) {}
    taken
}

fn numbers(mailbox: &Mailbox) -> Vec<i32> {
    take(mailbox).iter().map(|raised| raised.signal).collect()
}

/// One test, because dispositions belong to the whole process.
#[test]
fn every_mailbox_hears_of_every_signal_it_watches_for() {
    let [first, second] = [libc::SIGUSR1, libc::SIGURG];
    let (mut one, mut two) = (Mailbox::open().unwrap(), Mailbox::open().unwrap());
    one.watch(first, Term::Lasting).unwrap();
    one.watch(second, Term::Lasting).unwrap();
    two.watch(first, Term::Lasting).unwrap();
    [first, second, first].into_iter().for_each(raise);
    assert_eq!(numbers(&one), [first, second, first]);
    assert_eq!(numbers(&two), [first, first]);

    raise(first);
    let late = one.watch(first, Term::Once).unwrap();
    raise(first);
    let since: Vec<_> = take(&one).iter().map(|raised| raised.is_since(late)).collect();
    assert_eq!(since, [false, true]);

    two.unwatch(first, Term::Lasting);
    drop(two);
    let mut three = Mailbox::open().unwrap();
    three.watch(second, Term::Lasting).unwrap();
    [first, second].into_iter().for_each(raise);
    assert_eq!(numbers(&three), [second], "and nothing that was left in its post");

    for bad in [0, -1, 65, libc::SIGKILL, libc::SIGSTOP] {
        assert_eq!(three.watch(bad, Term::Lasting), Err(Errno::EINVAL));
    }
}
