//! `mauve completions` and `mauve man`: shell completions and manual pages, generated from the
//! definition of the arguments. Packages contain both.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::arguments::{required, value};

/// How to install the completions.
const EXAMPLES: &str = "Examples:
  mauve completions bash > ~/.local/share/bash-completion/completions/mauve
  mauve completions zsh > ~/.zfunc/_mauve      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  mauve completions fish > ~/.config/fish/completions/mauve.fish";

/// The definitions of `completions` and `man`.
pub fn subcommands() -> [Command; 2] {
    [
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
    let shell: Shell = value(matches, "shell");
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut visible(), "mauve", &mut text);
    std::io::stdout().write_all(&text).map_err(|error| error.to_string())
}

/// Writes `mauve.1` and a page for each subcommand, such as `mauve-run.1`.
pub fn man(matches: &mut ArgMatches) -> Result<(), String> {
    let folder: PathBuf = value(matches, "folder");
    write_pages(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn write_pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(visible().disable_help_subcommand(true), folder)
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
