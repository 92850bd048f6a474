//! Differential tests: C programs run on Debian's libuv and on ours.
//!
//! Every `tests/c/<area>/*.c` is compiled once and run on both libraries. The output and the exit
//! status must be the same. So the programs print what happens and contain no expected results:
//! libuv is the reference. Four kinds of program run on our library alone, marked by a first line:
//!
//! * `/* needs: 1.53 */`: uses a feature, or shows a behaviour, that is newer than Debian's libuv. It
//!   must exit with 0, so it may contain assertions, and print what a file `NAME.out` beside it
//!   contains, which was recorded on that version. If `NEWER_LIBUV` names a directory with its
//!   `libuv.so.1`, the program must do so there, too.
//! * `/* needs: mauve */`: crashes or hangs on libuv, or loses data there. It contains assertions
//!   and must exit with 0.
//! * `/* aborts: some text */`: misuses the library, and must abort with that text on stderr.
//!   ` ... ` matches anything on the line, ` /// ` continues on a later line.
//! * `/* stderr: some text */`: must exit with 0, with that text on stderr.
//!
//! Programs that start with `/* errors:` state the errors which the guide lists. Their assertions hold
//! on both libraries, and on `NEWER_LIBUV`.
//!
//! A first or second line `/* env: NAME=value */` sets environment variables of the program. Programs
//! that test epoll have `MAUVE_SELECTOR=epoll`, so that all others can run with `poll`.

mod support;

use support::{Area, library};

/// Defines one test per area, so that areas run in parallel and can be selected by name.
macro_rules! areas {
    ($list:ident: $($test:ident: $area:literal,)*) => {
        $(
            #[test]
            fn $test() {
                Area::new($area).check();
            }
        )*

        const $list: &[&str] = &[$($area),*];
    };
}

/// Programs that are compared with libuv. `cargo xtask test` skips this module where there is none.
mod needs_libuv {
    use super::*;

    areas! {
        COMPARED:
        loop_matches_libuv: "loop",
        handle_matches_libuv: "handle",
        timer_matches_libuv: "timer",
        idle_prepare_and_check_match_libuv: "idle_prepare_check",
        async_matches_libuv: "async",
        poll_matches_libuv: "poll",
        work_matches_libuv: "work",
        signal_matches_libuv: "signal",
        process_matches_libuv: "process",
        fs_event_and_fs_poll_match_libuv: "fs_event",
        thread_and_locks_match_libuv: "thread",
        os_functions_match_libuv: "os",
        address_conversion_matches_libuv: "address",
        dns_matches_libuv: "dns",
        udp_matches_libuv: "udp",
        stream_matches_libuv: "stream",
        tcp_matches_libuv: "tcp",
        pipe_matches_libuv: "pipe",
        ipc_matches_libuv: "ipc",
        tty_matches_libuv: "tty",
        fs_matches_libuv: "fs",
        loading_the_library_has_no_side_effects: "library",
        misuse_that_libuv_tolerates_is_tolerated: "tolerated",
        exhausted_resources_return_errors: "exhaustion",
        documented_errors_are_those_of_libuv: "errors",
    }

    /// `cargo xtask test` skips this module where there is no C++ compiler, too.
    mod needs_cplusplus {
        use super::*;

        areas! {
            IN_CPLUSPLUS:
            exceptions_match_libuv: "cplusplus",
        }

        #[test]
        fn every_program_in_cplusplus_is_in_its_area() {
            let has = |area: &str| {
                let sources = support::sources(&support::root().join(area));
                sources.iter().any(|source| source.extension().is_some_and(|end| end == "cc"))
            };
            let areas: Vec<String> =
                support::areas().into_iter().filter(|area| has(area)).collect();
            assert_eq!(areas, IN_CPLUSPLUS);
        }
    }

    #[test]
    fn every_program_directory_has_a_test() {
        let mut areas = support::areas();
        let tested = [COMPARED, ALONE, &["cplusplus"]].concat();
        areas.retain(|area| !tested.contains(&area.as_str()));
        assert!(areas.is_empty(), "no test runs the programs in {areas:?}");
    }

    #[test]
    fn each_program_loads_the_intended_library() {
        let [debian, ours] = support::loaded();
        let path = library::ours().canonicalize().expect("our library's directory");
        let is_ours = |loaded: &str| loaded.starts_with(&*path.to_string_lossy());
        assert!(!is_ours(&debian) && is_ours(&ours), "Debian's is {debian:?}, ours {ours:?}");
    }
}

areas! {
    ALONE:
    documented_differences_hold: "differences",
    misuse_aborts_with_a_message: "misuse",
}
