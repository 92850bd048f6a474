//! `uv_dlopen`, `uv_dlsym`, `uv_dlclose` and `uv_dlerror`.

#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod windows;
