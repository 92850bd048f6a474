//! `uv_os_uname`, `uv_os_gethostname`, `uv_uptime` and `uv_loadavg`.

use std::ffi::{CStr, c_char, c_int};

use mauve_sys::Errno;
use mauve_sys::os::machine::{self, Uname};

use crate::abi::uv_utsname_t;
use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_uname(out: Ptr<uv_utsname_t>) -> c_int {
    if out.is_null() {
        return negative(Errno::EINVAL);
    }
    let found = machine::uname();
    let names = found.as_ref().ok();
    let name = |name: fn(&Uname) -> &CStr| field(names.map_or(c"", name));
    out.write(uv_utsname_t {
        sysname: name(|names| &names.system),
        release: name(|names| &names.release),
        version: name(|names| &names.version),
        machine: name(|names| &names.machine),
    });
    code(found.map(drop))
}

/// Copies a string to an array, which is always large enough.
fn field<const N: usize>(text: &CStr) -> [c_char; N] {
    let mut field = [0; N];
    for (to, &from) in field[..N - 1].iter_mut().zip(text.to_bytes()) {
        *to = from as c_char;
    }
    field
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_gethostname(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || Ok(machine::hostname()?.into_bytes()))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_uptime(out: Ptr<f64>) -> c_int {
    out.write(machine::uptime().as_secs_f64());
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loadavg(out: Ptr<[f64; 3]>) {
    out.write(machine::load_average());
}
