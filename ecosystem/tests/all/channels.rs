//! What needs no runtime: channels, combinators, macros, and pools of threads.

use std::time::Duration;

use crate::run;

#[test]
fn futures() {
    use futures::{FutureExt, StreamExt, stream::FuturesUnordered};
    run(async {
        let mut sleeps: FuturesUnordered<_> = [3, 1, 2]
            .map(|ms| mauve::sleep(Duration::from_millis(ms * 20)).map(move |()| ms))
            .into_iter()
            .collect();
        let mut order = Vec::new();
        while let Some(ms) = sleeps.next().await {
            order.push(ms);
        }
        assert_eq!(order, [1, 2, 3]);
        let joined = futures::join!(mauve::spawn(async { 1 }), mauve::spawn_blocking(|| 2));
        assert_eq!((joined.0.unwrap(), joined.1.unwrap()), (1, 2));
    });
}

#[test]
fn futures_lite() {
    use futures_lite::{StreamExt, future};
    run(async {
        let ticks = mauve::time::interval(Duration::from_millis(1));
        assert_eq!(ticks.take(3).count().await, 3);
        let first = future::or(async { 1 }, async {
            mauve::sleep(Duration::from_secs(60)).await;
            2
        });
        assert_eq!(first.await, 1);
    });
}

#[test]
fn async_channel() {
    run(async {
        let (sender, receiver) = async_channel::bounded(1);
        let task = mauve::spawn(async move {
            for number in 0..10 {
                sender.send(number).await.unwrap();
            }
        });
        let mut sum = 0;
        while let Ok(number) = receiver.recv().await {
            sum += number;
        }
        task.await.unwrap();
        assert_eq!(sum, 45);
    });
}

#[test]
fn flume() {
    run(async {
        let (sender, receiver) = flume::unbounded();
        let thread = std::thread::spawn(move || sender.send(7).unwrap());
        assert_eq!(receiver.recv_async().await, Ok(7));
        thread.join().unwrap();
    });
}

#[test]
fn tokio_sync_and_macros() {
    run(async {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        let lock = std::rc::Rc::new(tokio::sync::Mutex::new(0));
        for number in 1..=3 {
            let (sender, lock) = (sender.clone(), lock.clone());
            mauve::spawn(async move {
                *lock.lock().await += number;
                sender.send(()).await.unwrap();
            });
        }
        drop(sender);
        let mut received = 0;
        loop {
            tokio::select! {
                message = receiver.recv() => match message {
                    Some(()) => received += 1,
                    None => break,
                },
                () = mauve::sleep(Duration::from_secs(60)) => panic!("no message"),
            }
        }
        assert_eq!((received, *lock.lock().await), (3, 6));
        assert_eq!(tokio::join!(async { 1 }, mauve::yield_now()), (1, ()));
    });
}

#[test]
fn async_stream() {
    use futures_lite::StreamExt;
    run(async {
        let stream = async_stream::stream! {
            for number in 0..3 {
                mauve::sleep(Duration::from_millis(1)).await;
                yield number;
            }
        };
        assert_eq!(stream.collect::<Vec<_>>().await, [0, 1, 2]);
    });
}

#[test]
fn rayon() {
    use rayon::prelude::*;
    run(async {
        let sum = mauve::spawn_blocking(|| (0..1000u64).into_par_iter().sum::<u64>());
        assert_eq!(sum.await.unwrap(), 499_500);
    });
}
