//! `mauve::sim`: tests under many orders of events.

use std::cell::RefCell;
use std::io;
use std::panic::catch_unwind;
use std::time::Duration;

use futures_lite::future::zip;
use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UdpSocket};
use mauve::sim::Faults;
use mauve::time::{Instant, VirtualClock};

const HOUR: Duration = Duration::from_secs(3600);

/// The message of the panic of a test.
fn failure(test: fn()) -> String {
    let payload = catch_unwind(test).expect_err("a seed fails");
    payload.downcast_ref::<String>().expect("a message").clone()
}

/// The order in which jobs end that were started in this order.
async fn order_of_jobs() -> Vec<u32> {
    let done = RefCell::new(Vec::new());
    let job = async |n: u32| {
        mauve::spawn_blocking(move || n).await.expect("it runs");
        done.borrow_mut().push(n);
    };
    zip(job(1), zip(job(2), job(3))).await;
    done.into_inner()
}

#[test]
fn a_test_that_expects_an_order_of_jobs_fails_with_its_seed_which_repeats() {
    let message = failure(|| {
        mauve::sim::run(1..=200, async || assert_eq!(order_of_jobs().await, [1, 2, 3]));
    });
    let seed = message.strip_prefix("seed ").and_then(|rest| rest.split(' ').next());
    let seed: u64 = seed.expect(&message).parse().expect("a number");
    assert!(message.contains(&format!("repeat it with MAUVE_TEST_SEED={seed}")), "{message}");
    let first = RefCell::new(None);
    for _ in 0..10 {
        mauve::sim::run([seed], async || {
            let order = order_of_jobs().await;
            assert_eq!(*first.borrow_mut().get_or_insert_with(|| order.clone()), order);
        });
    }
    assert_ne!(first.into_inner(), Some(vec![1, 2, 3]));
}

#[test]
fn an_error_fails_with_its_seed() {
    let message = failure(|| {
        mauve::sim::run(7..=9, async || Err::<(), _>(io::Error::other("no room")));
    });
    assert!(message.starts_with("seed 7 fails: "), "{message}");
    assert!(message.contains("no room"), "{message}");
}

/// A client and its server.
async fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (client, server) = zip(TcpStream::connect(address), listener.accept()).await;
    (client.unwrap(), server.unwrap().0)
}

#[test]
fn a_message_that_is_expected_in_one_piece_is_found() {
    let message = failure(|| {
        mauve::sim::run(1..=200, async || {
            let (mut client, mut server) = connection().await;
            client.write_all(b"a whole message").await.unwrap();
            let count = server.read(&mut [0; 64]).await.unwrap();
            assert_eq!(count, 15, "one read returns all");
        });
    });
    assert!(message.contains("one read returns all"), "{message}");
}

#[test]
fn a_failing_call_that_is_not_handled_is_found_with_its_seed() {
    let file = std::env::temp_dir().join(format!("mauve-sim-faults-{}", std::process::id()));
    std::fs::write(&file, "text").unwrap();
    let test = async || mauve::fs::read(&file).await.map(drop);
    mauve::sim::run(1..=20, test);
    let message = |faults| {
        let failing = || mauve::sim::run_with_faults(1..=200, faults, test);
        let payload = catch_unwind(std::panic::AssertUnwindSafe(failing));
        payload.err().map(|payload| payload.downcast_ref::<String>().expect("a message").clone())
    };
    let found = message(Faults::default().fs(0.05)).expect("a seed fails");
    let names = ["Input/output error", "Too many open files", "EIO", "EMFILE", "ENFILE"];
    assert!(names.iter().any(|name| found.contains(name)), "{found}");
    assert_eq!(message(Faults::default().fs(0.05)), Some(found));
    // Only what has a rate fails.
    assert_eq!(message(Faults::default().net(1.0).dns(1.0).child(1.0)), None);
    std::fs::remove_file(file).unwrap();
}

#[mauve::test(sim = 20, faults = 1)]
async fn every_call_fails_with_an_error_that_it_documents() {
    let kind = |result: io::Result<()>| result.expect_err("it fails").kind();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let refused = kind(TcpStream::connect(address).await.map(drop));
    assert!(matches!(refused, io::ErrorKind::ConnectionRefused | io::ErrorKind::TimedOut));
    assert!(mauve::fs::read("/dev/null").await.is_err());
    assert!(mauve::dns::lookup_host("localhost", 80).await.is_err());
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let sent = socket.send_to(b"lost", socket.local_addr().unwrap()).await.map(drop);
    assert_eq!(sent.expect_err("it fails").raw_os_error(), Some(mauve::Errno::ENOBUFS.raw().abs()));
}

#[mauve::test(sim = 20)]
async fn a_client_and_a_server_sleep_for_hours() {
    let begin = Instant::now();
    let (mut client, mut server) = connection().await;
    let serve = async move {
        mauve::sleep(HOUR).await;
        server.write_all(b"late").await.unwrap();
    };
    let read = async move {
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        text
    };
    let (text, ()) = zip(mauve::timeout(2 * HOUR, read), serve).await;
    assert_eq!(text.expect("before two hours have passed"), "late");
    assert!(begin.elapsed() >= HOUR);
}

#[mauve::test(sim = 10)]
async fn a_loop_on_another_thread_can_share_the_clock() {
    let clock = VirtualClock::current().expect("virtual");
    let (begin, other) = (clock.now(), clock.clone());
    let thread = mauve::spawn_blocking(move || {
        let lp: Loop = Loop::builder().clock(other).build().unwrap();
        lp.block_on(async { Instant::now() - begin })
    });
    assert!(thread.await.unwrap() < HOUR);
}

#[mauve::test(sim)]
async fn a_result_is_returned() -> io::Result<()> {
    mauve::sleep(HOUR).await;
    Ok(())
}
