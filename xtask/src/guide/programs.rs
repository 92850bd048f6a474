//! The programs of the guide. Each is compiled and run, and must print what is stored beside it.
//!
//! `timers.c` has its output in `timers.c.out`. C programs run on Debian's libuv and on mauve, scripts
//! under Node 24 and `mauve run`: all must print the same. Comments at the start of a program change how
//! it is run:
//!
//! * `env: NAME=value` sets an environment variable.
//! * `mauve: WHY` runs it on mauve alone.
//! * `phases` also runs a script with `mauve run --phases`, and stores that in `NAME.phases.out`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{folder, source};
use crate::build::{cargo, compiler, link_library, quietly};
use crate::files::{self, below, read, write};
use crate::process::Process;
use crate::setup::{self, Tool};
use crate::tally::Tally;
use crate::{root, target};

const FLAGS: &[&str] =
    &["-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"];

/// The time limit of a program. They take less than a second, but the machine may be busy.
const LIMIT: Duration = Duration::from_secs(60);

/// Variables that would change what a program does.
const VARIABLES: &[&str] = &[
    "LD_LIBRARY_PATH",
    "UV_THREADPOOL_SIZE",
    "UV_USE_IO_URING",
    "MAUVE_CHECK",
    "MAUVE_SELECTOR",
    "MAUVE_TRACE",
    "MAUVE_WATCHDOG",
    "NODE_OPTIONS",
];

/// Runs all programs, and counts the outputs that are as stored.
pub fn run(is_bless: bool) -> Result<Tally, String> {
    let tools = Tools::build()?;
    let (mut passed, mut failures) = (0, String::new());
    for program in list()? {
        match check(&program, &tools, is_bless) {
            Ok(outputs) => passed += outputs,
            Err(why) => failures += &format!("--- {}\n{}\n", program.name, why.trim_end()),
        }
    }
    if failures.is_empty() {
        println!("{passed} outputs of programs are as stored");
        let mut tally = Tally::passed(passed);
        if !tools.has_node {
            tally.skip(1, "scripts run under `mauve run` alone: there is no Node 24");
        }
        return Ok(tally);
    }
    Err(format!("programs of the guide differ (`cargo xtask guide --bless`):\n{failures}"))
}

/// A program of the guide.
struct Program {
    path: PathBuf,
    /// The name of the file.
    name: String,
    kind: Kind,
    /// The comments before the first line that is not one.
    comments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    C,
    Rust,
    Script,
}

impl Program {
    /// The program at `path`, if the file is one.
    fn load(path: PathBuf) -> Result<Option<Self>, String> {
        let kind = match path.extension().and_then(|end| end.to_str()) {
            Some("c") => Kind::C,
            Some("rs") => Kind::Rust,
            Some("js") => Kind::Script,
            _ => return Ok(None),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let comments = comments(&read(&path)?);
        Ok(Some(Self { path, name, kind, comments }))
    }

    /// The value of the comment `KEY: VALUE`.
    fn option(&self, key: &str) -> Option<&str> {
        let value = |line: &String| line.strip_prefix(key)?.strip_prefix(": ").map(str::len);
        let line = self.comments.iter().find(|line| value(line).is_some())?;
        Some(&line[key.len() + 2..])
    }

    /// The file name without its extension.
    fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(stem, _)| stem)
    }
}

/// The comments at the start of a program, without their marks.
fn comments(text: &str) -> Vec<String> {
    let comment = |line: &str| {
        let c = line.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */"));
        c.or_else(|| line.strip_prefix("//! "))
            .or_else(|| line.strip_prefix("// "))
            .map(str::to_owned)
    };
    text.lines().map_while(comment).collect()
}

fn list() -> Result<Vec<Program>, String> {
    let files = below(&source().join("programs"))?;
    let programs: Result<Vec<_>, _> = files.into_iter().map(Program::load).collect();
    Ok(programs?.into_iter().flatten().collect())
}

/// What runs the programs.
pub struct Tools {
    /// A folder with our `libuv.so.1`.
    library: PathBuf,
    mauve: PathBuf,
    /// Whether Node 24 is installed, whose order `mauve run` follows.
    has_node: bool,
}

impl Tools {
    /// Builds with the commands that other tests use, so that nothing is built twice.
    pub fn build() -> Result<Self, String> {
        for package in ["mauve-uv", "mauve-cli", "mauve-guide"] {
            let mut command = cargo();
            command.args(["build", "--quiet", "--locked", "-p", package]).current_dir(root());
            quietly(&mut command)?;
        }
        let library = link_library(&target().join("debug/libuv.so"), folder().join("library"))?;
        let has_node = Tool::Node.is_available();
        Ok(Self { library, mauve: target().join("debug/mauve"), has_node })
    }
}

/// Runs a program in all ways, and compares its outputs or stores them. Returns their number.
fn check(program: &Program, tools: &Tools, is_bless: bool) -> Result<usize, String> {
    let directory = files::create_empty(folder().join("run").join(&program.name))?;
    let stored = |end: &str| program.path.with_file_name(format!("{}{end}", program.name));
    let mut commands = commands(program, tools, &directory)?;
    let mut outputs = Vec::new();
    for (title, command) in &mut commands {
        let [stdout, _] =
            execute(program, command, &directory).map_err(|e| format!("{title}: {e}"))?;
        outputs.push((*title, stdout));
    }
    let mut count = compare(&stored(".out"), &outputs, is_bless)?;
    if program.comments.iter().any(|line| line == "phases") {
        let mut command = Command::new(&tools.mauve);
        command.args(["run", "--phases", &program.name]);
        command.current_dir(program.path.parent().unwrap_or(Path::new(".")));
        let [_, phases] = execute(program, &mut command, &directory)?;
        let outputs = [("mauve run --phases", phases)];
        count += compare(&stored(".phases.out"), &outputs, is_bless)?;
    }
    Ok(count)
}

