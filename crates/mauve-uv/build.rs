//! Gives the shared library the name that programs linked with libuv ask the loader for, and keeps
//! it from asking for more libraries than libuv does.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libuv.so.1");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // The standard library looks for the functions that walk a stack in libgcc_s.so.1. Found
        // in the compiler's own archive before that, they take one library less to load, which
        // every start of a program would feel.
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
