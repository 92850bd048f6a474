//! A value that any thread and any signal handler may use, and that can be replaced.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// A shared value, or none. Access takes no lock and allocates nothing, so signal handlers may use
/// it.
#[derive(Debug, Default)]
pub struct Published<T> {
    value: AtomicPtr<T>,
    /// How many threads use the value at the moment.
    users: AtomicUsize,
}

impl<T: Send + Sync> Published<T> {
    /// Without a value.
    pub const fn new() -> Self {
        Self { value: AtomicPtr::new(std::ptr::null_mut()), users: AtomicUsize::new(0) }
    }

    /// Calls `f` with the value. `None` if there is none.
    #[inline]
    pub fn with<R>(&self, f: impl FnOnce(&T) -> R) -> Option<R> {
        self.users.fetch_add(1, Ordering::SeqCst);
        // SAFETY: null, or from `Box::into_raw`. `replace` frees a value only if there are no users
        // after it has removed the value, so none that loaded it here.
        let value = unsafe { self.value.load(Ordering::SeqCst).as_ref() };
        let result = value.map(f);
        self.users.fetch_sub(1, Ordering::SeqCst);
        result
    }

    /// Replaces the value. The old one is dropped, or leaked if it is in use at the moment.
    pub fn replace(&self, value: Option<Box<T>>) {
        let new = value.map_or(std::ptr::null_mut(), Box::into_raw);
        let old = self.value.swap(new, Ordering::SeqCst);
        if !old.is_null() && self.users.load(Ordering::SeqCst) == 0 {
            // SAFETY: from `Box::into_raw`, removed above by this call alone, and not in use: a later
            // user loads the new value.
            drop(unsafe { Box::from_raw(old) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn a_replaced_value_is_dropped_unless_it_is_in_use() {
        let published = Published::new();
        let (one, other) = (Arc::new(1), Arc::new(2));
        assert_eq!(published.with(|value: &Arc<i32>| **value), None);
        published.replace(Some(Box::new(one.clone())));
        assert_eq!(published.with(|value| **value), Some(1));
        published.replace(Some(Box::new(other.clone())));
        assert_eq!((Arc::strong_count(&one), Arc::strong_count(&other)), (1, 2));
        published.with(|value| {
            published.replace(None);
            assert_eq!(**value, 2);
        });
        assert_eq!(Arc::strong_count(&other), 2, "leaked");
        assert_eq!(published.with(|value| **value), None);
    }

    #[test]
    fn users_of_other_threads_never_see_a_dropped_value() {
        let published = Published::new();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        let text = published.with(|text: &String| text.clone());
                        assert!(text.is_none_or(|text| text == "a value on the heap"));
                    }
                });
            }
            for _ in 0..2000 {
                published.replace(Some(Box::new("a value on the heap".to_owned())));
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
