//! The development tasks of the repository. `cargo xtask --help` lists them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arguments::{has, text, texts};
use clap::ArgMatches;

mod arguments;
mod bench;
mod build;
mod cross;
mod dist;
#[cfg(test)]
mod documents;
mod examples;
mod faults;
mod foreign;
mod fuzz;
mod generate;
mod guard;
mod guide;
mod kqueue;
mod layouts;
mod lint;
mod package;
mod page;
mod programs;
mod sanitize;
mod setup;
mod tally;
mod test;

fn main() -> ExitCode {
    let matches = arguments::command().get_matches();
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    match run(name, matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str, matches: &ArgMatches) -> Result<(), String> {
    match name {
        "generate" if has(matches, "check") => generate::check(),
        "generate" => generate::write(),
        "layouts" => match text(matches, "INCLUDE") {
            Some(include) => layouts::write(include),
            None => layouts::check(true).map(drop),
        },
        "setup" => {
            test::set_up();
            Ok(())
        }
        "test" => test::run(&test::Options::new(matches)),
        "lint" => lint::run().map(drop),
        "package" => package::check().map(drop),
        "page" => page::run(has(matches, "bless")).map(drop),
        "guide" if has(matches, "pictures") => guide::take_pictures(),
        "guide" => guide::run(has(matches, "bless")).map(drop),
        "picture" => page::picture(text(matches, "PAGE"), text(matches, "SCRIPT")),
        "programs" => programs::run(text(matches, "NAME")).map(drop),
        "sanitize" => sanitize::run(matches),
        "faults" => faults::run(matches),
        "install" => dist::install::run(matches),
        "fuzz" => match matches.subcommand() {
            Some((_, matches)) => fuzz::js::run(&fuzz::js::Options::new(matches)?).map(drop),
            None => fuzz::run(&fuzz::Options::new(matches)?).map(drop),
        },
        "deb" => dist::deb::run(has(matches, "library")),
        "tarball" => dist::tarball::run(),
        "reproduce" => dist::reproduce::run().map(drop),
        "chroot" => dist::chroot::run(&texts(matches, "TRIAL")),
        "examples" => examples::run(&setup::Setup::prepare(examples::TOOLS, false)).map(drop),
        "cross" if has(matches, "run") => cross::run::run(&texts(matches, "ARGUMENTS")),
        "cross" => cross::run(texts(matches, "ARGUMENTS").first().copied()),
        "kqueue" => {
            let folder = text(matches, "FOLDER").expect("clap requires it");
            kqueue::run(folder, &texts(matches, "ARGUMENTS"))
        }
        "guard" => guard::run(has(matches, "bless")).map(drop),
        "bench" => bench::run(matches),
        "node" => {
            let folder = text(matches, "DIR").expect("clap requires it");
            bench::node(folder, &texts(matches, "ARGUMENTS"))
        }
        _ => unreachable!("clap knows only these commands"),
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the root").to_owned()
}

/// The target folder: this program is in the folder of its profile.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    program.ancestors().nth(2).expect("target/debug/xtask").to_owned()
}
