//! `uv_print_all_handles` and `uv_print_active_handles`.

use std::fmt::Write as _;

use crate::abi::*;
use crate::ffi::Ptr;
use mauve_core::HandleKind;

#[export]
pub extern "C" fn uv_print_all_handles(of: Ptr<uv_loop_t>, stream: *mut libc::FILE) {
    print(of, stream, false);
}

#[export]
pub extern "C" fn uv_print_active_handles(of: Ptr<uv_loop_t>, stream: *mut libc::FILE) {
    print(of, stream, true);
}

fn print(of: Ptr<uv_loop_t>, stream: *mut libc::FILE, only_active: bool) {
    let of = if of.is_null() {
        // SAFETY: the default loop is never freed.
        unsafe { Ptr::new(crate::loop_::uv_default_loop()) }
    } else {
        of
    };
    // The loop's own handles have places in the struct, where nothing is.
    let own = of.with(|of| {
        let bell = std::ptr::from_ref(&of.wq_async) as usize as u64;
        (bell, std::ptr::from_ref(&of.child_watcher) as usize as u64)
    });
    let text = of.engine("uv_print_all_handles", |engine| {
        let mut text = String::new();
        for (id, _) in engine.handles(true) {
            let Some(status) = engine.status(id) else { continue };
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
                    HandleKind::Async if status.internal => own.0,
                    HandleKind::Signal if status.internal => own.1,
                    _ => status.token.0,
                },
            );
        }
        text
    });
    unsafe extern "C" {
        static stderr: *mut libc::FILE;
    }
    // SAFETY: the program's stream, or the C library's.
    unsafe {
        let stream = if stream.is_null() { stderr } else { stream };
        libc::fwrite(text.as_ptr().cast(), 1, text.len(), stream);
    }
}
