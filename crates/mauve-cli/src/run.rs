//! `mauve run`: runs JavaScript with Node's event-loop order.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `mauve run`.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Print the phase and the queue of each callback to stderr.
    #[arg(long)]
    phases: bool,
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
    // Exits without freeing the script's objects, which is faster.
    std::process::exit(code)
}
