//! Finds the libraries that the command carries, `libuv.so.1` and the preloaded objects.
//!
//! Cargo builds the shared libraries of dependencies, and completes them before it compiles the command,
//! which includes them as bytes. So they need no build of their own, and share all crates with the command.

use std::fs::File;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // OUT_DIR is `PROFILE/build/PACKAGE/out`, and the libraries are in `PROFILE/deps`.
    let built = out.ancestors().nth(3).map(|profile| profile.join("deps"));
    let built = built.filter(|folder| folder.is_dir()).unwrap_or(out);
    for (variable, name) in [
        ("MAUVE_LIBUV", "libuv.so"),
        ("MAUVE_REDIRECT", "libmauve_redirect.so"),
        ("MAUVE_CLOCK", "libmauve_clock.so"),
    ] {
        let path = built.join(name);
        create_if_missing(&path);
        println!("cargo:rustc-env={variable}={}", path.display());
    }
}

/// Creates an empty file if there is none. `cargo check` builds no libraries, and other systems name them
/// otherwise. The command treats an empty file as none.
fn create_if_missing(path: &Path) {
    match File::create_new(path) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => println!("cargo:warning={}: {error}", path.display()),
    }
}
