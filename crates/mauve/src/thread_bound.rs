//! Values of one thread, for code that requires `Send`.
//!
//! The values of a thread are in a table, and others get their indices. An index is reused when its
//! value is dropped, which only the thread of the value does. So is its allocation, by a value of the same
//! type: a timer of hyper exists for one request.

use std::any::{Any, type_name};
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::thread::{self, ThreadId};

use mauve_core::slots::Slots;

/// The values of a thread.
struct Table {
    thread: ThreadId,
    values: Slots<Slot>,
}

/// An `Rc<RefCell<Option<T>>>`, whose `Option` is `None` at a free index. `None` where there never was a value.
type Slot = Option<Rc<dyn Any>>;

thread_local! {
    static TABLE: RefCell<Table> =
        RefCell::new(Table { thread: thread::current().id(), values: Slots::new() });
}

/// A value of this thread that is `Send` and `Sync`: other threads may own it, but only its own thread
/// may use it. For code that requires `Send` of sockets, sleeps and futures, and never moves them to
/// another thread, such as a service of axum that a loop polls.
///
/// Dropping it on its own thread drops the value. Otherwise the value lives until its thread ends.
///
/// ```
/// use std::rc::Rc;
/// use mauve::ThreadBound;
///
/// fn needs_send<F: Future + Send>(future: F) -> F { future }
///
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let answer = Rc::new(42);
/// // An `Rc` makes a future that is not `Send`.
/// let future = ThreadBound::future(async move { *answer });
/// assert_eq!(needs_send(future).await, 42);
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// Its methods and its implementation of `Future` panic on another thread, with the type of the value
/// and both threads.
pub struct ThreadBound<T> {
    index: usize,
    thread: ThreadId,
    /// Takes the value out of its allocation.
    take: fn(&dyn Any) -> Option<T>,
    value: PhantomData<fn() -> T>,
}

impl<F: Future + 'static> ThreadBound<Pin<Box<F>>> {
    /// A future of this thread.
    pub fn future(future: F) -> Self {
        Self::new(Box::pin(future))
    }
}

impl<T: 'static> ThreadBound<T> {
    /// A value of this thread.
    pub fn new(value: T) -> Self {
        TABLE.with_borrow_mut(|Table { thread, values }| {
            let index = values.take(|_| None);
            let slot = &mut values[index];
            match slot.as_deref().and_then(cell_of::<T>) {
                Some(free) => *free.borrow_mut() = Some(value),
                None => *slot = Some(Rc::new(RefCell::new(Some(value)))),
            }
            Self { index, thread: *thread, take: take::<T>, value: PhantomData }
        })
    }

    /// Performs an operation on the value.
    ///
    /// # Panics
    /// Panics on another thread, and if the operation uses this value again.
    #[track_caller]
    pub fn with<R>(&self, operation: impl FnOnce(&mut T) -> R) -> R {
        // The table is not borrowed: an operation may wake a task, or drop its waker.
        let shared = self.shared();
        let cell = cell_of(&*shared).expect(OTHER_TYPE);
        let mut value = cell.try_borrow_mut().expect("the value is in use");
        operation(value.as_mut().expect(OTHER_TYPE))
    }

    /// The value.
    ///
    /// # Panics
    /// Panics on another thread.
    #[track_caller]
    pub fn into_inner(self) -> T {
        cell_of(&*self.shared()).expect(OTHER_TYPE).take().expect(OTHER_TYPE)
    }

    /// The allocation of the value.
    #[track_caller]
    fn shared(&self) -> Rc<dyn Any> {
        let shared = TABLE.with_borrow(|Table { thread, values }| {
            if *thread == self.thread { values[self.index].clone() } else { None }
        });
        shared.unwrap_or_else(|| self.panic_on_other_thread())
    }

    #[cold]
    #[track_caller]
    fn panic_on_other_thread(&self) -> ! {
        let current = thread::current();
        panic!(
            "`{}` belongs to {:?}, and was used on {:?} ({})",
            type_name::<T>(),
            self.thread,
            current.id(),
            current.name().unwrap_or("unnamed"),
        );
    }
}

/// The message of a panic.
const OTHER_TYPE: &str = "the value has the type of its index";

/// The value in an allocation, if it is of this type.
fn cell_of<T: 'static>(shared: &dyn Any) -> Option<&RefCell<Option<T>>> {
    shared.downcast_ref()
}

fn take<T: 'static>(shared: &dyn Any) -> Option<T> {
    cell_of(shared).and_then(RefCell::take)
}

/// Size of the largest allocation that waits for another value.
const MAX_KEPT: usize = 256;

impl<T: Future + Unpin + 'static> Future for ThreadBound<T> {
    type Output = T::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T::Output> {
        self.with(|future| Pin::new(future).poll(context))
    }
}

impl<T> Drop for ThreadBound<T> {
    fn drop(&mut self) {
        let take = |table: &RefCell<Table>| {
            let Table { thread, values } = &mut *table.borrow_mut();
            if *thread != self.thread {
                return None;
            }
            let slot = &mut values[self.index];
            let value = slot.as_deref().and_then(self.take);
            if size_of::<T>() > MAX_KEPT {
                *slot = None;
            }
            values.free(self.index);
            value
        };
        // While the thread exits, the table is dropped with its values.
        let value = TABLE.try_with(take);
        // No borrow is held: the destructor may use the table.
        drop(value);
    }
}

impl<T> fmt::Debug for ThreadBound<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBound").field("thread", &self.thread).finish_non_exhaustive()
    }
}
