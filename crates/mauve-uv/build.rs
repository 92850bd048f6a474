//! Sets the soname of the shared library to that of libuv, and links the unwinder statically, so that
//! the library depends only on the C library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if target("OS") == "windows" {
        return;
    }
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libuv.so.1");
    if target("OS") == "linux" && target("ENV") == "gnu" {
        // The standard library takes the unwinder from libgcc_s.so.1 by default. The static archive
        // saves loading that library at every program start.
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
