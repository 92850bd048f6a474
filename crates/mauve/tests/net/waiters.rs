//! Several tasks that wait for one socket, and sockets that outlive their loop.

use std::cell::Cell;
use std::future::poll_fn;
use std::io::Result;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, future};
use mauve::net::{TcpListener, TcpStream, UdpSocket};
use mauve::{Errno, Loop};

use crate::{any_port, pair};

/// A task that waits longer than this hangs.
const HANG: Duration = Duration::from_secs(60);

#[mauve::test]
async fn all_tasks_that_accept_on_one_listener_are_served() -> Result<()> {
    let listener = Rc::new(TcpListener::bind(any_port()).await?);
    let accept = |listener: Rc<TcpListener>| async move { listener.accept().await.map(drop) };
    let tasks: Vec<_> = (0..5).map(|_| mauve::spawn(accept(listener.clone()))).collect();
    // The future of the `block_on` waits, too, with a waker of its own.
    let own = future::try_zip(listener.accept(), async {
        mauve::yield_now().await;
        let mut clients = Vec::new();
        for _ in 0..6 {
            clients.push(TcpStream::connect(listener.local_addr()?).await?);
        }
        Result::Ok(clients)
    });
    let _connected = mauve::timeout(HANG, own).await.expect("the first waiter hangs")?;
    for task in tasks {
        mauve::timeout(HANG, task).await.expect("a waiter hangs").unwrap()?;
    }
    Ok(())
}

#[mauve::test]
async fn all_tasks_that_receive_on_one_udp_socket_are_served() -> Result<()> {
    let socket = Rc::new(UdpSocket::bind(any_port()).await?);
    let receive = |socket: Rc<UdpSocket>| async move {
        let mut buffer = [0; 8];
        let (count, _) = socket.recv_from(&mut buffer).await?;
        assert_eq!(count, 1);
        Result::Ok(buffer[0])
    };
    let tasks: Vec<_> = (0..5).map(|_| mauve::spawn(receive(socket.clone()))).collect();
    mauve::yield_now().await;
    let peer = UdpSocket::bind(any_port()).await?;
    for number in 0..5 {
        peer.send_to(&[number], socket.local_addr()?).await?;
    }
    let mut received = Vec::new();
    for task in tasks {
        received.push(mauve::timeout(HANG, task).await.expect("a waiter hangs").unwrap()?);
    }
    received.sort_unstable();
    assert_eq!(received, [0, 1, 2, 3, 4]);
    Ok(())
}

#[mauve::test]
async fn all_tasks_that_wait_for_readability_of_one_stream_are_woken() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let mut client = TcpStream::connect(listener.local_addr()?).await?;
    let peer = Rc::new(listener.accept().await?.0);
    // The first read drains the socket.
    assert!(peer.try_read(&mut [0]).is_err());
    let wait = |peer: Rc<TcpStream>| async move { peer.readable().await };
    let tasks: Vec<_> = (0..3).map(|_| mauve::spawn(wait(peer.clone()))).collect();
    // Wakers of `FuturesUnordered`, `race` and others are not those of tasks.
    let nested = mauve::spawn(async move { future::race(wait(peer.clone()), wait(peer)).await });
    mauve::yield_now().await;
    client.write_all(b"x").await?;
    for task in tasks.into_iter().chain([nested]) {
        mauve::timeout(HANG, task).await.expect("a waiter hangs").unwrap()?;
    }
    Ok(())
}

/// Polls a write through a shared cell, as halves of a split stream do.
async fn write_shared(stream: &Rc<Cell<Option<TcpStream>>>, bytes: &[u8]) -> Result<usize> {
    poll_fn(|context| {
        let mut taken = stream.take().expect("no poll is nested");
        let poll = Pin::new(&mut taken).poll_write(context, bytes);
        stream.set(Some(taken));
        poll
    })
    .await
}

#[mauve::test]
async fn all_tasks_that_wait_for_room_in_one_stream_are_served() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let client = TcpStream::connect(listener.local_addr()?).await?;
    let (mut peer, _) = listener.accept().await?;
    let client = Rc::new(Cell::new(Some(client)));
    let chunk = vec![0; 1 << 16];
    let mut filled = 0;
    while let Some(written) = future::poll_once(write_shared(&client, &chunk)).await {
        filled += written?;
    }
    let write = |client: Rc<Cell<_>>| async move { write_shared(&client, b"x").await };
    let tasks: Vec<_> = (0..4).map(|_| mauve::spawn(write(client.clone()))).collect();
    mauve::yield_now().await;
    peer.read_exact(&mut vec![0; filled]).await?;
    for task in tasks {
        let written = mauve::timeout(HANG, task).await.expect("a writer hangs");
        assert_eq!(written.unwrap()?, 1);
    }
    peer.read_exact(&mut [0; 4]).await?;
    Ok(())
}

