//! Corked writes in the C ABI.
//!
//! Corking is off unless the environment has `MAUVE_CORK=1`: every `uv_write` attempts its bytes at
//! once, as libuv does. With it, from the second `uv_write` of a callback to the same TCP stream
//! on, the engine copies the bytes ([`CorkPolicy::AfterFirst`]) and sends them with one system
//! call.
//!
//! Corking must not be observable. Every exported function but `uv_write` to the same stream calls
//! [`flush`] first, through `#[export]`. So does `uv_run` between two callbacks, and any function
//! that runs more than one callback for a completion. Only direct system calls of the program can
//! overtake corked bytes, so a stream whose descriptor the program has, or has requested, is not
//! corked.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use mauve_core::CorkPolicy;
use mauve_core::handle::stream::StreamMut;
use mauve_sys::driver::Platform;

use crate::abi::uv_stream_t;
use crate::dispatch;
use crate::ffi::Ptr;

/// Whether the environment turns corking on.
static ON: AtomicBool = AtomicBool::new(false);

/// Number of threads in a callback that has corked writes.
static PENDING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The corked stream of the loop that runs on this thread.
    static STREAM: Cell<*mut uv_stream_t> = const { Cell::new(std::ptr::null_mut()) };
}

/// Reads the environment. Called when a loop is initialised.
pub(crate) fn configure() {
    let on = std::env::var_os("MAUVE_CORK").is_some_and(|value| value == "1");
    ON.store(on, Ordering::Relaxed);
}

#[inline(always)]
fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Allows corking on a TCP stream whose socket the library has created.
pub(crate) fn allow(stream: &mut StreamMut<'_, Platform>) {
    if is_on() {
        stream.set_cork_policy(CorkPolicy::AfterFirst);
    }
}

/// Forbids corking on a stream whose descriptor the program has.
pub(crate) fn forbid(stream: &mut StreamMut<'_, Platform>) {
    if is_on() {
        stream.set_cork_policy(CorkPolicy::Off);
    }
}

/// Sends the corked writes of the callback that runs on this thread.
#[inline(always)]
pub(crate) fn flush() {
    // Relaxed is enough: only stores of this thread matter, and a thread sees its own stores.
    if PENDING.load(Ordering::Relaxed) != 0 {
        flush_own();
    }
}

#[cold]
fn flush_own() {
    if let Some(stream) = take() {
        // SAFETY: the loop of a handle that was used in this callback. Calls that close either
        // flush first.
        let loop_ = unsafe { Ptr::new(stream.with(|stream| stream.r#loop)) };
        // In a child that was forked in the callback, only the parent sends the bytes.
        let runs_here = loop_.probe().is_some_and(|probe| probe.is_run_here());
        let progress = loop_.loop_thread_engine(|engine| match runs_here {
            true => engine.flush_cork(),
            false => {
                engine.discard_cork();
                None
            }
        });
        if let Some(progress) = progress {
            // This updates a field, and runs no callback.
            dispatch::run(progress);
        }
    }
}

/// Takes the corked stream of this thread. Until it is set again, a signal handler that calls the
/// library flushes nothing, because the engine may be in use.
fn take() -> Option<Ptr<uv_stream_t>> {
    let stream = STREAM.replace(std::ptr::null_mut());
    if stream.is_null() {
        return None;
    }
    PENDING.fetch_sub(1, Ordering::Relaxed);
    // SAFETY: set by `note`, from a pointer that the program passed in the running callback.
    Some(unsafe { Ptr::new(stream) })
}

/// Called before a write to a stream. Flushes corked writes, unless they are of the same stream and
/// the write passes no handle.
#[inline(always)]
pub(crate) fn before_write(stream: Ptr<uv_stream_t>, send_handle: Ptr<uv_stream_t>) {
    if PENDING.load(Ordering::Relaxed) != 0 {
        if STREAM.get() == stream.raw() && send_handle.is_null() {
            take();
        } else {
            flush_own();
        }
    }
}

/// Called after a write to a stream. Records whether it is corked.
#[inline(always)]
pub(crate) fn after_write(stream: Ptr<uv_stream_t>) {
    if is_on() {
        note(stream);
    }
}

#[cold]
fn note(stream: Ptr<uv_stream_t>) {
    if !stream.is_open() {
        return;
    }
    // SAFETY: the loop of an open handle.
    let loop_ = unsafe { Ptr::new(stream.with(|stream| stream.r#loop)) };
    if loop_.loop_thread_engine(|engine| engine.is_corked()) {
        STREAM.set(stream.raw());
        PENDING.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn sources(directory: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else {
                found.push(std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }

    #[test]
    fn every_exported_function_is_declared_by_the_attribute_that_flushes() {
        let mut found = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        let lines = || found.iter().flat_map(|source| source.lines()).map(str::trim_start);
        let exported = lines().filter(|line| line.starts_with("#[export")).count();
        assert!(exported > 300, "{exported} functions are exported");
        let bare = lines().find(|line| line.starts_with("#[unsafe(no_mangle)]"));
        assert_eq!(bare, None, "use `#[export]`");
        let corks: Vec<_> = lines().filter(|line| line.starts_with("#[export(corks)]")).collect();
        assert_eq!(corks.len(), 2, "only uv_write and uv_write2 skip the flush");
    }
}
