//! The help texts: `cargo xtask --help` and `cargo xtask COMMAND --help`.

/// A subcommand.
struct Usage {
    name: &'static str,
    /// One line for the list of all subcommands.
    summary: &'static str,
    /// The arguments, as in `usage: cargo xtask NAME ARGUMENTS`.
    arguments: &'static str,
    /// The description and the options.
    details: &'static str,
}

const COMMANDS: &[Usage] = &[
    Usage {
        name: "test",
        summary: "install what is missing, and run all tests and checks",
        arguments: "[--no-install] [--release-checks] [--only STEP,...] [--list]",
        details: "Installs what is missing: Debian packages with apt-get, as root or with sudo, and tools \
                  with cargo,\nrustup and npm. Prints the commands first. Then runs formatting, lints, all \
                  tests, loom models, and\nthe quick runs of guard, fuzz, faults, sanitize and programs: \
                  about 12 minutes on two cores.\nStops at the first step that fails. What needs a \
                  missing tool is skipped and counted.

  --no-install      install nothing
  --release-checks  also check what only releases need: packages, documents, pages in a browser,
                    other platforms and compilers, reproducible builds
  --only STEP       run only these steps, and install only what they need
  --list            list the steps",
    },
    Usage {
        name: "setup",
        summary: "install what the tests need, and run nothing",
        arguments: "",
        details: "Prints the commands first. `cargo xtask test` does the same before it runs its steps.",
    },
    Usage {
        name: "lint",
        summary: "lint the JavaScript",
        arguments: "",
        details: "Runs Biome from npm, in the version of package-lock.json.",
    },
    Usage {
        name: "package",
        summary: "check the packages of the published crates",
        arguments: "",
        details: "Checks their metadata, makes the packages, and compiles the crates from them.",
    },
    Usage {
        name: "bench",
        summary: "compare the speed with libuv, tokio, bare epoll and bare io_uring",
        arguments: "[--quick] [--save] [--system] [GROUP]",
        details: "Measures on one core and on two (benches/compare). The peer is the newest libuv, built \
                  from\nsource. Goals are also measured against libuv 1.52.

  GROUP      run only the workloads of groups with this in their name: tcp, timers, files, ...
             `scripts` compares `mauve run` with `node`, `trace` a program with and without a trace
  --quick    under two minutes instead of ten: fewer rounds and contenders
  --save     write the report to docs/bench (a full run, or `trace`)
  --system   compare with the system's libuv

Environment: LIBUV_DIR=DIR compares with DIR/libuv.so.1.",
    },
    Usage {
        name: "guard",
        summary: "compare the cost of the hot paths with the baseline",
        arguments: "[--bless]",
        details: "Counts system calls, allocations and instructions of the hot paths and compares them \
                  with\nbenches/guard.json. Fails if one has grown.

  --bless    write the new counts to benches/guard.json",
    },
    Usage {
        name: "fuzz",
        summary: "run random programs on libuv 1.52 and on mauve, and compare",
        arguments: "[js] [OPTIONS]",
        details: "Prints a minimised script for each difference.

  js                 run random scripts under node and `mauve run` (--seeds, --seed, --from,
                     --print-script)

  --seeds N          run N seeds (1000)
  --seed S           run only seed S
  --from S           start with seed S (0)
  --random           start with a seed that was not used before
  --only AREA,...    generate operations of these areas only: timer, tcp, fs, ...
  --system           compare with the system's libuv
  --libuv DIR        compare with DIR/libuv.so.1
  --library DIR      test DIR/libuv.so.1 instead of mauve
  --script FILE      run one script
  --print-script     print the script of the first seed, and exit
  --limit N          stop after about N differences (20)
  --show N           minimise and print N differences (5)",
    },
    Usage {
        name: "faults",
        summary: "make each system call of small programs fail, and check the outcome",
        arguments: "[WORKLOAD] [OPTIONS]",
        details: "One run for each system call, occurrence and error. A run fails if the program hangs, \
                  spins,\naborts, or loses an operation.

  WORKLOAD           run only this workload: tcp, files, children, ...
  --quick            three occurrences of each call, with two errors
  --call NAME        inject into this system call only
  --error E          inject this error only, such as EMFILE
  --when N           inject at occurrence N only
  --mode MODE        once: fail one call; after: make the call, then fail it;
                     on: fail this call and all later ones
  --verbose          list the errors that the programs reported

Environment: LIBUV_DIR=DIR runs the workloads on DIR/libuv.so.1.",
    },
    Usage {
        name: "sanitize",
        summary: "run the C tests under AddressSanitizer, ThreadSanitizer and valgrind",
        arguments: "[asan|tsan|valgrind] [NAME]",
        details: "asan and tsan need a nightly toolchain.

  NAME       run only the programs with this in their name
  --quick    run a few programs under valgrind, as `cargo xtask test` does",
    },
    Usage {
        name: "page",
        summary: "check the HTML page of a trace in headless Chromium",
        arguments: "[--bless]",
        details: "Opens pages of generated traces, one with a million callbacks, and uses them. Skipped \
                  without\nChromium.

  --bless    write the reference of the screenshot to xtask/page/regions.json",
    },
    Usage {
        name: "guide",
        summary: "build the guide, and check its programs, links and pages",
        arguments: "[--bless | --pictures]",
        details: "Runs the programs of docs/guide on libuv and on mauve and compares their outputs with the \
                  stored\nones, builds the pages with mdBook, and opens them in headless Chromium. Without \
                  Chromium,\nonly links are checked.

  --bless      store the outputs of the programs in docs/guide/programs
  --pictures   take pictures of their traces, for docs/guide/src/pictures",
    },
    Usage {
        name: "picture",
        summary: "take the README's picture of the page of a trace",
        arguments: "[PAGE [SCRIPT]]",
        details: "Writes docs/trace.png with headless Chromium. Without PAGE, traces Debian's node.

  PAGE       the page, such as the output of `mauve trace -o FILE.html`
  SCRIPT     JavaScript that prepares the page, such as `mauve.view.show(0, 1e6)`",
    },
    Usage {
        name: "programs",
        summary: "run programs of Debian's packages on mauve",
        arguments: "[NAME]",
        details: "Downloads the packages and unpacks them in the target folder. Installs nothing.

  NAME       run only this program: node, neovim, cmake, ...

Environment: LIBUV_DIR=DIR runs them on DIR/libuv.so.1.",
    },
    Usage {
        name: "node",
        summary: "run Debian's Node 18 on a libuv.so.1",
        arguments: "DIR [ARGUMENTS]",
        details: "Runs node with the arguments on DIR/libuv.so.1.",
    },
    Usage {
        name: "cross",
        summary: "check the crates for other platforms, and run them on other Linux platforms",
        arguments: "[TRIPLE] | --run [TRIPLE] [rust|c [NAME]]",
        details: "Type-checks and lints mauve-sys, mauve-core and mauve for macOS, the BSDs, illumos, \
                  and Linux on\naarch64, riscv64 and with musl, where mauve-uv is checked too. Needs \
                  Debian's packages\nrustc-web, cargo-web, rust-web-src and rust-web-clippy.

  TRIPLE     only this platform
  --run      run the tests of these crates and the C programs: for aarch64 and riscv64 under qemu
             (as root), and for musl natively; MUSL_LIBUV names the folder of a libuv for musl to
             compare with
  rust, c    run only the tests of the crates, or only the C programs
  NAME       run only tests with this in their name",
    },
    Usage {
        name: "kqueue",
        summary: "run the tests on Linux with kqueue, on libkqueue",
        arguments: "FOLDER [ARGUMENTS]",
        details: "Runs the tests of mauve-sys, mauve-core and mauve. FOLDER has a libkqueue.so: build \
                  libkqueue\noutside this repository (docs/platforms.md).

  ARGUMENTS  arguments of `cargo test`, instead of all tests: -p mauve --test net",
    },
    Usage {
        name: "generate",
        summary: "write the files that are generated from abi/",
        arguments: "[--check]",
        details: "Generates Rust tables and C headers from abi/*.json.

  --check    write nothing; fail if a file is out of date",
    },
    Usage {
        name: "layouts",
        summary: "measure the C structs on all architectures, with glibc and musl",
        arguments: "INCLUDE|--check",
        details: "Compiles the headers of libuv and writes abi/layout-*.json, from which `cargo xtask \
                  generate`\nmakes checks at compile time. Needs the packages gcc-aarch64-linux-gnu, \
                  gcc-riscv64-linux-gnu,\nlibc6-dev-arm64-cross, libc6-dev-riscv64-cross and \
                  musl-tools. Downloads the headers of musl\nfor aarch64 and riscv64, and installs \
                  nothing.

  INCLUDE    the folder `include` of libuv's source
  --check    write nothing; compare our headers with the files",
    },
    Usage {
        name: "install",
        summary: "install the library, its headers, and pkg-config and CMake files",
        arguments: "--prefix DIR [--libdir NAME] [--destdir DIR]",
        details: INSTALL,
    },
    Usage {
        name: "deb",
        summary: "build Debian packages of the library and the command",
        arguments: "[--library]",
        details: "Writes the packages to the folder `debian` of the target folder and prints their paths.

  --library    only the packages of the library",
    },
    Usage {
        name: "tarball",
        summary: "build an archive with install.sh, for other distributions",
        arguments: "",
        details: "Writes the archive to the folder `tarball` of the target folder and prints its path. \
                  Unpack it\nand run `./install.sh --help`.",
    },
    Usage {
        name: "sbom",
        summary: "list the crates that are part of the library and of the command",
        arguments: "",
        details: "Writes one list for each in the format CycloneDX (JSON) to the folder `sbom` of the target \
                  folder,\nand prints their paths.",
    },
    Usage {
        name: "reproduce",
        summary: "build the library twice, in different folders, and compare",
        arguments: "",
        details: "The second build is of a copy of the sources, with an empty target folder. Fails if a file \
                  differs.",
    },
    Usage {
        name: "chroot",
        summary: "try the packages, the archive and the set-up in a bare Debian",
        arguments: "[deb] [tarball] [setup]",
        details: "Needs root, debootstrap and a network. The root is created once, in the target folder. Each \
                  trial\nruns in a copy that vanishes with it.

  deb        install, switch and remove the Debian packages while a program runs
  tarball    install and remove the archive with its install.sh
  setup      the set-up of `cargo xtask test`, as root and as a plain user without a network",
    },
    Usage {
        name: "examples",
        summary: "build and run the examples in C, with make and CMake",
        arguments: "",
        details: "With mauve and with the system's libuv. Both must print the same lines.",
    },
];

