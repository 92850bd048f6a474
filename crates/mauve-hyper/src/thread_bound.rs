//! Values of one thread, for code that requires `Send`.
//!
//! hyper and hyper-util require that sleeps and connections are `Send`, and those of mauve are not:
//! they belong to a loop. So the values of a thread are in a table, and others get their keys. They
//! are used and dropped on the loop's thread, together with the connection.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::thread::{self, ThreadId};

/// The values of a thread, by their keys. `None` while a value is used.
#[derive(Default)]
struct Table {
    next: u64,
    by_key: HashMap<u64, Option<Box<dyn Any>>>,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

/// The key of a value of this thread. Dropping it drops the value.
pub(crate) struct ThreadBound<T> {
    key: u64,
    thread: ThreadId,
    value: PhantomData<fn() -> T>,
}

impl<T: 'static> ThreadBound<T> {
    pub fn new(value: T) -> Self {
        let key = TABLE.with_borrow_mut(|table| {
            let key = table.next;
            table.next += 1;
            table.by_key.insert(key, Some(Box::new(value)));
            key
        });
        Self { key, thread: thread::current().id(), value: PhantomData }
    }

    /// Performs an operation on the value.
    ///
    /// # Panics
    /// Panics on a thread other than that of the value.
    pub fn with<R>(&self, operation: impl FnOnce(&mut T) -> R) -> R {
        assert_eq!(self.thread, thread::current().id(), "this value belongs to another thread");
        let slot = |table: &mut Table| table.by_key.get_mut(&self.key).and_then(Option::take);
        let mut value = TABLE.with_borrow_mut(slot).expect("in the table until it is dropped");
        // No borrow is held: an operation may wake a task, or drop its waker.
        let result = operation(value.downcast_mut().expect("the type of the key"));
        TABLE.with_borrow_mut(|table| table.by_key.insert(self.key, Some(value)));
        result
    }
}

impl<T> Drop for ThreadBound<T> {
    fn drop(&mut self) {
        // On another thread, or while the thread exits, the table drops the value later.
        if self.thread == thread::current().id() {
            let remove = |table: &RefCell<Table>| table.borrow_mut().by_key.remove(&self.key);
            let value = TABLE.try_with(remove);
            drop(value);
        }
    }
}

impl<T> fmt::Debug for ThreadBound<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBound").field("key", &self.key).finish_non_exhaustive()
    }
}
