//! One loop per thread, with a shared listening address.

use std::cell::Cell;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};

/// Long enough for every machine. A test that passes does not wait that long.
const LONG: Duration = Duration::from_secs(60);

fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// Starts workers that write their index to each connection, and echo what they read.
fn echo(count: usize) -> (mauve::Workers, SocketAddr) {
    let (sender, receiver) = mpsc::channel();
    let workers = mauve::workers(count, async move |worker| {
        let listener = worker.listen(any_port())?;
        sender.send(listener.local_addr()?).unwrap();
        let index = worker.index();
        worker
            .serve(listener, async move |mut stream| {
                stream.write_all(&[index as u8]).await.unwrap();
                let mut bytes = [0; 16];
                while let Ok(count @ 1..) = stream.read(&mut bytes).await {
                    stream.write_all(&bytes[..count]).await.unwrap();
                }
            })
            .await
    });
    // The address of each worker: all of them listen.
    let addresses: Vec<_> = (0..count).map(|_| receiver.recv_timeout(LONG).unwrap()).collect();
    assert!(addresses.iter().all(|address| *address == addresses[0]));
    (workers.unwrap(), addresses[0])
}

/// Connects, and returns the index of the worker that serves the connection.
fn connect(address: SocketAddr) -> io::Result<(TcpStream, u8)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(LONG))?;
    let mut index = [0];
    stream.read_exact(&mut index)?;
    Ok((stream, index[0]))
}

#[test]
fn two_workers_serve_one_address() {
    let (workers, address) = echo(2);
    let mut served = [0; 2];
    // The kernel chooses a worker by a hash of both addresses: with 1000 connections, the
    // probability that one worker gets none is 2^-999.
    for _ in 0..1000 {
        let (_, index) = connect(address).unwrap();
        served[index as usize] += 1;
        if served.iter().all(|count| *count > 0) {
            break;
        }
    }
    assert!(served.iter().all(|count| *count > 0), "{served:?}");
    workers.shutdown(LONG);
    workers.join().unwrap();
}

#[test]
fn a_shutdown_stops_accepting_and_waits_for_open_connections() {
    let (workers, address) = echo(2);
    let (mut stream, _) = connect(address).unwrap();
    workers.shutdown(LONG);
    let joined = std::thread::spawn(|| workers.join());
    // Once both listeners are closed, connecting fails.
    let start = Instant::now();
    while connect(address).is_ok() {
        assert!(start.elapsed() < LONG);
    }
    stream.write_all(b"still open").unwrap();
    let mut echoed = [0; 10];
    stream.read_exact(&mut echoed).unwrap();
    assert_eq!(&echoed, b"still open");
    assert!(!joined.is_finished());
    drop(stream);
    joined.join().unwrap().unwrap();
}

#[test]
fn connections_are_closed_at_the_deadline_of_a_shutdown() {
    let (workers, address) = echo(1);
    let (mut stream, _) = connect(address).unwrap();
    workers.shutdown(LONG * 60);
    workers.shutdown(Duration::from_millis(20));
    assert_eq!(workers.join().unwrap_err().kind(), io::ErrorKind::TimedOut);
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_shutdown_can_be_requested_by_a_worker() {
    let (sender, receiver) = mpsc::channel::<mauve::ShutdownHandle>();
    let receiver = std::sync::Mutex::new(Some(receiver));
    let workers = mauve::workers(2, async move |worker| {
        if worker.index() == 0 {
            let receiver = receiver.lock().unwrap().take().unwrap();
            receiver.recv().unwrap().shutdown(LONG);
        }
        worker.shutdown_requested().await;
        Ok(())
    });
    let workers = workers.unwrap();
    sender.send(workers.shutdown_handle()).unwrap();
    workers.join().unwrap();
}

#[test]
fn the_panic_of_a_worker_reaches_the_caller_after_the_others_have_ended() {
    let workers = mauve::workers(2, async |worker| {
        if worker.index() == 1 {
            panic!("worker 1");
        }
        worker.shutdown_requested().await;
        Ok(())
    });
    let joined = catch_unwind(AssertUnwindSafe(|| workers.unwrap().join()));
    assert_eq!(joined.unwrap_err().downcast_ref(), Some(&"worker 1"));
}

#[test]
fn the_error_of_a_worker_shuts_the_others_down_and_is_returned() {
    let workers = mauve::workers(2, async |worker| {
        if worker.index() == 0 {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        worker.shutdown_requested().await;
        Ok(())
    });
    assert_eq!(workers.unwrap().join().unwrap_err().kind(), io::ErrorKind::AddrInUse);
}

#[test]
fn a_panic_in_a_connection_ends_only_that_connection() {
    let (sender, receiver) = mpsc::channel();
    let workers = mauve::workers(1, async move |worker| {
        let listener = worker.listen(any_port())?;
        sender.send(listener.local_addr()?).unwrap();
        let served = Cell::new(0u8);
        worker
            .serve(listener, async move |mut stream| {
                served.set(served.get() + 1);
                assert!(served.get() > 1, "the first connection");
                stream.write_all(&[served.get()]).await.unwrap();
            })
            .await
    });
    let (workers, address) = (workers.unwrap(), receiver.recv_timeout(LONG).unwrap());
    assert!(connect(address).is_err());
    assert_eq!(connect(address).unwrap().1, 2);
    workers.shutdown(LONG);
    workers.join().unwrap();
}

#[test]
fn zero_workers_are_an_error() {
    let error = mauve::workers(0, async |_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn a_shutdown_may_wait_for_ever() {
    let run = async |worker: mauve::Worker| {
        worker.shutdown_requested().await;
        Ok(())
    };
    let workers = mauve::workers(1, run).unwrap();
    workers.shutdown(Duration::MAX);
    workers.join().unwrap();
}
