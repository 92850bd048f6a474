//! Compares the errors that the texts list with those that C programs provoke.
//!
//! `crates/mauve-uv/tests/c/errors` states errors of functions as `FAILS(function, error, call)`, and its
//! test runs these programs on libuv and on mauve. So a listed error is one that libuv returns.

use std::collections::BTreeSet;

use super::api;
use crate::files::{below, read};
use crate::root;

/// A function and one of its errors.
type Pair = (String, String);

/// Errors that are listed and not provoked, with the reason. An empty name stands for all functions.
const UNPROVOKED: &[(&str, &str, &str)] = &[
    ("", "UV_ENOMEM", "memory would have to be exhausted"),
    ("", "UV_EAI_AGAIN", "a name server would have to fail"),
    ("", "UV_EAI_FAIL", "a name server would have to fail"),
    ("uv_getaddrinfo", "UV_EAI_NODATA", "a name server would have to know the name"),
    ("uv_getaddrinfo", "UV_EAI_MEMORY", "memory would have to be exhausted"),
    ("uv_getnameinfo", "UV_EAI_NONAME", "a name server would have to be there"),
    ("uv_fs_access", "UV_EROFS", "needs a file system without write access"),
    ("uv_fs_copyfile", "UV_ENOSPC", "needs a full file system; /dev/full would get another mode"),
    ("uv_fs_event_start", "UV_ENOSPC", "the limit belongs to the user and not to the process"),
    ("uv_fs_event_start", "UV_ENOBUFS", "reported by mauve alone"),
    ("uv_fs_fdatasync", "UV_EIO", "needs a broken disk"),
    ("uv_fs_fsync", "UV_EIO", "needs a broken disk"),
    ("uv_fs_sendfile", "UV_EIO", "needs a broken disk"),
    ("uv_process_kill", "UV_EPERM", "needs a child with the user id of another user, so root"),
    ("uv_thread_setpriority", "UV_EPERM", "needs a thread of another user"),
    ("uv_os_get_passwd", "UV_ENOENT", "needs root, to become a user without an entry"),
    ("uv_os_homedir", "UV_ENOENT", "needs root, to become a user without an entry"),
    ("uv_tcp_bind", "UV_EACCES", "systems differ in the ports that need privileges"),
    ("uv_tcp_connect", "UV_EHOSTUNREACH", "needs a network with an absent host"),
    ("uv_tcp_connect", "UV_ETIMEDOUT", "takes seconds, and needs a peer that does not answer"),
    ("uv_listen", "UV_EMFILE", "reported by mauve alone"),
    ("uv_listen", "UV_ENFILE", "reported by mauve alone"),
    ("uv_queue_work", "UV_EAGAIN", "returned by mauve alone"),
    ("uv_tty_set_mode", "UV_EINVAL", "returned by mauve alone"),
    ("uv_tty_reset_mode", "UV_EBUSY", "needs a signal at one moment"),
    ("uv_resident_set_memory", "UV_EINVAL", "needs a broken /proc"),
];

/// The errors that the programs state.
fn provoked() -> Result<BTreeSet<Pair>, String> {
    let mut pairs = BTreeSet::new();
    for path in below(&root().join("crates/mauve-uv/tests/c/errors"))? {
        let text = read(&path)?;
        for call in text.split("FAILS(").skip(1) {
            let mut words = call.splitn(3, ',').map(|word| word.trim().to_owned());
            if let (Some(function), Some(error)) = (words.next(), words.next())
                && error.starts_with("UV_E")
            {
                pairs.insert((function, error));
            }
        }
    }
    Ok(pairs)
}

/// Checks that both lists are the same. Returns the number of errors that are provoked.
pub fn check() -> Result<usize, String> {
    let provoked = provoked()?;
    let pages = api::pages()?;
    let sections = pages.iter().flat_map(|page| &page.sections);
    let listed = sections.flat_map(|section| {
        section.constants().into_iter().map(|error| (section.name.clone(), error))
    });
    let listed: BTreeSet<Pair> = listed.collect();
    let reason = |(function, error): &Pair| {
        let mut rows = UNPROVOKED.iter();
        rows.find(|row| (row.0.is_empty() || row.0 == function) && row.1 == error)
    };
    let mut found = Vec::new();
    for pair in provoked.difference(&listed) {
        found.push(format!("{} returns {}, which its text does not list", pair.0, pair.1));
    }
    for pair in listed.difference(&provoked).filter(|pair| reason(pair).is_none()) {
        found.push(format!("no program provokes {} of {}", pair.1, pair.0));
    }
    for row in UNPROVOKED {
        if !listed.difference(&provoked).any(|pair| reason(pair) == Some(row)) {
            found.push(format!("the exception {} {} is not needed", row.0, row.1));
        }
    }
    if found.is_empty() { Ok(provoked.len()) } else { Err(found.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_errors_are_provoked_by_programs_that_run_on_libuv() {
        let count = check().unwrap_or_else(|why| panic!("{why}"));
        assert!(count > 0);
    }
}
