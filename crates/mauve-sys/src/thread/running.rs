//! What the other threads do, from `/proc`.

use std::fs;

use super::{OtherThreads, current_tid};

pub fn other_threads() -> OtherThreads {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return OtherThreads::Asleep };
    let own = current_tid().to_string();
    let mut found = OtherThreads::None;
    for thread in threads.flatten().filter(|thread| thread.file_name().to_str() != Some(&*own)) {
        let stat = fs::read(thread.path().join("stat")).unwrap_or_default();
        // The name before the state may contain parentheses.
        let end = stat.iter().rposition(|byte| *byte == b')');
        if let Some(b'R' | b'D') = end.and_then(|end| stat.get(end + 2)) {
            return OtherThreads::Running;
        }
        found = OtherThreads::Asleep;
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::{OtherThreads, other_threads};

    #[test]
    fn a_thread_that_computes_is_running() {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            // The thread may not have started yet.
            while other_threads() != OtherThreads::Running {
                thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}
