//! The command line: `cargo xtask --help` and `cargo xtask COMMAND --help`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

/// The definition of all commands.
pub fn command() -> Command {
    Command::new("cargo xtask")
        .bin_name("cargo xtask")
        .about("The development tasks of mauve")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(testing())
        .subcommands(searching())
        .subcommands(documents())
        .subcommands(platforms())
        .subcommands(distribution())
}

/// Whether a flag is given.
pub fn has(matches: &ArgMatches, name: &str) -> bool {
    matches.get_flag(name)
}

/// The text of an option or of a single argument.
pub fn text<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a str> {
    matches.get_one::<String>(name).map(String::as_str)
}

/// The path of an option.
pub fn path(matches: &ArgMatches, name: &str) -> Option<PathBuf> {
    text(matches, name).map(PathBuf::from)
}

/// The number of an option. It may have separators, as in `20_000`.
pub fn number<T: FromStr>(matches: &ArgMatches, name: &str) -> Result<Option<T>, String> {
    let parse = |text: &str| text.replace(['_', ','], "").parse();
    let wrong = |text: &str| format!("--{name}: {text} is not a number");
    text(matches, name).map(|text| parse(text).map_err(|_| wrong(text))).transpose()
}

/// The texts of a repeated argument.
pub fn texts<'a>(matches: &'a ArgMatches, name: &str) -> Vec<&'a str> {
    matches.get_many::<String>(name).into_iter().flatten().map(String::as_str).collect()
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn argument(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(name).help(help)
}

/// Arguments that are passed on, with those that look like options.
fn rest(name: &'static str, help: &'static str) -> Arg {
    argument(name, help).num_args(0..).trailing_var_arg(true).allow_hyphen_values(true)
}

fn testing() -> Vec<Command> {
    vec![
        Command::new("test")
            .about("Install what is missing, and run all tests and checks: about 12 minutes")
            .long_about(
                "Installs what is missing: Debian packages with apt-get, as root or with sudo, and tools \
                 with rustup and npm. Prints the commands first. Then runs all tests, lints, loom models, \
                 and the quick runs of guard, fuzz, faults, sanitize and programs. Stops at the first step \
                 that fails. What needs a missing tool is skipped and counted.",
            )
            .arg(flag("no-install", "Install nothing"))
            .arg(flag(
                "release-checks",
                "Also check what only releases need: packages, documents, browsers, platforms",
            ))
            .arg(
                option("only", "STEP,...", "Run only these steps, and install what they need")
                    .value_delimiter(',')
                    .action(ArgAction::Append),
            )
            .arg(flag("list", "List the steps")),
        Command::new("setup").about("Install what the tests need, and run nothing"),
        Command::new("lint").about("Lint the JavaScript with Biome, from npm"),
        Command::new("guard")
            .about("Compare system calls, allocations and instructions with benches/guard.json")
            .arg(flag("bless", "Write the new counts to benches/guard.json")),
        Command::new("bench")
            .about("Compare the speed with libuv, tokio, bare epoll and bare io_uring")
            .after_help("Environment: LIBUV_DIR=DIR compares with DIR/libuv.so.1.")
            .arg(argument("GROUP", "Run only these workloads: tcp, timers, scripts, trace, ..."))
            .arg(flag("quick", "Under two minutes instead of ten: fewer samples and contenders"))
            .arg(flag("save", "Write the report to docs/bench"))
            .arg(flag("system", "Compare with the system's libuv")),
        Command::new("programs")
            .about("Run programs of Debian's packages on mauve; installs nothing")
            .after_help("Environment: LIBUV_DIR=DIR runs them on DIR/libuv.so.1.")
            .arg(argument("NAME", "Run only this program: node, neovim, cmake, ...")),
        Command::new("node")
            .about("Run Debian's Node 18 on the libuv.so.1 of a folder")
            // It is an option of node.
            .disable_help_flag(true)
            .arg(argument("DIR", "The folder of the library").required(true))
            .arg(rest("ARGUMENTS", "Arguments of node")),
        Command::new("examples")
            .about("Build and run the C examples with make and CMake, on mauve and on libuv"),
    ]
}