/// Runs a C program or a script with a trace, and writes the page of the trace.
pub fn trace(name: &str, tools: &Tools, page: &Path) -> Result<(), String> {
    let program = Program::load(source().join("programs").join(name))?;
    let program = program.ok_or_else(|| format!("{name} is no program"))?;
    let directory = files::create(folder().join("run").join(name))?;
    let mut command = Command::new(&tools.mauve);
    if program.kind == Kind::Script {
        command.args(["run", "--trace"]).arg(page).arg(&program.path);
    } else {
        let binary = directory.join("program");
        compile(&program.path, &binary, program.option("mauve").is_some())?;
        command.args(["trace", "--output"]).arg(page).arg("--library");
        command.arg(tools.library.join("libuv.so.1")).arg(binary);
    }
    command.current_dir(&directory);
    execute(&program, &mut command, &directory).map(drop)
}

/// The commands that run a program, with titles.
fn commands(
    program: &Program,
    tools: &Tools,
    directory: &Path,
) -> Result<Vec<(&'static str, Command)>, String> {
    let is_ours_alone = program.option("mauve").is_some();
    let mut commands = Vec::new();
    match program.kind {
        Kind::C => {
            let binary = directory.join("program");
            compile(&program.path, &binary, is_ours_alone)?;
            let mut ours = Command::new(&binary);
            ours.env("LD_LIBRARY_PATH", &tools.library);
            commands.push(("mauve", ours));
            if !is_ours_alone {
                commands.push(("Debian's libuv", Command::new(binary)));
            }
        }
        Kind::Script => {
            let mut ours = Command::new(&tools.mauve);
            ours.arg("run").arg(&program.path);
            commands.push(("mauve run", ours));
            if tools.has_node && !is_ours_alone {
                let mut node = Command::new("node");
                node.env("PATH", setup::path());
                node.arg(&program.path);
                commands.push(("node", node));
            }
        }
        Kind::Rust => {
            let binary = target().join("debug").join(format!("guide-{}", program.stem()));
            commands.push(("the Rust API", Command::new(binary)));
        }
    }
    commands.iter_mut().for_each(|(_, command)| {
        command.current_dir(directory);
    });
    Ok(commands)
}

/// Compiles a C program: with Debian's header, or with ours for a program that runs on mauve alone.
fn compile(source: &Path, binary: &Path, is_ours_alone: bool) -> Result<(), String> {
    let mut cc = compiler();
    cc.args(FLAGS).arg(source).arg("-o").arg(binary);
    if is_ours_alone {
        cc.arg("-I").arg(root().join("crates/mauve-uv/include"));
        cc.arg(target().join("debug/libuv.so"));
    } else {
        cc.arg("-luv");
    }
    quietly(&mut cc).map(drop)
}

/// Runs a command. Returns its output and its error output.
fn execute(program: &Program, command: &mut Command, folder: &Path) -> Result<[String; 2], String> {
    // The library path is set for one of the commands.
    let library = command.get_envs().any(|(name, _)| name == "LD_LIBRARY_PATH");
    for name in VARIABLES.iter().filter(|name| !(library && **name == "LD_LIBRARY_PATH")) {
        command.env_remove(name);
    }
    if let Some((name, value)) = program.option("env").and_then(|env| env.split_once('=')) {
        command.env(name, value);
    }
    Process::start_elsewhere(command, folder)?.outputs(LIMIT)
}

/// Compares outputs with the stored one, or stores the first. Returns how many there are.
fn compare(file: &Path, outputs: &[(&str, String)], is_bless: bool) -> Result<usize, String> {
    let stored = if is_bless {
        let first = outputs.first().map(|(_, text)| text.as_str()).unwrap_or_default();
        write(file, first)?;
        first.to_owned()
    } else {
        read(file)?
    };
    for (title, text) in outputs {
        if *text != stored {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            return Err(format!("{title} prints\n{text}\n{name} has\n{stored}"));
        }
    }
    Ok(outputs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_the_comments_at_the_start() {
        let text = "/* Shows a thing. */\n/* env: A=1 */\n#include <uv.h>\n/* env: B=2 */\n";
        assert_eq!(comments(text), ["Shows a thing.", "env: A=1"]);
        assert_eq!(comments("// a\n// phases\nconst x = 1;\n"), ["a", "phases"]);
        assert_eq!(comments("//! a\n\n//! b\n"), ["a"]);
    }

    #[test]
    fn every_program_is_in_a_chapter_and_has_an_output() {
        let chapters = below(&source().join("src")).expect("chapters");
        let chapters: Vec<String> =
            chapters.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        let is_included = |file: &str| {
            let comment = format!("<!-- file: docs/guide/programs/{file} -->");
            chapters.iter().any(|text| text.contains(&comment))
        };
        let output = |name: &str| {
            let path = source().join("programs").join(format!("{name}.out"));
            read(&path).unwrap_or_else(|why| panic!("{why}"))
        };
        let programs = list().expect("programs");
        assert!(!programs.is_empty());
        for program in &programs {
            assert!(is_included(&program.name), "no chapter includes {}", program.name);
            // The output of one language stands for the others if they print the same.
            let mut same = programs.iter().filter(|other| {
                other.stem() == program.stem() && output(&other.name) == output(&program.name)
            });
            let is_shown = same.any(|other| is_included(&format!("{}.out", other.name)));
            assert!(is_shown, "no chapter includes the output of {}", program.name);
        }
    }
}
