//! Parts of the definitions of the subcommands, and their values.

use clap::{Arg, ArgAction, ArgMatches};

/// An argument that is required and positional.
pub fn required(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(value).help(help).required(true)
}

/// An option with a value.
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// An option without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

/// A program or a script with its arguments, which ends the options.
pub fn program(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .value_name(value)
        .help(help)
        .action(ArgAction::Append)
        .num_args(1..)
        .trailing_var_arg(true)
        .allow_hyphen_values(true)
}

/// The values of a list, which may be empty.
pub fn values<T: Clone + Send + Sync + 'static>(matches: &mut ArgMatches, name: &str) -> Vec<T> {
    matches.remove_many(name).into_iter().flatten().collect()
}

/// The value of an argument that is required or has a default.
pub fn value<T: Clone + Send + Sync + 'static>(matches: &mut ArgMatches, name: &str) -> T {
    matches.remove_one(name).expect("clap requires it")
}