const INSTALL: &str = "  --prefix DIR     the installation prefix, such as /usr/local
  --libdir NAME    the folder of libraries below the prefix (lib)
  --destdir DIR    install below this folder instead of / (for packagers)";

/// The list of all subcommands.
pub fn all() -> String {
    let mut text = "usage: cargo xtask COMMAND [OPTIONS]\n\n".to_owned();
    for command in COMMANDS {
        text += &format!("  {:<10} {}\n", command.name, command.summary);
    }
    text + "\n`cargo xtask COMMAND --help` describes a command."
}

/// The help text of a subcommand, if there is one of that name.
pub fn of(name: &str) -> Option<String> {
    let Usage { summary, arguments, details, .. } =
        COMMANDS.iter().find(|command| command.name == name)?;
    let line = format!("usage: cargo xtask {name} {arguments}");
    let summary = summary[..1].to_uppercase() + &summary[1..];
    Some(format!("{}\n\n{summary}.\n\n{details}", line.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_listed_and_has_a_help_text() {
        let list = all();
        for command in COMMANDS {
            assert!(list.contains(&format!("  {} ", command.name)), "{}", command.name);
            let text = of(command.name).expect("a help text");
            assert!(text.starts_with(&format!("usage: cargo xtask {}", command.name)), "{text}");
        }
        assert_eq!(of("weather"), None);
    }

    #[test]
    fn lines_fit_into_a_terminal() {
        for command in COMMANDS {
            let text = of(command.name).expect("a help text");
            let long = text.lines().find(|line| line.chars().count() > 100);
            assert_eq!(long, None, "{}", command.name);
        }
    }
}
