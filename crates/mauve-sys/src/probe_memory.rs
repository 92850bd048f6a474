//! Reading memory of this process that may not be mapped.

/// Reads from an address of this process into `buffer`. Returns `Some(false)` instead of faulting if
/// the memory is not mapped, and `None` if the system forbids `process_vm_readv`.
pub fn probe_memory(address: u64, buffer: &mut [u64]) -> Option<bool> {
    let size = size_of_val(buffer);
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: size };
    let remote = libc::iovec { iov_base: address as usize as *mut libc::c_void, iov_len: size };
    // SAFETY: the kernel writes only to `buffer`, and checks the remote address itself.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    if read < 0 {
        return (crate::Errno::last() == crate::Errno::EFAULT).then_some(false);
    }
    Some(read.cast_unsigned() == size)
}

#[cfg(test)]
mod tests {
    use super::probe_memory;

    #[test]
    fn mapped_memory_is_read_and_unmapped_memory_does_not_fault() {
        let value = 0x1234_5678_u64;
        let mut buffer = [0];
        let mapped = probe_memory(std::ptr::from_ref(&value) as u64, &mut buffer);
        // Some containers forbid the system call.
        if mapped.is_some() {
            assert_eq!((mapped, buffer), (Some(true), [value]));
            assert_eq!(probe_memory(8, &mut buffer), Some(false));
        }
    }
}
