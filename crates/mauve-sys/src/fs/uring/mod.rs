//! io_uring, for batches of reads.

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        pub(super) use linux::Uring;
    } else {
        mod other;
        pub(super) use other::Uring;
    }
}
