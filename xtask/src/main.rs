//! The project's chores. `cargo xtask` lists them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod bench;
mod build;
mod cross;
mod dist;
mod faults;
mod fuzz;
mod generate;
mod guard;
mod lint;
mod programs;
mod sanitize;
mod test;
mod tools;

const USAGE: &str = "usage: cargo xtask <chore>

  generate           make the tables that come from abi/
  generate --check   tell whether they are what it would make
  test               run all tests and checks
  lint               lint the JavaScript, with Biome from npm
  programs [NAME]    run programs of Debian's packages on our library (they are downloaded and
                     unpacked under the target folder, not installed; with LIBUV_DIR on the
                     libuv.so.1 of that folder, to compare)
  sanitize [asan|tsan|valgrind] [NAME]   run the C programs of the tests under a tool that sees
                     misuse of memory or races; NAME picks programs (asan and tsan need a nightly
                     toolchain); --quick: the few under valgrind that are part of `test`
  cross [--run]      compile for aarch64, with a nightly toolchain and its rust-src; with --run,
                     run the engine's tests there under qemu-aarch64
  bench [--quick] [--save] [--system] [NAME]
                     measure side by side with libuv, tokio, bare epoll and io_uring, on one core
                     and on two (benches/compare). NAME selects a group of workloads, --save
                     writes the report to docs/bench. The peer is the newest libuv, built from
                     source; goals are also measured against libuv 1.52. --system selects the
                     system's libuv as the peer, LIBUV_DIR the libuv.so.1 of a folder. NAME
                     `scripts` compares mauve run with node
  node DIR ARGS..    run Debian's Node on the libuv.so.1 of a folder
  faults [--quick] [WORKLOAD] [--call NAME] [--error E] [--when N] [--mode once|after|on]
                     make each system call of small programs fail, at each occurrence, and see
                     that nothing hangs, spins, aborts or is lost silently; with LIBUV_DIR on the
                     libuv.so.1 of that folder, to compare; --verbose lists what was reported
  fuzz [--seeds N] [--seed S] [--from S] [--random] [--only AREA,...] [--system]
                     run random programs on libuv 1.52 and on our library, and print where they
                     behave differently; --seed runs one, --random takes seeds that are new,
                     --system compares with the libuv that programs find here. --libuv DIR and
                     --library DIR name folders with another libuv.so.1 to compare with and to
                     test; --script FILE runs one script
  guard [--bless]    compare the hot paths' system calls, allocations and instructions with
                     those noted in benches/guard.json; --bless notes the new ones
  install --prefix DIR [--libdir NAME] [--destdir DIR]   the library, its headers, and the
                     files for pkg-config and CMake
  deb                make Debian packages of them, under the target folder";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["test"] => test::run(),
        ["lint"] => lint::run().map(drop),
        ["programs"] => programs::run(None).map(drop),
        ["programs", name] => programs::run(Some(name)).map(drop),
        ["sanitize", arguments @ ..] => sanitize::run(arguments),
        ["faults", arguments @ ..] => faults::run(arguments),
        ["install", arguments @ ..] => dist::install::run(arguments),
        ["fuzz", options @ ..] => {
            fuzz::Options::parse(options).and_then(|options| fuzz::run(&options)).map(drop)
        }
        ["deb"] => dist::deb::run(),
        ["cross"] => cross::run(false),
        ["cross", "--run"] => cross::run(true),
        ["guard"] => guard::run(false).map(drop),
        ["guard", "--bless"] => guard::run(true).map(drop),
        ["bench", options @ ..] => bench::run(options),
        ["node", library, arguments @ ..] => bench::node(library, arguments),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the root").to_owned()
}

/// The target folder: this program stands in the folder of its profile.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    program.ancestors().nth(2).expect("target/debug/xtask").to_owned()
}
