//! Values and futures of one thread, for code that requires `Send`.

use std::cell::Cell;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use mauve::{Loop, ThreadBound};

fn message(payload: Box<dyn std::any::Any + Send>) -> String {
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn a_value_of_another_thread_panics_with_its_type_and_both_threads() {
    let dropped = Rc::new(());
    let value = ThreadBound::new(dropped.clone());
    let other = thread::Builder::new().name("other".into());
    let other = other.spawn(move || value.with(|_| unreachable!())).unwrap();
    let message = message(other.join().unwrap_err());
    assert!(message.contains("Rc<()>"), "{message}");
    assert!(message.contains(&format!("{:?}", thread::current().id())), "{message}");
    assert!(message.contains("(other)"), "{message}");
    assert_eq!(Rc::strong_count(&dropped), 2, "it lives until its own thread ends");
}

#[test]
fn values_are_dropped_on_their_thread_and_their_indices_reused() {
    let dropped = Rc::new(());
    for _ in 0..3 {
        let (one, two) = (ThreadBound::new(dropped.clone()), ThreadBound::new(7));
        assert_eq!(two.with(|number| *number), 7);
        assert!(Rc::ptr_eq(&one.into_inner(), &dropped));
    }
    assert_eq!(Rc::strong_count(&dropped), 1);
}

#[test]
fn a_value_may_use_others_and_survives_a_panic() {
    let (one, two) = (ThreadBound::new(Cell::new(1)), ThreadBound::new(Cell::new(2)));
    one.with(|one| two.with(|two| one.set(one.get() + two.get())));
    let panics = || one.with(|_| panic!("in use"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
    assert_eq!(one.with(|one| one.get()), 3);
    let nested = || one.with(|_| one.with(|_| unreachable!()));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(nested)).is_err());
}

#[test]
fn another_thread_runs_futures_of_a_loop() {
    let lp: Loop = Loop::new().unwrap();
    let handle = lp.handle();
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = thread::spawn(move || {
        let sum = handle.run(async move || {
            let shared = Rc::new(Cell::new(40));
            mauve::sleep(Duration::from_millis(1)).await;
            shared.get() + 2
        });
        let panicked = handle.run(async || panic!("out of order"));
        // Dropping the future aborts the task, and drops what it owns.
        let guard = sender.clone();
        let mut aborted = Box::pin(handle.run(async move || {
            std::future::pending::<()>().await;
            guard.send(()).unwrap();
        }));
        drop(sender);
        futures_lite::future::block_on(async {
            assert!(futures_lite::future::poll_once(&mut aborted).await.is_none());
            drop(aborted);
            (sum.await.unwrap(), panicked.await.unwrap_err().is_panic())
        })
    });
    lp.block_on(async {
        while !other.is_finished() {
            mauve::sleep(Duration::from_millis(1)).await;
        }
        mauve::yield_now().await;
    });
    assert_eq!(other.join().unwrap(), (42, true));
    assert!(receiver.recv().is_err(), "the aborted task was dropped");
}

#[test]
fn an_index_is_free_after_a_destructor_that_uses_others_and_panics() {
    struct Hostile(Rc<Cell<u32>>);

    impl Drop for Hostile {
        fn drop(&mut self) {
            let other = ThreadBound::new(self.0.clone());
            other.with(|dropped| dropped.set(dropped.get() + 1));
            panic!("intended");
        }
    }

    let dropped = Rc::new(Cell::new(0));
    for count in 1..=3 {
        let value = ThreadBound::new(Hostile(dropped.clone()));
        let drop = std::panic::AssertUnwindSafe(|| drop(value));
        assert!(std::panic::catch_unwind(drop).is_err());
        assert_eq!((dropped.get(), Rc::strong_count(&dropped)), (count, 1));
        let (large, small) = (ThreadBound::new([count; 1000]), ThreadBound::new(count));
        assert_eq!(large.with(|large| large[999]) + small.into_inner(), 2 * count);
    }
}
