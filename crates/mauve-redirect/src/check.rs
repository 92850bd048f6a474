//! Whether mauve can replace the libuv of an object. The checks call functions of that libuv which only
//! return numbers.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::fmt;

use crate::objects::{Function, Object};

/// Functions that every libuv has. Where one is missing, the object hides functions that it uses itself.
const REQUIRED: [&CStr; 9] = [
    c"uv_close",
    c"uv_default_loop",
    c"uv_handle_size",
    c"uv_loop_close",
    c"uv_loop_init",
    c"uv_loop_size",
    c"uv_now",
    c"uv_req_size",
    c"uv_walk",
];

/// The numbers of types of handles and requests are below this one.
const TYPES: c_int = 32;

/// The version of a libuv.
pub struct Version {
    number: u32,
    text: String,
    is_mauve: bool,
}

impl Version {
    pub fn is_mauve(&self) -> bool {
        self.is_mauve
    }

    fn major(&self) -> u32 {
        self.number >> 16
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether an object exports the functions of a libuv. Bun exports them, too, but most of them only end the
/// program, and have the same code.
pub fn has_libuv(object: &Object) -> bool {
    let Some(Function { size, .. }) = object.find(c"uv_run") else { return false };
    let is_same = |name| object.find(name).is_some_and(|function| function.size == size);
    size == 0 || ![c"uv_loop_init", c"uv_walk"].into_iter().all(is_same)
}

/// The version of the libuv in an object.
pub fn version(object: &Object) -> Result<Version, String> {
    let function = |name: &'static CStr| match object.find(name) {
        Some(function) if function.is_indirect => Err(indirect(name)),
        Some(function) => Ok(function.address),
        None => Err(format!("it does not export {}", name.to_string_lossy())),
    };
    let (number, text) = (function(c"uv_version")?, function(c"uv_version_string")?);
    // SAFETY: libuv's functions have these types. They return a constant.
    let (number, text) = unsafe {
        let number: extern "C" fn() -> c_uint = std::mem::transmute(number);
        let text: extern "C" fn() -> *const c_char = std::mem::transmute(text);
        (number(), CStr::from_ptr(text()))
    };
    let is_mauve = has_name(text);
    Ok(Version { number, text: text.to_string_lossy().into_owned(), is_mauve })
}

/// The message for a function that the loader chooses.
pub fn indirect(name: &CStr) -> String {
    format!("its function {} is an indirect one (IFUNC)", name.to_string_lossy())
}

/// Whether a version is followed by the name of mauve, as that of our library is, in the same page.
fn has_name(version: &CStr) -> bool {
    const NAME: &[u8] = b"mauve\0";
    const PAGE: usize = 4096;
    let end = version.as_ptr() as usize + version.count_bytes() + 1;
    if !(1..=PAGE - NAME.len()).contains(&(end % PAGE)) {
        return false;
    }
    // SAFETY: the bytes are in the page of the string's last byte.
    let after = unsafe { std::slice::from_raw_parts(end as *const u8, NAME.len()) };
    after == NAME
}

/// Checks that programs for the libuv in `object` can use that of `library`.
pub fn compatible(object: &Object, version: &Version, library: &Object) -> Result<(), String> {
    if version.major() != 1 {
        return Err(format!("it is version {version}, and mauve replaces 1.x only"));
    }
    if let Some(missing) = REQUIRED.iter().find(|name| object.find(name).is_none()) {
        return Err(format!(
            "it does not export {}: link the program with -rdynamic, or with a shared libuv",
            missing.to_string_lossy()
        ));
    }
    let ours = self::version(library)?;
    if version.number > ours.number {
        let mut public = object.functions().map(|(name, _)| name).filter(|name| is_public(name));
        if let Some(new) = public.find(|name| library.find(name).is_none()) {
            return Err(format!(
                "it is version {version}, and mauve has no {}: use a newer mauve",
                new.to_string_lossy()
            ));
        }
    }
    same_sizes(object, library, version)
}

fn is_public(name: &CStr) -> bool {
    name.to_bytes().starts_with(b"uv_") && !name.to_bytes().starts_with(b"uv__")
}

/// Checks that the structs which programs allocate have mauve's sizes. Those of forks may differ.
fn same_sizes(object: &Object, library: &Object, version: &Version) -> Result<(), String> {
    for what in [c"uv_loop_size", c"uv_handle_size", c"uv_req_size"] {
        let [theirs, ours] = [object, library].map(|object| size_function(object, what));
        let (theirs, ours) = theirs.zip(ours).ok_or("a function for sizes is missing")?;
        for kind in 0..TYPES {
            let (theirs, ours) = (theirs(kind), ours(kind));
            // A type that this version does not know has no size.
            if theirs != ours && theirs != usize::MAX {
                return Err(format!(
                    "it is a variant of libuv {version} with other structs: {}({kind}) is {theirs}, \
                     not {}",
                    what.to_string_lossy(),
                    ours as isize
                ));
            }
        }
    }
    Ok(())
}

fn size_function(object: &Object, name: &CStr) -> Option<extern "C" fn(c_int) -> usize> {
    let address = object.find(name)?.address;
    // SAFETY: libuv's functions have this type. That of the loop has no argument, and ignores it.
    Some(unsafe { std::mem::transmute::<usize, extern "C" fn(c_int) -> usize>(address) })
}
