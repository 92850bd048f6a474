//! Memory on Linux.

use std::os::fd::{AsRawFd as _, BorrowedFd};

use crate::{Errno, net};

/// Sets the size of a file and allocates its blocks. `EOPNOTSUPP` if that is not possible.
pub(super) fn allocate(fd: BorrowedFd<'_>, size: u64) -> rustix::io::Result<()> {
    rustix::fs::fallocate(fd, rustix::fs::FallocateFlags::empty(), 0, size)
}

/// Reads from an address of this process into `buffer`. Returns `Some(false)` instead of faulting if
/// the memory is not mapped, and `None` if that is not known.
pub fn probe_memory(address: u64, buffer: &mut [u64]) -> Option<bool> {
    let size = size_of_val(buffer);
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: size };
    let remote = libc::iovec { iov_base: address as usize as *mut libc::c_void, iov_len: size };
    // SAFETY: the kernel writes only to `buffer`, and checks the remote address itself.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    match (read, Errno::last()) {
        (-1, Errno::EFAULT) => Some(false),
        // Some containers forbid the system call, and qemu-user does not have it.
        (-1, _) => probe_with_pipe(address, buffer),
        (read, _) => Some(read.cast_unsigned() == size),
    }
}

/// [`probe_memory`] with a pipe, whose kernel buffer the memory is copied to and from.
fn probe_with_pipe(address: u64, buffer: &mut [u64]) -> Option<bool> {
    let size = size_of_val(buffer);
    // An empty pipe accepts that much at once.
    if size > libc::PIPE_BUF {
        return None;
    }
    let [reader, writer] = net::pipe([true, true]).ok()?;
    // SAFETY: the kernel checks the address itself.
    let written = unsafe { libc::write(writer.as_raw_fd(), address as usize as *const _, size) };
    if written == -1 && Errno::last() != Errno::EFAULT {
        return None;
    }
    if written.cast_unsigned() != size {
        return Some(false);
    }
    // SAFETY: the kernel writes only to `buffer`.
    let read = unsafe { libc::read(reader.as_raw_fd(), buffer.as_mut_ptr().cast(), size) };
    Some(read.cast_unsigned() == size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_memory_is_read_and_unmapped_memory_does_not_fault() {
        for probe in [probe_memory, probe_with_pipe] {
            let value = 0x1234_5678_u64;
            let mut buffer = [0];
            assert_eq!(probe(std::ptr::from_ref(&value) as u64, &mut buffer), Some(true));
            assert_eq!(buffer, [value]);
            assert_eq!(probe(8, &mut buffer), Some(false));
        }
    }

    #[test]
    fn more_than_a_pipe_accepts_at_once_is_not_known() {
        let mut buffer = vec![0; libc::PIPE_BUF / size_of::<u64>() + 1];
        let address = buffer.as_ptr() as u64;
        assert_eq!(probe_with_pipe(address, &mut buffer), None);
    }
}
