//! The command line: `cargo xtask --help` and `cargo xtask COMMAND --help`.

use std::str::FromStr;

use clap::{Parser, Subcommand};

use crate::{bench, dist, faults, fuzz, sanitize, test};

/// The development tasks of mauve
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Arguments {
    #[command(subcommand)]
    pub task: Task,
}

#[derive(Subcommand)]
pub enum Task {
    /// Install what is missing, and run all tests and checks: about ten minutes
    ///
    /// Installs what is missing: Debian packages with apt-get, as root or with sudo, and tools with
    /// rustup and from npm's registry. Prints the commands first. Then runs all tests, lints, loom models,
    /// and the quick runs of guard, fuzz, faults, sanitize and programs. Stops at the first step that
    /// fails. What needs a missing tool is skipped and counted.
    Test(test::Options),
    /// Install what the tests need, and run nothing
    Setup,
    /// Lint the JavaScript with Biome, from npm
    Lint,
    /// Compare the API of the Rust crates with abi/*.txt, and with the last release
    Api {
        /// Write the API to abi/*.txt
        #[arg(long)]
        bless: bool,
    },
    /// Compare system calls, allocations and instructions with benches/guard.json
    Guard {
        /// Write the new counts to benches/guard.json
        #[arg(long)]
        bless: bool,
    },
    /// Compare the speed with libuv and tokio
    #[command(after_help = "Environment: LIBUV_DIR=DIR compares with DIR/libuv.so.1.")]
    Bench(bench::Options),
    /// Run programs of Debian's packages on mauve; installs nothing
    #[command(after_help = "Environment: LIBUV_DIR=DIR runs them on DIR/libuv.so.1.")]
    Programs {
        /// Run only this program: node, neovim, cmake, ...
        name: Option<String>,
        /// newest: in a root of Debian's newest suite (as root)
        #[arg(long, value_parser = ["newest", "installed"])]
        suite: Option<String>,
    },
    /// Run Debian's Node 18 on the libuv.so.1 of a folder
    // --help is an option of node.
    #[command(disable_help_flag = true)]
    Node {
        /// The folder of the library
        folder: String,
        /// Arguments of node
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Build and run the C examples with make and CMake, on mauve and on libuv
    Examples,
    /// Run random programs on libuv 1.53 and on mauve, and compare
    #[command(args_conflicts_with_subcommands = true)]
    Fuzz {
        #[command(subcommand)]
        scripts: Option<Scripts>,
        #[command(flatten)]
        options: fuzz::Options,
    },
    /// Make each system call of small programs fail, and check the outcome
    #[command(after_help = "Environment: LIBUV_DIR=DIR runs the workloads on DIR/libuv.so.1.")]
    Faults(faults::Options),
    /// Run the C tests under AddressSanitizer, ThreadSanitizer and valgrind
    ///
    /// The first two need a nightly toolchain.
    Sanitize(sanitize::Options),
    /// Check the HTML page of a trace in headless Chromium
    Page {
        /// Write the reference of the screenshot to xtask/page/regions.json
        #[arg(long)]
        bless: bool,
    },
    /// Run the programs of the guide, build it, and check its links and pages
    Guide {
        /// Store the outputs of the programs in docs/guide/programs
        #[arg(long)]
        bless: bool,
        /// Take pictures of their traces, for docs/guide/src/pictures
        #[arg(long, conflicts_with = "bless")]
        pictures: bool,
    },
    /// Take the README's picture of the page of a trace
    Picture {
        /// The page; without it, Debian's node is traced
        page: Option<String>,
        /// JavaScript that prepares the page
        script: Option<String>,
    },
    /// Make and compile the packages of the published crates
    Package,
    /// Check the crates for other platforms, and run them on other Linux platforms
    ///
    /// Needs Debian's packages rustc-web, cargo-web, rust-web-src and rust-web-clippy.
    Cross {
        /// Run the tests and the C programs: under qemu (as root), and natively for musl
        #[arg(long)]
        run: bool,
        /// [TRIPLE], and with --run: [rust|c [NAME...]]
        arguments: Vec<String>,
    },
    /// Run the tests of the crates for Windows, under wine
    ///
    /// Installs what is missing: Debian's compiler of Rust, MinGW and wine.
    Windows {
        /// Only tests whose name contains one of these
        names: Vec<String>,
    },
    /// Run the tests on Linux with kqueue, on libkqueue (docs/platforms.md)
    Kqueue {
        /// The folder of a libkqueue.so
        folder: String,
        /// Arguments of `cargo test`, instead of all tests
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Write the Rust tables and C headers that are generated from abi/
    Generate {
        /// Write nothing; fail if a file is out of date
        #[arg(long)]
        check: bool,
    },
    /// Measure the C structs on all architectures, with glibc and musl
    Layouts {
        /// The folder `include` of libuv's source
        include: Option<String>,
        /// Write nothing; compare our headers with abi/layout-*.json
        #[arg(long, conflicts_with = "include")]
        check: bool,
    },
    /// Install the library, its headers, and pkg-config and CMake files
    Install(dist::install::Options),
    /// Build Debian packages of the library and the command
    Deb {
        /// Only the packages of the library
        #[arg(long)]
        library: bool,
    },
    /// Build an archive with install.sh, for other distributions
    Tarball,
    /// Build the library twice, in different folders, and compare the files
    Reproduce,
    /// Try the packages, the archive and the set-up in a bare Debian
    ///
    /// Needs root, debootstrap and a network.
    Chroot {
        /// deb, tarball or setup; all without it
        #[arg(value_parser = ["deb", "tarball", "setup"])]
        trials: Vec<String>,
    },
}

/// What `cargo xtask fuzz` generates instead of C programs.
#[derive(Subcommand)]
pub enum Scripts {
    /// Run random scripts under node and `mauve run`, and compare
    Js(fuzz::js::Options),
}

/// A number, which may have separators, as in `20_000`.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.replace(['_', ','], "").parse().map_err(|_| format!("{text} is not a number"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_after_the_folder_of_node_are_passed_on() {
        let task = Arguments::parse_from(["xtask", "node", "folder", "--help"]).task;
        assert!(matches!(task, Task::Node { arguments, .. } if arguments == ["--help"]));
    }
}
