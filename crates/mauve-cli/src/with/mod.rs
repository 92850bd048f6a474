//! `mauve with PROGRAM`: runs a program that is linked with libuv on our library instead.
//!
//! Nothing is installed: the loader is told to look at our library first, and asked what it would
//! load ([`loader`]). What the program is ([`program`], [`image`]) decides whether that can work at
//! all. What is said on stderr is what was found out, not what was hoped for.

mod image;
mod library;
mod loader;
mod program;

use std::ffi::OsString;
use std::fmt;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use library::Library;
use loader::{Plan, Resolution};
use program::Program;

/// Run a program that uses libuv on mauve's library, without installing anything.
#[derive(clap::Args)]
pub struct Arguments {
    /// The library to run it on [default: MAUVE_LIB, or the one that belongs to this command]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Say nothing if all is well.
    #[arg(long, short)]
    quiet: bool,
    /// The program, and what it is to be told.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

/// Why a program is not run. The numbers are those of `env` and `nohup`.
pub enum Refusal {
    NotFound(String),
    NotExecutable(String),
    Impossible(String),
}

impl Refusal {
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::NotFound(_) => 127,
            Self::NotExecutable(_) => 126,
            Self::Impossible(_) => 125,
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::NotFound(why) | Self::NotExecutable(why) | Self::Impossible(why)) = self;
        f.write_str(why)
    }
}

/// Becomes the program; returns only if that cannot be.
pub fn run(arguments: &Arguments) -> Refusal {
    match prepare(arguments) {
        Ok(mut command) => {
            let error = command.exec();
            let name = command.get_program().to_string_lossy();
            Refusal::NotExecutable(format!("{name}: {error}"))
        }
        Err(refusal) => refusal,
    }
}

fn prepare(arguments: &Arguments) -> Result<Command, Refusal> {
    let (name, rest) = arguments.program.split_first().expect("clap wants a program");
    let program = Program::find(name)?;
    let library = Library::find(arguments.library.as_deref())?;
    let plan = loader::plan(&program, &library)?;
    if !arguments.quiet {
        eprintln!("mauve: {}", report(&program, &library, &plan));
    }
    let mut command = Command::new(&program.path);
    command.args(rest);
    plan.apply(&mut command);
    Ok(command)
}

/// What is known of where the program's libuv will come from.
fn report(program: &Program, library: &Library, plan: &Plan) -> String {
    let name = program.name();
    let ours = format!("{} ({})", library.path.display(), library.version);
    match &plan.resolution {
        Resolution::Ours => format!("{name} runs on {ours}"),
        Resolution::Later { builtin: false } => {
            format!("{name} does not need libuv; what it loads later or starts gets {ours}")
        }
        Resolution::Later { builtin: true } => format!(
            "{name} does not need libuv, but seems to have one built in, which it will use; what \
             it starts gets {ours}"
        ),
    }
}
