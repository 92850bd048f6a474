//! Reading memory of this process that may not be there.

/// Reads words at an address of this process, without a fault if nothing is mapped there: then the
/// answer is `Some(false)`. `None` if the system does not let anybody look.
pub fn peek(address: u64, into: &mut [u64]) -> Option<bool> {
    let size = size_of_val(into);
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: size };
    let remote = libc::iovec { iov_base: address as usize as *mut libc::c_void, iov_len: size };
    // SAFETY: the kernel writes to `into` only, and checks the other address itself.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    if read < 0 {
        return (crate::Errno::last() == crate::Errno::EFAULT).then_some(false);
    }
    Some(read.cast_unsigned() == size)
}

#[cfg(test)]
mod tests {
    use super::peek;

    #[test]
    fn what_is_there_is_read_and_what_is_not_is_no_fault() {
        let word = 0x1234_5678_u64;
        let mut found = [0];
        let answer = peek(std::ptr::from_ref(&word) as u64, &mut found);
        // Where containers forbid the call there is nothing to be seen.
        if answer.is_some() {
            assert_eq!((answer, found), (Some(true), [word]));
            assert_eq!(peek(8, &mut found), Some(false));
        }
    }
}
