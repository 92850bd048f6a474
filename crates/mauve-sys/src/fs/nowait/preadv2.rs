//! `preadv2` and `pwritev2`: of the C library, or as system calls with musl, which has them as functions
//! from 1.2.5 on.

cfg_if::cfg_if! {
    if #[cfg(target_env = "musl")] {
        use std::os::fd::RawFd;

        use libc::{c_int, c_long, iovec, off_t, ssize_t};

        /// # Safety
        /// As `preadv2` of glibc.
        pub unsafe fn preadv2(
            fd: RawFd,
            list: *const iovec,
            count: c_int,
            offset: off_t,
            flags: c_int,
        ) -> ssize_t {
            // SAFETY: the caller promises valid memory.
            unsafe { call(libc::SYS_preadv2, fd, list, count, offset, flags) }
        }

        /// # Safety
        /// As `pwritev2` of glibc.
        pub unsafe fn pwritev2(
            fd: RawFd,
            list: *const iovec,
            count: c_int,
            offset: off_t,
            flags: c_int,
        ) -> ssize_t {
            // SAFETY: the caller promises valid memory.
            unsafe { call(libc::SYS_pwritev2, fd, list, count, offset, flags) }
        }

        unsafe fn call(
            number: c_long,
            fd: RawFd,
            list: *const iovec,
            count: c_int,
            offset: off_t,
            flags: c_int,
        ) -> ssize_t {
            // The kernel takes the offset in two parts. On 64-bit systems the first one has all bits.
            let low = offset as c_long;
            let high = (offset >> 32) as c_long;
            let high = if size_of::<c_long>() < size_of::<off_t>() { high } else { 0 };
            // SAFETY: the caller promises valid memory.
            unsafe { libc::syscall(number, fd, list, count, low, high, flags) as ssize_t }
        }
    } else {
        pub(super) use libc::{preadv2, pwritev2};
    }
}
