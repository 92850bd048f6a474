//! How large the stack of a new thread is.

use rustix::process::{Resource, getrlimit};

/// What to fall back to when the limit says nothing, or nothing sensible.
const FALLBACK: usize = 2 << 20;

/// The size that the user's limit for the main stack asks for.
///
/// The C library reads that limit only once, when the program starts.
pub fn default_size() -> usize {
    from_limit(getrlimit(Resource::Stack).current, page_size(), minimum())
}

/// `size`, made acceptable: whole pages, and as many as the system insists on.
pub fn at_least(size: usize) -> usize {
    round_up(size, page_size()).max(minimum())
}

fn from_limit(limit: Option<u64>, page: usize, minimum: usize) -> usize {
    let size = limit.and_then(|limit| usize::try_from(limit).ok()).map(|limit| limit & !(page - 1));
    size.filter(|&size| size >= minimum).unwrap_or(FALLBACK)
}

/// A size too large to be rounded stays too large.
fn round_up(size: usize, page: usize) -> usize {
    size.checked_next_multiple_of(page).unwrap_or(usize::MAX & !(page - 1))
}

/// From the C library, which has it from the kernel. Asking the kernel's vector of facts oneself
/// means to find the kernel's own code in memory, and valgrind hides that.
pub(crate) fn page_size() -> usize {
    // SAFETY: asks for a number.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

fn minimum() -> usize {
    // SAFETY: asks for a number.
    let minimum = unsafe { libc::sysconf(libc::_SC_THREAD_STACK_MIN) };
    usize::try_from(minimum).unwrap_or(libc::PTHREAD_STACK_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_in_whole_pages_if_it_is_large_enough() {
        let size = |limit| from_limit(limit, 4096, 16384);
        assert_eq!(size(Some(8 << 20)), 8 << 20);
        assert_eq!(size(Some(100_000)), 98_304);
        assert_eq!([size(None), size(Some(0)), size(Some(16_383))], [FALLBACK; 3]);
    }

    #[test]
    fn an_explicit_size_is_rounded_up_and_never_wraps() {
        assert_eq!(round_up(1, 4096), 4096);
        assert_eq!(round_up(4096, 4096), 4096);
        assert_eq!(round_up(usize::MAX, 4096), usize::MAX - 4095);
    }
}
