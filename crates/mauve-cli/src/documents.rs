//! Shell completions and manual pages.
//!
//! They are files of the repository, because their generators take three seconds to compile. A test
//! generates them again from the definition of the arguments, and compares.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, value_parser};

use crate::arguments::{required, value};

/// How to install the completions.
const EXAMPLES: &str = "Examples:
  mauve completions bash > ~/.local/share/bash-completion/completions/mauve
  mauve completions zsh > ~/.zfunc/_mauve      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  mauve completions fish > ~/.config/fish/completions/mauve.fish";

/// Names of files in `documents/`, with their texts.
macro_rules! documents {
    ($folder:literal, $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../documents/", $folder, "/", $name)))),*]
    };
}

/// By the name of the shell.
const COMPLETIONS: &[(&str, &str)] =
    documents!("completions", "bash" "elvish" "fish" "powershell" "zsh");

const PAGES: &[(&str, &str)] = documents!("man",
    "mauve.1"
    "mauve-bench.1"
    "mauve-completions.1"
    "mauve-demo.1"
    "mauve-run.1"
    "mauve-top.1"
    "mauve-trace.1"
    "mauve-why.1"
    "mauve-with.1"
);

/// The definitions of `completions` and `man`.
pub fn subcommands() -> [Command; 2] {
    [
        Command::new("completions")
            .about("Print the completions of this command for a shell")
            .after_help(EXAMPLES)
            .arg(
                required("shell", "SHELL", "The shell")
                    .value_parser(COMPLETIONS.iter().map(|(shell, _)| *shell).collect::<Vec<_>>()),
            ),
        Command::new("man")
            .about("Write the manual pages of this command to a folder")
            .hide(true)
            .arg(required("folder", "FOLDER", "The folder").value_parser(value_parser!(PathBuf))),
    ]
}

/// Prints the completions for a shell.
pub fn completions(matches: &mut ArgMatches) -> Result<(), String> {
    let shell: String = value(matches, "shell");
    let (_, text) =
        COMPLETIONS.iter().find(|(name, _)| *name == shell).expect("clap has checked the shell");
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}

/// Writes `mauve.1` and a page for each subcommand, such as `mauve-run.1`.
pub fn man(matches: &mut ArgMatches) -> Result<(), String> {
    let folder: PathBuf = value(matches, "folder");
    write_pages(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn write_pages(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    PAGES.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use clap::Command;
    use clap::ValueEnum as _;
    use clap_complete::Shell;

    use super::{COMPLETIONS, PAGES};

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

    fn generated_completions() -> BTreeMap<String, String> {
        let generate = |shell: &Shell| {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut visible(), "mauve", &mut text);
            (shell.to_string(), String::from_utf8(text).unwrap())
        };
        Shell::value_variants().iter().map(generate).collect()
    }

    fn generated_pages() -> BTreeMap<String, String> {
        let root = visible().disable_help_subcommand(true);
        let mut pages = BTreeMap::new();
        let folder = std::env::temp_dir().join(format!("mauve-man-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        clap_mangen::generate_to(root, &folder).unwrap();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            pages.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
        std::fs::remove_dir_all(&folder).unwrap();
        pages
    }

    /// Compares, or writes the files if `MAUVE_UPDATE` is set.
    fn check(folder: &str, stored: &[(&str, &str)], generated: BTreeMap<String, String>) {
        if std::env::var_os("MAUVE_UPDATE").is_some() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("documents").join(folder);
            for (name, text) in generated {
                std::fs::write(folder.join(name), text).unwrap();
            }
            return;
        }
        let stored: BTreeMap<String, String> =
            stored.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(
            stored, generated,
            "renew them: MAUVE_UPDATE=1 cargo test -p mauve-cli --bin mauve documents"
        );
    }

    #[test]
    fn the_completions_match_the_arguments() {
        check("completions", COMPLETIONS, generated_completions());
    }

    #[test]
    fn the_manual_pages_match_the_arguments() {
        check("man", PAGES, generated_pages());
    }
}
