//! The pool that all loops of the process share.

use std::sync::OnceLock;

use mauve_sys::fork;

use super::Pool;

/// The pool of the process that created the first loop. Set through [`MAKE_POOL`].
static POOL: OnceLock<Pool> = OnceLock::new();
static MAKE_POOL: fork::Once = fork::Once::new();

impl Pool {
    /// The pool of this process.
    pub fn of_process() -> Self {
        // Not `get_or_init`: a child that is forked while another thread sets the cell would deadlock.
        MAKE_POOL.call_once(|| drop(POOL.set(Self::default())));
        POOL.get().expect("the pool is set").of_this_process()
    }

    /// Stops the threads of this process's pool, if there is one. The next work starts them again.
    pub fn shut_down_of_process() {
        if let Some(pool) = POOL.get() {
            pool.of_this_process().shut_down();
        }
    }
}
