//! The engine with corrections, which `build/main.rs` compiles.

use std::ffi::c_int;

unsafe extern "C" {
    safe fn mauve_corrections() -> c_int;
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
