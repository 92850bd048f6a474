//! `mauve run`: JavaScript with Node's event loop.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `mauve run` takes.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Tell on standard error in which phase and from which queue each callback runs.
    #[arg(long)]
    phases: bool,
    /// Run this text instead of a script.
    #[arg(short, long, value_name = "TEXT")]
    eval: Option<String>,
    /// Run this text, and print its value.
    #[arg(short, long, value_name = "TEXT", conflicts_with = "eval")]
    print: Option<String>,
    /// The script, followed by its arguments; without one, a prompt that reads and runs lines.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "SCRIPT ARGS")]
    script: Vec<String>,
}

pub fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let mut args = arguments.script;
    let print = arguments.print.is_some();
    let eval = arguments.eval.or(arguments.print);
    let script = match &eval {
        None if !args.is_empty() => Some(PathBuf::from(args.remove(0))),
        _ => None,
    };
    let options = mauve_node::Options { script, args, eval, print, phases: arguments.phases };
    let code = mauve_node::run(options)?;
    // Whatever is left of the script's world goes with the process, which is quicker than taking
    // it apart.
    std::process::exit(code)
}