fn searching() -> Vec<Command> {
    let seeds = || {
        [
            option("seeds", "N", "Run N seeds (1000)"),
            option("seed", "S", "Run only seed S"),
            option("from", "S", "Start with seed S (0)"),
            flag("print-script", "Print the script of the first seed, and exit"),
        ]
    };
    vec![
        Command::new("fuzz")
            .about("Run random programs on libuv 1.52 and on mauve, and compare")
            .subcommand(
                Command::new("js")
                    .about("Run random scripts under node and `mauve run`, and compare")
                    .args(seeds()),
            )
            .args(seeds())
            .arg(flag("random", "Start with a seed that was not used before"))
            .arg(
                option("only", "AREA,...", "Generate operations of these areas: timer, tcp, ...")
                    .value_delimiter(','),
            )
            .arg(flag("system", "Compare with the system's libuv"))
            .arg(option("libuv", "DIR", "Compare with DIR/libuv.so.1"))
            .arg(option("library", "DIR", "Test DIR/libuv.so.1 instead of mauve"))
            .arg(option("script", "FILE", "Run one script"))
            .arg(option("limit", "N", "Stop after about N differences (20)"))
            .arg(option("show", "N", "Minimise and print N differences (5)")),
        Command::new("faults")
            .about("Make each system call of small programs fail, and check the outcome")
            .after_help("Environment: LIBUV_DIR=DIR runs the workloads on DIR/libuv.so.1.")
            .arg(argument("WORKLOAD", "Run only this workload: tcp, files, children, ..."))
            .arg(flag("quick", "Three occurrences of each call, with two errors"))
            .arg(option("call", "NAME", "Inject into this system call only"))
            .arg(option("error", "E", "Inject this error only, such as EMFILE"))
            .arg(option("when", "N", "Inject at occurrence N only"))
            .arg(option(
                "mode",
                "MODE",
                "once: fail one call; after: make it, then fail it; on: fail all later ones, too",
            ))
            .arg(flag("verbose", "List the errors that the programs reported")),
        Command::new("sanitize")
            .about("Run the C tests under AddressSanitizer, ThreadSanitizer and valgrind")
            .long_about("The first two need a nightly toolchain.")
            .arg(argument("TOOL", "asan, tsan or valgrind"))
            .arg(argument("NAME", "Run only the programs with this in their name"))
            .arg(flag("quick", "Run a few programs under valgrind, as `cargo xtask test` does")),
    ]
}

fn documents() -> Vec<Command> {
    vec![
        Command::new("page")
            .about("Check the HTML page of a trace in headless Chromium")
            .arg(flag("bless", "Write the reference of the screenshot to xtask/page/regions.json")),
        Command::new("guide")
            .about("Run the programs of the guide, build it, and check its links and pages")
            .arg(flag("bless", "Store the outputs of the programs in docs/guide/programs"))
            .arg(
                flag("pictures", "Take pictures of their traces, for docs/guide/src/pictures")
                    .conflicts_with("bless"),
            ),
        Command::new("picture")
            .about("Take the README's picture of the page of a trace")
            .arg(argument("PAGE", "The page; without it, Debian's node is traced"))
            .arg(argument("SCRIPT", "JavaScript that prepares the page")),
        Command::new("package").about("Make and compile the packages of the published crates"),
    ]
}

fn platforms() -> Vec<Command> {
    vec![
        Command::new("cross")
            .about("Check the crates for other platforms, and run them on other Linux platforms")
            .long_about(
                "Needs Debian's packages rustc-web, cargo-web, rust-web-src and rust-web-clippy.",
            )
            .arg(flag(
                "run",
                "Run the tests and the C programs: under qemu (as root), and natively for musl",
            ))
            .arg(
                argument("ARGUMENTS", "[TRIPLE], and with --run: [rust|c [NAME...]]").num_args(0..),
            ),
        Command::new("kqueue")
            .about("Run the tests on Linux with kqueue, on libkqueue (docs/platforms.md)")
            .arg(argument("FOLDER", "The folder of a libkqueue.so").required(true))
            .arg(rest("ARGUMENTS", "Arguments of `cargo test`, instead of all tests")),
        Command::new("generate")
            .about("Write the Rust tables and C headers that are generated from abi/")
            .arg(flag("check", "Write nothing; fail if a file is out of date")),
        Command::new("layouts")
            .about("Measure the C structs on all architectures, with glibc and musl")
            .arg(argument("INCLUDE", "The folder `include` of libuv's source"))
            .arg(
                flag("check", "Write nothing; compare our headers with abi/layout-*.json")
                    .conflicts_with("INCLUDE"),
            ),
    ]
}

fn distribution() -> Vec<Command> {
    let folder = |name, help| option(name, "DIR", help).value_parser(value_parser!(PathBuf));
    vec![
        Command::new("install")
            .about("Install the library, its headers, and pkg-config and CMake files")
            .arg(folder("prefix", "The installation prefix, such as /usr/local").required(true))
            .arg(folder("libdir", "The folder of libraries below the prefix").default_value("lib"))
            .arg(folder("destdir", "Install below this folder instead of / (for packagers)")),
        Command::new("deb")
            .about("Build Debian packages of the library and the command")
            .arg(flag("library", "Only the packages of the library")),
        Command::new("tarball").about("Build an archive with install.sh, for other distributions"),
        Command::new("reproduce")
            .about("Build the library twice, in different folders, and compare the files"),
        Command::new("chroot")
            .about("Try the packages, the archive and the set-up in a bare Debian")
            .long_about("Needs root, debootstrap and a network.")
            .arg(
                argument("TRIAL", "deb, tarball or setup; all without it")
                    .num_args(0..)
                    .value_parser(["deb", "tarball", "setup"]),
            ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn options_after_the_folder_of_node_are_passed_on() {
        let matches = command().get_matches_from(["xtask", "node", "folder", "--help"]);
        let (_, matches) = matches.subcommand().expect("a command");
        assert_eq!(texts(matches, "ARGUMENTS"), ["--help"]);
    }
}
