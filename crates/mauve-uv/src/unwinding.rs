//! What unwinds through the library, and what does not.
//!
//! A callback may be left by an exception of C++, by `pthread_cancel` or `pthread_exit`. libuv has
//! nothing to clean up then, and the unwinder passes through it. So does it here: callbacks and the
//! functions that run them (`uv_run`, `uv_walk`) are `extern "C-unwind"`, and their frames hold no
//! value with a destructor while a callback runs. That matters, because the library has an unwinder
//! of its own (`build.rs`), and destructors would make it meet that of the program.
//!
//! A panic of the library itself is a bug, and does not leave it: the process aborts where the panic
//! begins. In functions that are `extern "C"` the compiler sees to that.

use mauve_sys::fork::Once;

static HOOK: Once = Once::new();

/// Has every panic abort the process after its message was printed.
pub(crate) fn abort_on_panic() {
    HOOK.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            print(panic);
            std::process::abort();
        }));
    });
}
