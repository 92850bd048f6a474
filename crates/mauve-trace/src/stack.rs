//! The part of a thread's stack that is of the program: what a callback runs.

use mauve_sys::{CodeAddress, module_of};

use crate::Name;
use crate::generated::{Generated, GeneratedCode};

/// A frame of a stack.
pub(crate) enum Frame {
    /// A function of JavaScript.
    Script(Name),
    /// An address in native code.
    Native(CodeAddress),
    /// Generated code without a name.
    Unknown,
}

/// The frames of return addresses, the innermost first, up to the function that the library has called. With
/// functions of JavaScript, up to the outermost of these.
pub(crate) fn frames(addresses: &[u64], generated: &GeneratedCode) -> Vec<Frame> {
    let own = own_library();
    let is_own = |code: &CodeAddress| own.as_ref() == Some(&code.path);
    let mut frames = Vec::new();
    // The innermost frames may be those of a function of the library that the callback has called, and of the
    // C library or the kernel's module that this has called.
    let mut is_in_program = false;
    for address in addresses.iter().filter(|address| **address != 0) {
        let address = address - 1;
        match (generated.find(address), module_of(address)) {
            (Some(Generated::Function(name)), _) => frames.push(Frame::Script(name.clone())),
            (Some(Generated::Builtin), _) => {}
            (None, Some(code)) if is_own(&code) && is_in_program => break,
            (None, Some(code)) => {
                is_in_program |= !is_own(&code) && !is_c_library(&code);
                frames.push(Frame::Native(code));
            }
            // Native code without frame pointers below generated code leads to values that are no code.
            (None, None) if generated.is_known() => {}
            (None, None) => frames.push(Frame::Unknown),
        }
    }
    if let Some(last) = frames.iter().rposition(|frame| matches!(frame, Frame::Script(_))) {
        frames.truncate(last + 1);
    }
    frames
}

fn is_c_library(code: &CodeAddress) -> bool {
    let name = code.path.file_name().unwrap_or_default().to_string_lossy();
    ["libc.so", "libc-", "libpthread", "ld-musl", "linux-vdso"]
        .iter()
        .any(|begin| name.starts_with(begin))
}

/// The shared library that contains this function. `None` if the program contains it.
fn own_library() -> Option<std::path::PathBuf> {
    let own = module_of(frames as *const () as u64)?.path;
    (std::env::current_exe().ok()? != own).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_no_code_are_unknown_without_generated_code() {
        let own = frames as *const () as u64 + 1;
        let found = frames(&[own, 8, 0], &GeneratedCode::default());
        assert!(matches!(found[..], [Frame::Native(_), Frame::Unknown]));
    }
}
