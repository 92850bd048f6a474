//! Keeps V8's log out of the working directory of a program.
//!
//! With the option that names functions, V8 also writes a log for each isolate, `isolate-...-v8.log`, which the
//! user did not ask for. `NODE_OPTIONS` cannot name another file, so this calls the function of V8 that can,
//! before the program begins: V8 refuses it later.

use std::ffi::{OsStr, c_char};
use std::os::unix::ffi::OsStrExt as _;

/// Set by the command that has turned the option on.
const VARIABLE: &str = "MAUVE_PERF_MAP";

/// A file without a name. V8 does not write to devices.
const FLAGS: &std::ffi::CStr = c"--no-logfile-per-isolate --logfile=+";

/// Lets V8 write its log to a file without a name, if the program has V8 and does not ask for the log itself.
pub fn hide() {
    if std::env::var_os(VARIABLE).is_none()
        || std::env::args_os().any(|option| is_about_log(&option))
    {
        return;
    }
    // SAFETY: a valid name.
    let function =
        unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_ZN2v82V818SetFlagsFromStringEPKc".as_ptr()) };
    if !function.is_null() {
        // SAFETY: `static void v8::V8::SetFlagsFromString(const char*)`, which copies the string. Flags
        // are initialised without constructors.
        unsafe {
            let set_flags: extern "C" fn(*const c_char) = std::mem::transmute(function);
            set_flags(FLAGS.as_ptr());
        }
    }
}

/// Whether an option of V8 needs the log.
fn is_about_log(option: &OsStr) -> bool {
    let option = option.as_bytes();
    [&b"--prof"[..], b"--log", b"--ll-prof"].iter().any(|begin| option.starts_with(begin))
}
