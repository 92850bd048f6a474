//! The steps of `cargo xtask test`.

use std::process::{Command, Stdio};

use super::command::{cargo, cargo_command, succeed, tests, tests_without};
use crate::setup::{Setup, Tool};
use crate::tally::Tally;
use crate::{
    api, cross, dist, examples, faults, fuzz, generate, guard, guide, layouts, lint, npm_packages,
    package, page, programs, sanitize, target, windows,
};

type Outcome = Result<Tally, String>;

/// A step.
#[derive(Debug)]
pub struct Step {
    /// The name that `--only` selects.
    pub name: &'static str,
    pub title: &'static str,
    /// The step is skipped without these tools.
    pub needs: &'static [Tool],
    /// The step skips a part of its checks without these tools.
    pub uses: &'static [Tool],
    /// Builds or downloads something ahead, while the tests leave a core idle. A failure is reported by
    /// `run`, which repeats it.
    pub prepare: fn(),
    pub run: fn(&Setup) -> Outcome,
}

const fn step(name: &'static str, title: &'static str, run: fn(&Setup) -> Outcome) -> Step {
    Step { name, title, needs: &[], uses: &[], prepare: || (), run }
}

/// The steps of every run: all checks of behaviour.
pub const STEPS: &[Step] = &[
    step("generated", "generated files", |_| generate::check().map(|()| Tally::passed(1))),
    Step { needs: &[Tool::Rustfmt], ..step("format", "format", |_| cargo("fmt --all --check")) },
    Step { needs: &[Tool::Biome], ..step("js-lints", "lints of JavaScript", |_| lint::run()) },
    Step {
        uses: &[
            Tool::C,
            Tool::CPlusPlus,
            Tool::Make,
            Tool::PkgConfig,
            Tool::CMake,
            Tool::Dpkg,
            Tool::Libuv,
            Tool::Node,
        ],
        // Also the examples in the documentation, and those of the crates, as programs.
        ..step("tests", "tests", |setup| {
            tests_without(&setup.skipped_tests(), &mut cargo_command("test --workspace --locked"))
        })
    },
    Step {
        uses: &[Tool::C, Tool::Libuv],
        ..step("poll", "the selector `poll`, and `SIGCHLD`", other_mechanisms)
    },
    Step {
        needs: &[Tool::Clippy],
        ..step("lints", "lints", |_| {
            cargo("clippy --workspace --all-targets --locked -- -D warnings")
        })
    },
    Step {
        prepare: || drop(crate::build::quietly(model_command("--no-run").stdin(Stdio::null()))),
        ..step("models", "loom models", |_| tests(&mut model_command("model")))
    },
    Step {
        needs: &[Tool::Make],
        uses: examples::TOOLS,
        ..step("examples", "examples in C", examples::run)
    },
    Step {
        uses: &[Tool::Strace, Tool::Valgrind],
        prepare: || drop(dist::build()),
        ..step("guard", "cost of hot paths", |_| guard::run(false))
    },
    step("fuzz", "random programs", |_| fuzz::run(&fuzz::Options::quick()).map(Tally::passed)),
    Step {
        needs: &[Tool::Node],
        ..step("fuzz-js", "random scripts", |_| {
            fuzz::js::run(&fuzz::js::Options::quick()).map(Tally::passed)
        })
    },
    Step {
        needs: &[Tool::Node],
        ..step("npm", "programs with a few packages of npm", |_| npm_packages::run(false))
    },
    step("faults", "fault injection", |_| faults::quick().map(Tally::passed)),
    Step {
        needs: &[Tool::Valgrind],
        ..step("valgrind", "valgrind", |_| sanitize::quick().map(Tally::passed))
    },
    Step {
        needs: &[Tool::Dpkg],
        uses: &[Tool::PackageLists],
        prepare: programs::download,
        ..step("programs", "programs of Debian's packages", |_| programs::run(None, None))
    },
];