#[mauve::test]
async fn a_waiter_that_was_dropped_does_not_keep_others_from_being_woken() -> Result<()> {
    let listener = Rc::new(TcpListener::bind(any_port()).await?);
    let accept = |listener: Rc<TcpListener>| async move { listener.accept().await.map(drop) };
    let first = mauve::spawn(accept(listener.clone()));
    mauve::yield_now().await;
    let second = mauve::spawn(accept(listener.clone()));
    mauve::yield_now().await;
    first.abort();
    let _client = TcpStream::connect(listener.local_addr()?).await?;
    mauve::timeout(HANG, second).await.expect("the second waiter hangs").unwrap()
}

#[test]
fn sockets_that_outlive_their_loop_return_einval() {
    let lp: Loop = Loop::new().unwrap();
    let sockets = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await?;
        let client = TcpStream::connect(listener.local_addr()?).await?;
        Result::Ok((listener, client, UdpSocket::bind(any_port()).await?))
    });
    let (listener, mut client, udp) = sockets.unwrap();
    drop(lp);
    let other: Loop = Loop::new().unwrap();
    let is_einval = |error: std::io::Error| Errno::from(error) == Errno::EINVAL;
    other.block_on(async {
        assert!(is_einval(listener.accept().await.map(drop).unwrap_err()));
        assert!(is_einval(listener.local_addr().unwrap_err()));
        assert!(is_einval(client.read(&mut [0]).await.unwrap_err()));
        assert!(is_einval(client.write(b"x").await.unwrap_err()));
        assert!(is_einval(client.flush().await.unwrap_err()));
        assert!(is_einval(client.close().await.unwrap_err()));
        assert!(is_einval(client.set_nodelay(true).unwrap_err()));
        assert!(is_einval(client.try_read(&mut [0]).unwrap_err()));
        assert!(is_einval(udp.recv_from(&mut [0]).await.unwrap_err()));
        assert!(is_einval(udp.send_to(b"x", any_port()).await.unwrap_err()));
        assert!(is_einval(udp.try_send(b"x", any_port()).unwrap_err()));
    });
    drop((listener, client, udp));
}

#[test]
fn dropping_a_loop_ends_what_waits_for_its_sockets() {
    let lp: Loop = Loop::new().unwrap();
    let (listener, (mut stream, _peer)) = lp
        .block_on(async {
            let listener = TcpListener::bind(any_port()).await?;
            Result::Ok((listener, pair().await?))
        })
        .unwrap();
    // In an executor that is no loop.
    let (accepted, (read, ())) = future::block_on(future::zip(
        async { listener.accept().await.map(drop) },
        future::zip(stream.read(&mut [0]), async { drop(lp) }),
    ));
    assert_eq!(accepted.map_err(Errno::from), Err(Errno::EINVAL));
    assert_eq!(read.map_err(Errno::from), Err(Errno::EINVAL));
}

#[test]
fn a_socket_that_is_awaited_in_another_loop_of_the_thread_is_an_error_that_names_both() {
    let lp: Loop = Loop::new().unwrap();
    let (listener, (mut stream, _peer), udp) = lp
        .block_on(async {
            let listener = TcpListener::bind(any_port()).await?;
            let udp = UdpSocket::bind(any_port()).await?;
            Result::Ok((listener, pair().await?, udp))
        })
        .unwrap();
    let other: Loop = Loop::new().unwrap();
    other.block_on(async {
        let errors = [
            listener.accept().await.map(drop).unwrap_err(),
            stream.read(&mut [0]).await.map(drop).unwrap_err(),
            stream.readable().await.unwrap_err(),
            udp.recv(&mut [0]).await.map(drop).unwrap_err(),
            udp.peek(&mut [0]).await.map(drop).unwrap_err(),
            loop {
                if let Err(error) = stream.write(&[0; 1 << 16]).await {
                    break error;
                }
            },
        ];
        for error in errors {
            let text = error.to_string();
            let numbers: Vec<_> =
                text.split("loop ").skip(1).map(|text| text[..1].to_owned()).collect();
            assert!(text.contains("on the same thread") && numbers.len() == 2, "{text}");
        }
        // What does not have to wait works.
        assert!(udp.send_to(b"x", udp.local_addr().unwrap()).await.is_ok());
    });
    // The loop of the socket still serves it.
    lp.block_on(async { assert_eq!(udp.recv(&mut [0]).await.unwrap(), 1) });
}

