//! C programs on two libraries: Debian's libuv and ours.
//!
//! Every `tests/c/<area>/*.c` is compiled once and run on both; what it prints and how it ends
//! must not differ. So the programs say what libuv does without a word about what it should do:
//! they print, and libuv is the expectation. Four kinds of program run on our library alone; their
//! first line says so:
//!
//! * `/* needs: 1.52 */`: uses something newer than Debian's libuv. It asserts, and must exit 0.
//!   If `NEWER_LIBUV` names a directory with a real `libuv.so.1` of that version, the program
//!   must exit 0 there too.
//! * `/* needs: mauve */`: does what crashes libuv, hangs there or loses data. It asserts, and must
//!   exit 0.
//! * `/* aborts: some text */`: misuses the library, and must be aborted with that text on stderr.
//!   ` ... ` stands for anything in between, ` /// ` for a later line.
//! * `/* says: some text */`: must exit 0, with that text on stderr.
//!
//! A second line `/* env: NAME=value */` sets something in the program's environment.

mod support;

use support::{Area, library};

/// One test for each area, so that they run side by side and can be chosen by name.
macro_rules! areas {
    ($($test:ident: $folder:literal,)*) => {
        $(
            #[test]
            fn $test() {
                Area::new($folder).check();
            }
        )*

        const AREAS: &[&str] = &[$($folder),*];
    };
}

areas! {
    loops_behave_as_libuvs_do: "loop",
    handles_of_any_kind_behave_as_libuvs_do: "handle",
    timers_behave_as_libuvs_do: "timer",
    idle_prepare_and_check_behave_as_libuvs_do: "hooks",
    asyncs_behave_as_libuvs_do: "async",
    polls_behave_as_libuvs_do: "poll",
    work_behaves_as_libuvs_does: "work",
    signals_behave_as_libuvs_do: "signal",
    processes_behave_as_libuvs_do: "process",
    file_system_events_behave_as_libuvs_do: "fs_event",
    threads_and_locks_behave_as_libuvs_do: "thread",
    answers_about_the_system_are_libuvs: "os",
    addresses_behave_as_libuvs_do: "address",
    name_resolution_behaves_as_libuvs_does: "dns",
    datagrams_behave_as_libuvs_do: "udp",
    streams_behave_as_libuvs_do: "stream",
    writes_of_one_callback_are_sent_in_order_as_libuvs_are: "cork",
    tcp_behaves_as_libuvs_does: "tcp",
    pipes_behave_as_libuvs_do: "pipe",
    passing_handles_behaves_as_libuvs_does: "ipc",
    terminals_behave_as_libuvs_do: "tty",
    files_behave_as_libuvs_do: "fs",
    the_library_does_nothing_unasked: "library",
    programs_that_tidy_up_twice_or_never_fare_as_with_libuv: "tidy",
    what_libuv_does_not_do_is_done: "differences",
    shortage_and_haste_break_nothing: "robust",
    misuse_is_named_and_aborts: "misuse",
}

/// Corking is opt-in, and no program may be able to tell.
#[test]
fn programs_cannot_tell_corked_writes() {
    for folder in ["cork", "stream", "tcp", "ipc"] {
        Area::new(folder).check_with("-corked", &[("MAUVE_CORK", "1")]);
    }
}

#[test]
fn every_folder_of_programs_has_a_test() {
    let mut folders = support::folders();
    folders.retain(|folder| !AREAS.contains(&folder.as_str()));
    assert!(folders.is_empty(), "no test runs the programs in {folders:?}");
}

#[test]
fn the_two_libraries_are_the_ones_they_are_taken_for() {
    let [debian, ours] = support::versions();
    assert!(debian.starts_with("1.") && !debian.contains("mauve"), "Debian's is {debian:?}");
    assert!(ours.contains("mauve"), "ours ({}) is {ours:?}", library::ours().display());
}
