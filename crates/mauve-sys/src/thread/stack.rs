//! The stack size of new threads.

use rustix::process::{Resource, getrlimit};

/// The size if the resource limit is unlimited or too small.
const FALLBACK: usize = 2 << 20;

/// The least minimum, as in libuv. That of musl is too small for signal handlers.
const LEAST: usize = 8 << 10;

/// The minimum if the system does not report one.
const MINIMUM: usize = 16 << 10;

/// The default stack size: the current resource limit (`RLIMIT_STACK`), as in libuv.
///
/// The C library reads the limit only once, when the program starts.
pub fn default_size() -> usize {
    from_limit(getrlimit(Resource::Stack).current, page_size(), minimum())
}

/// Rounds `size` up to whole pages and to the minimum stack size.
pub fn round_size(size: usize) -> usize {
    round_up(size, page_size()).max(minimum())
}

fn from_limit(limit: Option<u64>, page: usize, minimum: usize) -> usize {
    let size = limit.and_then(|limit| usize::try_from(limit).ok()).map(|limit| limit & !(page - 1));
    size.filter(|&size| size >= minimum).unwrap_or(FALLBACK)
}

/// Rounds up to whole pages. Zero if that overflows, as in libuv, so the minimum is used.
fn round_up(size: usize, page: usize) -> usize {
    size.checked_next_multiple_of(page).unwrap_or(0)
}

/// The page size. Calls `sysconf`, because rustix reads the auxiliary vector and looks for the vDSO,
/// which valgrind hides.
pub(crate) fn page_size() -> usize {
    // SAFETY: `sysconf` takes and returns a number.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

fn minimum() -> usize {
    // SAFETY: `sysconf` takes and returns a number.
    let minimum = unsafe { libc::sysconf(libc::_SC_THREAD_STACK_MIN) };
    usize::try_from(minimum).unwrap_or(MINIMUM).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_rounded_down_to_whole_pages() {
        let size = |limit| from_limit(limit, 4096, 16384);
        assert_eq!(size(Some(8 << 20)), 8 << 20);
        assert_eq!(size(Some(100_000)), 98_304);
        assert_eq!([size(None), size(Some(0)), size(Some(16_383))], [FALLBACK; 3]);
    }

    #[test]
    fn an_explicit_size_is_rounded_up_and_zero_if_it_overflows() {
        assert_eq!(round_up(1, 4096), 4096);
        assert_eq!(round_up(4096, 4096), 4096);
        assert_eq!(round_up(usize::MAX - 4095, 4096), usize::MAX - 4095);
        assert_eq!(round_up(usize::MAX, 4096), 0);
    }
}
