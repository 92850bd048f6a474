//! mauve's library, and what replaces the functions of an object.

use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::objects::{self, Function, Object, Seen};

/// The environment variable with the path of mauve's library.
const VARIABLE: &str = "MAUVE_LIB";

/// The name of the library beside this object.
const NAME: &str = "libuv.so.1";

/// Functions of libuv that are not in `uv.h`, but which programs call.
///
/// * `uv__node_patch_is_using_io_uring` is of Node 20. Node calls it before it changes the user id, because
///   a thread of the kernel that polls a ring keeps the old one. mauve starts no such thread, but Node
///   refuses the change whenever a program has asked for rings.
const INTERNAL: [(&CStr, extern "C" fn(*mut c_void) -> c_int); 1] =
    [(c"uv__node_patch_is_using_io_uring", is_using_io_uring)];

extern "C" fn is_using_io_uring(_loop: *mut c_void) -> c_int {
    static WANTED: OnceLock<bool> = OnceLock::new();
    let is_wanted =
        || is_positive(std::env::var_os("UV_USE_IO_URING").unwrap_or_default().as_bytes());
    c_int::from(*WANTED.get_or_init(is_wanted))
}

/// Whether a text begins with a number above 0.
fn is_positive(text: &[u8]) -> bool {
    let digits = text.trim_ascii_start();
    let digits = digits.strip_prefix(b"+").unwrap_or(digits);
    digits.iter().take_while(|digit| digit.is_ascii_digit()).any(|digit| *digit != b'0')
}

/// A function of an object, and the address that it shall jump to.
pub struct Replacement {
    pub name: &'static CStr,
    pub function: Function,
    pub target: usize,
}

/// mauve's library. It is never unloaded.
pub struct Library {
    object: Object,
}

impl Library {
    /// Loads the library, invisible to the rest of the program.
    pub fn load() -> Result<Self, String> {
        let path = path()?;
        // Not with RTLD_DEEPBIND: the library would have another `environ` than the program.
        let address = objects::load(&path, c"uv_run")?;
        let found = objects::loaded(&mut Seen::new(), |object| object.contains(address)).pop();
        let object = found.ok_or("mauve's library is not in the list of objects")?;
        if !crate::check::version(&object)?.is_mauve() {
            return Err(format!("{} is not mauve's library", path.to_string_lossy()));
        }
        Ok(Self { object })
    }

    /// The library as an object of the program.
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// The functions of an object that this library has, too.
    pub fn replacements(&self, object: &Object) -> Result<Vec<Replacement>, String> {
        let own = self.object.functions().filter(|(name, _)| name.to_bytes().starts_with(b"uv_"));
        let own = own.map(|(name, function)| (name, function.address));
        let internal = INTERNAL.map(|(name, function)| (name, function as *const () as usize));
        let found = own.chain(internal).filter_map(|(name, target)| {
            Some(Replacement { name, function: object.find(name)?, target })
        });
        let mut found: Vec<_> = found.collect();
        if let Some(Replacement { name, .. }) =
            found.iter().find(|found| found.function.is_indirect)
        {
            return Err(crate::check::indirect(name));
        }
        found.sort_by_key(|replacement| replacement.function.address);
        for pair in found.windows(2) {
            // A linker may fold functions with identical code.
            if pair[0].function.address == pair[1].function.address {
                let [one, other] = [pair[0].name, pair[1].name].map(CStr::to_string_lossy);
                return Err(format!("its functions {one} and {other} share their code"));
            }
        }
        Ok(found)
    }
}

/// The path of the library. A program with more rights than its user has does not load this object.
fn path() -> Result<CString, String> {
    let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = match named {
        Some(path) => path,
        None => {
            let own = objects::path_of(path as *const () as usize)
                .ok_or("the path of this object is unknown: set MAUVE_LIB")?;
            PathBuf::from(std::ffi::OsStr::from_bytes(own.to_bytes())).with_file_name(NAME)
        }
    };
    let path = if path.is_dir() { path.join(NAME) } else { path };
    CString::new(path.into_os_string().into_vec()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_wanted_by_a_positive_number() {
        for text in ["1", " 1", "+2", "01", "10 "] {
            assert!(is_positive(text.as_bytes()), "{text}");
        }
        for text in ["", "0", "00", "-1", "yes", "x1"] {
            assert!(!is_positive(text.as_bytes()), "{text}");
        }
    }
}
