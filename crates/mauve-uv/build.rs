//! Gives the shared library the name that programs linked with libuv ask the loader for, and keeps
//! it from asking for more libraries than libuv does.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libuv.so.1");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_{key}")).unwrap_or_default();
    let is_gnu = target("TARGET_OS") == "linux" && target("TARGET_ENV") == "gnu";
    if is_gnu && target("PANIC") == "abort" {
        // The standard library looks for the functions that walk a stack in libgcc_s.so.1. Found
        // in the compiler's own archive before that, they take one library less to load, which
        // every start of a program would feel. Without landing pads, they are only used for
        // backtraces. With them, a thread that is cancelled would unwind through two copies.
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
