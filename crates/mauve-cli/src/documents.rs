//! Shell completions and manual pages, generated from the definition of the arguments.

use std::io::Write as _;
use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::{Arguments, EXAMPLES};

/// How to install the completions.
pub const COMPLETIONS: &str = "Examples:
  mauve completions bash > ~/.local/share/bash-completion/completions/mauve
  mauve completions zsh > ~/.zfunc/_mauve      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  mauve completions fish > ~/.config/fish/completions/mauve.fish";

/// The command without its hidden subcommands, which the generators would include.
fn visible() -> Command {
    let all = Arguments::command();
    let subcommands = all.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let mut command = Command::new("mauve").version(env!("CARGO_PKG_VERSION")).after_help(EXAMPLES);
    if let Some(about) = all.get_about() {
        command = command.about(about.clone());
    }
    command.subcommands(subcommands.cloned())
}

/// Prints the completions for a shell.
pub fn completions(shell: Shell) -> Result<(), String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut visible(), "mauve", &mut text);
    std::io::stdout().write_all(&text).map_err(|error| error.to_string())
}

/// Writes `mauve.1` and a page for each subcommand, such as `mauve-run.1`.
pub fn man(folder: &Path) -> Result<(), String> {
    let command = visible().disable_help_subcommand(true);
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .map_err(|error| format!("{}: {error}", folder.display()))
}
