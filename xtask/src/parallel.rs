//! Work on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for all items, on this many threads. An error ends the thread that has met it.
pub fn for_each<T: Sync>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let all = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(all)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })
}