/// A waker that counts how often it is called.
#[derive(Default)]
struct CountedWaker(AtomicUsize);

impl Wake for CountedWaker {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[mauve::test]
async fn a_dropped_future_removes_its_waker() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let wakers: Vec<_> = (0..4).map(|_| Arc::new(CountedWaker::default())).collect();
    let poll = |waker: &Arc<CountedWaker>| {
        let mut accept = Box::pin(listener.accept());
        let waker = Waker::from(waker.clone());
        assert!(accept.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        accept
    };
    let mut futures: Vec<_> = wakers.iter().map(poll).collect();
    // The first waiter, and one of the others. The rest stay.
    drop((futures.remove(2), futures.remove(0)));
    assert_eq!([0, 2].map(|index| Arc::strong_count(&wakers[index])), [1, 1]);
    let _client = TcpStream::connect(listener.local_addr()?).await?;
    let woken = |index: usize| wakers[index].0.load(Ordering::Relaxed) > 0;
    let all_woken = async {
        while !(woken(1) && woken(3)) {
            mauve::sleep(Duration::from_millis(1)).await;
        }
    };
    mauve::timeout(HANG, all_woken).await.expect("a waiter hangs");
    drop(futures);
    assert!(wakers.iter().all(|waker| Arc::strong_count(waker) == 1));
    Ok(())
}

#[mauve::test]
async fn wakers_of_abandoned_polls_do_not_accumulate() -> Result<()> {
    const POLLS: usize = 2000;
    let listener = TcpListener::bind(any_port()).await?;
    let poll = |counted: &Arc<CountedWaker>| {
        let waker = Waker::from(counted.clone());
        assert!(listener.poll_accept(&mut Context::from_waker(&waker)).is_pending());
    };
    // These wait on: they poll again whenever they are woken.
    let waiting: Vec<_> = (0..50).map(|_| Arc::new(CountedWaker::default())).collect();
    waiting.iter().for_each(poll);
    let mut seen = vec![0; waiting.len()];
    let abandoned: Vec<_> = (0..POLLS).map(|_| Arc::new(CountedWaker::default())).collect();
    for waker in &abandoned {
        poll(waker);
        for (waiting, seen) in waiting.iter().zip(&mut seen) {
            let count = waiting.0.load(Ordering::Relaxed);
            if std::mem::replace(seen, count) != count {
                poll(waiting);
            }
        }
    }
    let kept = abandoned.iter().filter(|waker| Arc::strong_count(waker) > 1).count();
    assert!(kept < 200, "{kept} wakers are kept");
    let _client = TcpStream::connect(listener.local_addr()?).await?;
    mauve::timeout(HANG, listener.accept()).await.expect("accept hangs")?;
    for (waiting, seen) in waiting.iter().zip(seen) {
        assert!(waiting.0.load(Ordering::Relaxed) > seen, "a waiter was not woken");
    }
    Ok(())
}

#[mauve::test]
async fn a_waker_is_dropped_when_it_was_woken() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let wakers: Vec<_> = (0..3).map(|_| Arc::new(CountedWaker::default())).collect();
    for waker in &wakers {
        let waker = Waker::from(waker.clone());
        assert!(listener.poll_accept(&mut Context::from_waker(&waker)).is_pending());
    }
    let _client = TcpStream::connect(listener.local_addr()?).await?;
    mauve::timeout(HANG, listener.accept()).await.expect("accept hangs")?;
    for waker in &wakers {
        assert!(waker.0.load(Ordering::Relaxed) > 0);
        assert_eq!(Arc::strong_count(waker), 1);
    }
    Ok(())
}

#[mauve::test]
async fn futures_with_one_waker_wait_independently() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let mut first = Box::pin(listener.accept());
    let second = listener.accept();
    assert!(future::poll_once(&mut first).await.is_none());
    let connect = async {
        mauve::yield_now().await;
        // The waker of both is that of `block_on`.
        drop(first);
        TcpStream::connect(listener.local_addr()?).await
    };
    let both = future::try_zip(second, connect);
    mauve::timeout(HANG, both).await.expect("the second waiter hangs")?;
    Ok(())
}