/// The further steps of `--release-checks`: packages, documents, other platforms and compilers.
pub const RELEASE_STEPS: &[Step] = &[
    Step {
        uses: &[Tool::C, Tool::ForeignC],
        ..step("layouts", "layouts of the C structs", |_| layouts::check(false))
    },
    Step { needs: &[Tool::Clippy], ..step("features", "features", features) },
    Step {
        needs: &[Tool::CrossCompiler],
        ..step("cross", "other platforms", |_| cross::check_all().map(Tally::passed))
    },
    Step {
        needs: windows::TOOLS,
        ..step("windows", "crates on Windows, under wine", |_| windows::run(&[]))
    },
    Step {
        needs: &[Tool::Node],
        uses: &[Tool::Redis, Tool::Postgres],
        ..step("npm-all", "programs with popular packages of npm", |_| npm_packages::run(true))
    },
    step("ecosystem", "crates of the ecosystem", |_| {
        let test =
            "test --manifest-path ecosystem/Cargo.toml --target-dir target/ecosystem --locked";
        tests(&mut cargo_command(test))
    }),
    step("docs", "documentation", documentation),
    Step {
        needs: &[Tool::Chromium, Tool::Node],
        ..step("page", "page of a trace", |_| page::run(false))
    },
    Step {
        needs: &[Tool::C, Tool::Libuv],
        uses: &[Tool::Node, Tool::Chromium],
        ..step("guide", "guide", |_| guide::run(false))
    },
    Step {
        needs: &[Tool::C],
        uses: &[Tool::Node],
        ..step("races", "corpus of races", |_| {
            tests(&mut cargo_command(
                "test -p mauve-cli --test sim --test sim_own --locked -- --ignored",
            ))
        })
    },
    Step {
        needs: &[Tool::Nightly, Tool::PublicApi, Tool::SemverChecks],
        ..step("api", "API of the Rust crates", |_| api::check())
    },
    step("packages", "packages of the crates", |_| package::check().map(Tally::passed)),
    Step {
        needs: &[Tool::OldestCompiler],
        ..step("oldest", "oldest compiler", |_| {
            package::check_oldest_compiler().map(|()| Tally::passed(1))
        })
    },
    Step {
        needs: &[Tool::Deny],
        // Without advisories: their database is downloaded, and the result of this step must not
        // depend on the network.
        ..step("dependencies", "dependencies", |_| {
            cargo("deny --log-level warn check bans licenses sources")
        })
    },
    Step {
        needs: &[Tool::Dpkg],
        uses: &[Tool::Lintian],
        ..step("deb", "Debian packages", dist::check)
    },
    Step {
        needs: &[Tool::Dpkg],
        uses: &[Tool::PackageLists],
        ..step("portable", "library for an older glibc", |_| dist::portable::check())
    },
    Step {
        needs: &[Tool::Debootstrap],
        ..step("newest", "programs of Debian's newest suite", |_| programs::run_newest())
    },
    step("reproduce", "reproducible build", |_| dist::reproduce::run().map(Tally::passed)),
];

/// Tests the mechanisms of other systems that Linux has too: `poll` instead of epoll, and `SIGCHLD`
/// instead of pidfds.
fn other_mechanisms(setup: &Setup) -> Outcome {
    let mut tally = Tally::default();
    for (variable, value, rust, c) in [
        ("MAUVE_SELECTOR", "poll", "--test net --test udp", &["poll_matches", "pipe_matches"]),
        ("MAUVE_CHILD_EXIT", "sigchld", "--test process", &["process_matches", "signal_matches"]),
    ] {
        // With the features of the whole workspace, so that nothing is compiled again.
        let mut command = cargo_command(&format!("test --workspace {rust} --locked"));
        tally += tests(command.env(variable, value))?;
        let skipped = setup.skipped_tests();
        if let Some((_, why)) = skipped.into_iter().find(|(module, _)| *module == "needs_libuv::") {
            tally.skip(c.len(), why);
            continue;
        }
        let mut command = cargo_command("test --workspace --test differential --locked --");
        tally += tests(command.args(c).env(variable, value))?;
    }
    Ok(tally)
}

/// Checks and tests the features that are off by default.
fn features(_: &Setup) -> Outcome {
    let mut tally = cargo("clippy -p mauve --all-features --all-targets --locked -- -D warnings")?;
    tally += tests(&mut cargo_command("test -p mauve --all-features --test tracing --locked"))?;
    tally += cargo("clippy -p mauve-hyper --all-features --all-targets --locked -- -D warnings")?;
    let hyper = "test -p mauve-hyper --all-features --test client --test serve --locked";
    tally += tests(&mut cargo_command(hyper))?;
    Ok(tally)
}

/// Builds the documentation, as users and as maintainers do. A warning is an error.
fn documentation(_: &Setup) -> Outcome {
    let strict = flags("RUSTDOCFLAGS", "-D warnings");
    let mut tally = Tally::default();
    for items in ["", " --document-private-items"] {
        let command = format!("doc --workspace --lib --no-deps --locked --quiet{items}");
        tally += succeed(cargo_command(&command).env("RUSTDOCFLAGS", &strict))?;
    }
    Ok(tally)
}

/// The command for the loom models: code that crosses threads, in all interleavings. They are built with
/// another `cfg`, in a separate target folder, so that the two builds do not evict each other.
fn model_command(argument: &str) -> Command {
    let mut command = cargo_command("test -p mauve-sys -p mauve-core --lib --release --locked");
    command.arg(argument).env("RUSTFLAGS", flags("RUSTFLAGS", "--cfg loom"));
    command.env("CARGO_TARGET_DIR", target().join("loom"));
    command
}

/// The flags of an environment variable, and `more`.
fn flags(variable: &str, more: &str) -> String {
    format!("{} {more}", std::env::var(variable).unwrap_or_default()).trim().to_owned()
}
