//! Unwinding through the library.
//!
//! A callback may be left by a C++ exception, by `pthread_cancel` or `pthread_exit`. libuv has
//! nothing to clean up then, and the unwinder passes through it. The same holds here: callbacks and
//! the functions that run them (`uv_run`, `uv_walk`) are `extern "C-unwind"`, and their frames hold
//! no value with a destructor while a callback runs. A destructor would make the unwinder that is
//! linked into this library (`build.rs`) resume an exception of the program's unwinder.
//!
//! A panic of the library itself is a bug, and never leaves it: the process aborts where the panic
//! starts. In `extern "C"` functions the compiler ensures that.

use mauve_sys::fork::Once;

use crate::find_object;

static HOOK: Once = Once::new();

/// Makes every panic abort the process after its message is printed.
pub(crate) fn abort_on_panic() {
    HOOK.call_once(|| {
        find_object::prepare();
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            print(panic);
            std::process::abort();
        }));
    });
}
