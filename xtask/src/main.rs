//! The development tasks of the repository. `cargo xtask --help` lists them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
mod usage;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let Some(help) = help(&args) {
        println!("{help}");
        return ExitCode::SUCCESS;
    }
    let outcome = match args.as_slice() {
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["layouts", "--check"] => layouts::check(true).map(drop),
        ["layouts", include] => layouts::write(include),
        ["setup"] => {
            test::set_up();
            Ok(())
        }
        ["test", "--list"] => {
            test::list();
            Ok(())
        }
        ["test", arguments @ ..] => {
            test::Options::parse(arguments).and_then(|options| test::run(&options))
        }
        ["lint"] => lint::run().map(drop),
        ["package"] => package::check().map(drop),
        ["page"] => page::run(false).map(drop),
        ["page", "--bless"] => page::run(true).map(drop),
        ["guide"] => guide::run(false).map(drop),
        ["guide", "--bless"] => guide::run(true).map(drop),
        ["guide", "--pictures"] => guide::take_pictures(),
        ["picture", arguments @ ..] => page::picture(arguments),
        ["programs"] => programs::run(None).map(drop),
        ["programs", name] => programs::run(Some(name)).map(drop),
        ["sanitize", arguments @ ..] => sanitize::run(arguments),
        ["faults", arguments @ ..] => faults::run(arguments),
        ["install", arguments @ ..] => dist::install::run(arguments),
        ["fuzz", "js", options @ ..] => {
            fuzz::js::Options::parse(options).and_then(|options| fuzz::js::run(&options)).map(drop)
        }
        ["fuzz", options @ ..] => {
            fuzz::Options::parse(options).and_then(|options| fuzz::run(&options)).map(drop)
        }
        ["deb", arguments @ ..] => dist::deb::run(arguments),
        ["tarball"] => dist::tarball::run(),
        ["sbom"] => dist::sbom::run(),
        ["reproduce"] => dist::reproduce::run().map(drop),
        ["chroot", names @ ..] => dist::chroot::run(names),
        ["examples"] => examples::run(&setup::Setup::prepare(examples::TOOLS, false)).map(drop),
        ["cross"] => cross::run(None),
        ["cross", "--run", arguments @ ..] => cross::run::run(arguments),
        ["cross", triple] => cross::run(Some(triple)),
        ["kqueue", folder, arguments @ ..] => kqueue::run(folder, arguments),
        ["guard"] => guard::run(false).map(drop),
        ["guard", "--bless"] => guard::run(true).map(drop),
        ["bench", options @ ..] => bench::run(options),
        ["node", library, arguments @ ..] => bench::node(library, arguments),
        [name, ..] => Err(usage::of(name).unwrap_or_else(usage::all)),
        [] => Err(usage::all()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The help text that the arguments request. `node DIR --help` passes the option on to node.
fn help(args: &[&str]) -> Option<String> {
    let is_help = |arg: &&str| matches!(*arg, "--help" | "-h");
    match args {
        [] => None,
        [first, ..] if is_help(first) || *first == "help" => Some(usage::all()),
        ["node", rest @ ..] if !rest.first().is_some_and(is_help) => None,
        [name, rest @ ..] if rest.iter().any(is_help) => usage::of(name),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn help_is_an_option_of_every_command() {
        assert!(help(&["bench", "tcp", "--help"]).expect("a text").contains("--save"));
        assert!(help(&["--help"]).expect("a text").contains("cargo xtask COMMAND"));
        assert_eq!(help(&["node", "target/bench/mauve", "--help"]), None);
        assert_eq!(help(&["bench", "tcp"]), None);
    }
}
