//! What explains the command: [`topics`] of `mauve help`, [manual pages](manual) and shell
//! [completions](mod@completions). Packages contain the last two.

mod completions;
mod manual;
mod topics;

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::arguments::{required, value};
pub use topics::{find, names as topics};

/// How to install the completions.
const EXAMPLES: &str = "Examples:
  mauve completions bash > ~/.local/share/bash-completion/completions/mauve
  mauve completions zsh > ~/.zfunc/_mauve
      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  mauve completions fish > ~/.config/fish/completions/mauve.fish";

/// The licenses of all that is linked into the command and the library.
pub const LICENSES: &str = include_str!("../../THIRD-PARTY.txt");

/// The definitions of `completions`, `licenses` and `man`.
pub fn subcommands() -> [Command; 3] {
    [
        Command::new("licenses")
            .about("Print the licenses of everything that the command and the library contain"),
        Command::new("completions")
            .about("Print the completions of this command for a shell")
            .after_help(EXAMPLES)
            .arg(required("shell", "SHELL", "The shell").value_parser(value_parser!(Shell))),
        Command::new("man")
            .about("Write the manual pages of this command to a folder")
            .hide(true)
            .arg(required("folder", "FOLDER", "The folder").value_parser(value_parser!(PathBuf))),
    ]
}

/// Prints the completions for a shell.
pub fn completions(matches: &mut ArgMatches) -> Result<(), String> {
    completions::print(value(matches, "shell")).map_err(|error| error.to_string())
}

/// Writes the manual pages.
pub fn man(matches: &mut ArgMatches) -> Result<(), String> {
    let folder: PathBuf = value(matches, "folder");
    manual::write(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The command without its hidden subcommands, which the generators would include.
fn visible() -> Command {
    let all = crate::command();
    let subcommands = all.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let mut command =
        Command::new("mauve").version(env!("CARGO_PKG_VERSION")).after_help(crate::EXAMPLES);
    if let Some(about) = all.get_about() {
        command = command.about(about.clone());
    }
    command.subcommands(subcommands.cloned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn help_fits_into_a_terminal_of_80_columns() {
        let command = super::visible();
        for subcommand in std::iter::once(&command).chain(command.get_subcommands()) {
            let help = subcommand.clone().term_width(80).render_long_help().to_string();
            let long: Vec<_> = help.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(long.is_empty(), "{}: {long:?}", subcommand.get_name());
            // Lines that were too long and therefore wrapped have lost their column.
            let examples = subcommand.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.lines().all(|line| line.chars().count() <= 80), "{examples}");
        }
    }
}
