//! `uv_print_all_handles` and `uv_print_active_handles`.

use std::fmt::Write as _;

use mauve_core::HandleKind;
use mauve_sys::fs::cancellable::with_cancellation_disabled;

use crate::abi::*;
use crate::ffi::Ptr;
use crate::system::{Stream, error_stream};

#[unsafe(no_mangle)]
pub extern "C" fn uv_print_all_handles(loop_: Ptr<uv_loop_t>, stream: *mut Stream) {
    with_cancellation_disabled(|| print(loop_, stream, false));
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_print_active_handles(loop_: Ptr<uv_loop_t>, stream: *mut Stream) {
    with_cancellation_disabled(|| print(loop_, stream, true));
}

fn print(loop_: Ptr<uv_loop_t>, stream: *mut Stream, only_active: bool) {
    let loop_ = if loop_.is_null() {
        // SAFETY: the default loop is never freed.
        unsafe { Ptr::new(crate::loop_::uv_default_loop()) }
    } else {
        loop_
    };
    // Internal handles are printed with the addresses of unused fields of the loop.
    let internal = loop_.with(|loop_| loop_.internal_handles());
    let text = loop_.engine("uv_print_all_handles", |engine| {
        let mut text = String::new();
        let handles = engine.handles(true);
        // libuv's internal signal handle is active while there are children.
        let has_children = handles.iter().any(|(id, _)| {
            id.kind() == HandleKind::Process
                && engine.status(*id).is_some_and(|status| !status.closing)
        });
        for (id, _) in handles {
            let Some(mut status) = engine.status(id) else { continue };
            if status.internal && id.kind() == HandleKind::Signal {
                status.active = has_children;
            }
            if only_active && !status.active {
                continue;
            }
            let mark = |set, mark| if set { mark } else { '-' };
            let _ = writeln!(
                text,
                "[{}{}{}] {:<8} {:#x}",
                mark(status.referenced, 'R'),
                mark(status.active, 'A'),
                mark(status.internal, 'I'),
                id.kind().name(),
                match id.kind() {
                    HandleKind::Async if status.internal => internal.0,
                    HandleKind::Signal if status.internal => internal.1,
                    _ => status.token.0,
                },
            );
        }
        text
    });
    // SAFETY: a stream that the program passed, or stderr of the C library.
    unsafe {
        let stream = if stream.is_null() { error_stream() } else { stream };
        libc::fwrite(text.as_ptr().cast(), 1, text.len(), stream);
    }
}
