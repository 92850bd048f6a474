//! The engine with corrections, which `build/main.rs` compiles.

use std::ffi::{CStr, c_char, c_int};

unsafe extern "C" {
    safe fn mauve_corrections() -> c_int;
    safe fn mauve_throw_place() -> *const c_char;
}

/// Where the script of this thread has last thrown a value that is no error: `file:line:column`. Empty if it has not.
#[must_use]
pub fn throw_place() -> String {
    // SAFETY: the engine returns a string of this thread, which it changes only when the thread executes a `throw`.
    unsafe { CStr::from_ptr(mauve_throw_place()) }.to_string_lossy().into_owned()
}

/// The number of corrections of the engine. A program that calls this is linked with the corrected engine.
#[must_use]
pub fn corrections() -> usize {
    usize::try_from(mauve_corrections()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Runtime};

    #[test]
    fn the_engine_is_the_corrected_one() {
        assert!(super::corrections() > 0);
        Context::full(&Runtime::new().expect("a runtime")).expect("a context").with(|ctx| {
            let count: f64 = ctx.eval("Math.max(...Array(70000).fill(1))").expect("it runs");
            assert_eq!(count, 1.0);
        });
    }
}
