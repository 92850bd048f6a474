//! Destructors of wakers and futures, which use the loop while it drops them.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use mauve::{AbortHandle, JoinHandle, Loop, RunMode};

use crate::MS;

thread_local! {
    /// What the destructor of a [`WakerWithDestructor`] does.
    static ON_DROP: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

struct WakerWithDestructor;

impl Wake for WakerWithDestructor {
    fn wake(self: Arc<Self>) {}
}

impl Drop for WakerWithDestructor {
    fn drop(&mut self) {
        if let Some(action) = ON_DROP.take() {
            action();
        }
    }
}

/// Polls `future` with a waker whose destructor calls `action`, then with another waker.
fn replace_waker(future: &mut (impl Future + Unpin), action: impl FnOnce() + 'static) {
    let waker = Waker::from(Arc::new(WakerWithDestructor));
    let mut future = std::pin::Pin::new(future);
    assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    ON_DROP.set(Some(Box::new(action)));
    assert!(future.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(ON_DROP.take().is_none(), "the waker was not dropped");
}

#[mauve::test]
async fn the_destructor_of_a_waker_may_use_the_future_that_had_it() {
    let mut task = mauve::spawn(std::future::pending::<()>());
    let abort = task.abort_handle();
    replace_waker(&mut task, move || abort.abort());
    assert!(task.await.unwrap_err().is_cancelled());

    let mut set = mauve::JoinSet::new();
    set.spawn(std::future::pending::<()>());
    let abort = set.spawn(std::future::pending());
    replace_waker(&mut Box::pin(set.join_next()), move || abort.abort());
    assert!(set.join_next().await.unwrap().unwrap_err().is_cancelled());

    replace_waker(&mut mauve::sleep(60 * 1000 * MS), || drop(mauve::sleep(MS)));
    replace_waker(&mut mauve::sleep(60 * 1000 * MS), || {
        let other: Loop = Loop::new().unwrap();
        other.block_on(mauve::yield_now());
    });
}

#[test]
fn the_destructor_of_an_aborted_task_may_spawn_and_abort() {
    /// Spawns a task, and aborts the one that it belongs to once more.
    struct Cleanup {
        own: Rc<RefCell<Option<AbortHandle>>>,
        spawned: Rc<RefCell<Option<JoinHandle<u32>>>>,
    }

    impl Drop for Cleanup {
        fn drop(&mut self) {
            self.spawned.replace(Some(mauve::spawn(async { 7 })));
            self.own.borrow().as_ref().unwrap().abort();
        }
    }

    let lp: Loop = Loop::new().unwrap();
    for aborts_itself in [false, true] {
        lp.block_on(async {
            let (own, spawned) = (Rc::new(RefCell::new(None)), Rc::new(RefCell::new(None)));
            let cleanup = Cleanup { own: own.clone(), spawned: spawned.clone() };
            let handle: Rc<RefCell<Option<AbortHandle>>> = own.clone();
            let task = mauve::spawn(async move {
                let _cleanup = cleanup;
                if aborts_itself {
                    handle.borrow().as_ref().unwrap().abort();
                }
                std::future::pending::<()>().await;
            });
            own.replace(Some(task.abort_handle()));
            mauve::yield_now().await;
            task.abort();
            mauve::yield_now().await;
            let spawned = spawned.take().unwrap();
            assert_eq!(spawned.await.unwrap(), 7, "only the task of the handle is aborted");
            assert!(task.await.unwrap_err().is_cancelled());
        });
    }
}

#[test]
fn abort_does_not_drop_the_future_in_the_caller() {
    /// Removes its task from the list of all.
    struct Entry(Rc<RefCell<Vec<JoinHandle<()>>>>);

    impl Drop for Entry {
        fn drop(&mut self) {
            drop(self.0.borrow_mut().pop());
        }
    }

    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let tasks = Rc::new(RefCell::new(Vec::new()));
        for _ in 0..3 {
            let entry = Entry(tasks.clone());
            let task = mauve::spawn(async move {
                let _entry = entry;
                std::future::pending().await
            });
            tasks.borrow_mut().push(task);
        }
        tasks.borrow().iter().for_each(JoinHandle::abort);
        assert_eq!(tasks.borrow().len(), 3);
        mauve::yield_now().await;
        assert_eq!(tasks.borrow().len(), 0);
    });
}

#[mauve::test]
async fn a_long_chain_of_tasks_that_abort_each_other_is_dropped_without_recursion() {
    let last = Rc::new(());
    let owned = last.clone();
    let mut chain = mauve::spawn(async move {
        let _owned = owned;
        std::future::pending::<()>().await;
    })
    .abort_on_drop();
    for _ in 0..50_000 {
        let next = chain;
        chain = mauve::spawn(async move {
            let _next = next;
            std::future::pending().await
        })
        .abort_on_drop();
    }
    mauve::yield_now().await;
    drop(chain);
    while Rc::strong_count(&last) > 1 {
        mauve::yield_now().await;
    }
}

#[test]
fn a_destructor_that_panics_is_reported_to_other_threads() {
    struct PanicsOnDrop(bool);

    impl Future for PanicsOnDrop {
        type Output = ();

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            if self.0 { Poll::Ready(()) } else { Poll::Pending }
        }
    }

    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            panic!("expected");
        }
    }

    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let handle = mauve::Loop::current().handle();
        assert!(handle.spawn_with(|| PanicsOnDrop(true)).await.unwrap_err().is_panic());
        let aborted = handle.spawn_with(|| PanicsOnDrop(false));
        mauve::yield_now().await;
        aborted.abort();
        assert!(aborted.await.unwrap_err().is_panic());
    });
}

#[test]
fn a_waker_that_panics_ends_neither_the_loop_nor_its_tasks() {
    struct PanicsOnWake;

    impl Wake for PanicsOnWake {
        fn wake(self: Arc<Self>) {
            panic!("expected");
        }
    }

    let lp: Loop = Loop::new().unwrap();
    let ran = Rc::new(Cell::new(0));
    let count = |_| {
        let ran = ran.clone();
        lp.spawn(async move { ran.set(ran.get() + 1) })
    };
    let mut tasks: Vec<_> = (0..3).map(count).collect();
    let waker = Waker::from(Arc::new(PanicsOnWake));
    assert!(Pin::new(&mut tasks[0]).poll(&mut Context::from_waker(&waker)).is_pending());
    lp.run(RunMode::Default).unwrap();
    assert_eq!((ran.get(), lp.is_alive()), (3, false));
    assert!(tasks.iter().all(JoinHandle::is_finished));
}
