//! `mauve run`: runs JavaScript with Node's event-loop order.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::trace;

/// The arguments of `mauve run`.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Print the phase and the queue of each callback to stderr.
    #[arg(long)]
    phases: bool,
    /// Record what the loop and JavaScript's queues do, and write it to FILE (.html or .json).
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Run CODE instead of a script.
    #[arg(short, long, value_name = "CODE")]
    eval: Option<String>,
    /// Run CODE and print its value.
    #[arg(short, long, value_name = "CODE", conflicts_with = "eval")]
    print: Option<String>,
    /// The script and its arguments. Without a script, start a prompt.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "SCRIPT ARGS")]
    script: Vec<String>,
}

pub fn run(mut arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(file) = arguments.trace.take() {
        return Ok(trace::run_with(file, arguments.command_line()?));
    }
    let mut args = arguments.script;
    let print = arguments.print.is_some();
    let eval = arguments.eval.or(arguments.print);
    let script = match &eval {
        None if !args.is_empty() => Some(PathBuf::from(args.remove(0))),
        _ => None,
    };
    let options = mauve_node::Options { script, args, eval, print, phases: arguments.phases };
    let code = mauve_node::run(options)?;
    // Exits without freeing the script's objects, which is faster.
    std::process::exit(code)
}

impl Arguments {
    /// The command that runs the script in a process of its own.
    fn command_line(self) -> Result<Vec<OsString>, Box<dyn Error>> {
        let mut words = vec![std::env::current_exe()?.into_os_string(), "run".into()];
        if self.phases {
            words.push("--phases".into());
        }
        for (option, code) in [("--eval", self.eval), ("--print", self.print)] {
            words.extend(code.into_iter().flat_map(|code| [option.into(), code.into()]));
        }
        words.extend(self.script.into_iter().map(OsString::from));
        Ok(words)
    }
}
