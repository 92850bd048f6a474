//! The development tasks of the repository. `cargo xtask --help` lists them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arguments::{Arguments, Scripts, Task};
use clap::Parser as _;

mod api;
mod arguments;
mod bench;
mod build;
mod cross;
mod dist;
mod documents;
mod examples;
mod faults;
mod files;
mod foreign;
mod fuzz;
mod generate;
mod guard;
mod guide;
mod kqueue;
mod layouts;
mod lint;
mod npm_packages;
mod package;
mod page;
mod parallel;
mod process;
mod programs;
mod sanitize;
mod setup;
mod tally;
mod test;
mod windows;

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<(), String> {
    match task {
        Task::Generate { check: true } => generate::check(),
        Task::Generate { check: false } => generate::write(),
        Task::Layouts { include: Some(include), .. } => layouts::write(&include),
        Task::Layouts { include: None, .. } => layouts::check(true).map(drop),
        Task::Setup => {
            test::set_up();
            Ok(())
        }
        Task::Test(options) => test::run(&options),
        Task::Lint => lint::run().map(drop),
        Task::Package => package::check().map(drop),
        Task::Page { bless } => page::run(bless).map(drop),
        Task::Guide { pictures: true, .. } => guide::take_pictures(),
        Task::Guide { bless, .. } => guide::run(bless).map(drop),
        Task::Picture { page, script } => page::picture(page.as_deref(), script.as_deref()),
        Task::Programs { name, suite } => {
            programs::run(name.as_deref(), suite.as_deref()).map(drop)
        }
        Task::Sanitize(options) => sanitize::run(&options),
        Task::Faults(options) => faults::run(&options).map(drop),
        Task::Install(options) => dist::install::run(options),
        Task::Fuzz { scripts: Some(Scripts::Js(options)), .. } => fuzz::js::run(&options).map(drop),
        Task::Fuzz { options, .. } => fuzz::run(&options).map(drop),
        Task::Deb { library } => dist::deb::run(library),
        Task::Tarball => dist::tarball::run(),
        Task::Reproduce => dist::reproduce::run().map(drop),
        Task::Chroot { trials } => dist::chroot::run(&texts(&trials)),
        Task::Examples => {
            examples::run(&setup::Setup::prepare(examples::TOOLS, setup::Install::Nothing))
                .map(drop)
        }
        Task::Cross { run: true, arguments } => cross::run::run(&texts(&arguments)),
        Task::Cross { arguments, .. } => cross::run(arguments.first().map(String::as_str)),
        Task::Windows { names } => windows::run(&texts(&names)).map(drop),
        Task::Kqueue { folder, arguments } => kqueue::run(&folder, &texts(&arguments)),
        Task::Api { bless: true } => api::bless(),
        Task::Api { bless: false } => api::check().map(drop),
        Task::Guard { bless } => guard::run(bless).map(drop),
        Task::Bench(options) => bench::run(&options),
        Task::Node { folder, arguments } => bench::node(&folder, &texts(&arguments)),
    }
}

fn texts(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
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
