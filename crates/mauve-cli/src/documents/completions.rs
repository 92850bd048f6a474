//! Shell completions, from the definition of the arguments. Those of bash, zsh and fish complete process
//! ids, too: of processes that run on mauve.

use std::io::Write as _;

use clap_complete::Shell;

/// Prints the completions for a shell.
pub fn print(shell: Shell) -> std::io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut super::visible(), "mauve", &mut text);
    let text = String::from_utf8(text).map_err(std::io::Error::other)?;
    std::io::stdout().write_all(with_processes(shell, text).as_bytes())
}

/// Adds the completion of process ids, which `mauve pids` lists.
fn with_processes(shell: Shell, text: String) -> String {
    match shell {
        Shell::Bash => text + BASH,
        Shell::Fish => text + FISH,
        Shell::Zsh => zsh(&text),
        _ => text,
    }
}

/// Completes a process id where one is expected, and leaves the rest to the generated function.
const BASH: &str = r#"
_mauve_or_process() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    case "${COMP_WORDS[1]} $previous" in
        "why why" | "top top" | "trace --pid")
            if [[ $current != -* ]]; then
                COMPREPLY=($(compgen -W "$(mauve pids 2>/dev/null | cut -f 1)" -- "$current"))
                return
            fi ;;
    esac
    _mauve "$@"
}
complete -F _mauve_or_process -o bashdefault -o default mauve
"#;

const FISH: &str = r#"
complete -c mauve -n "__fish_mauve_using_subcommand why" -f -a '(mauve pids 2>/dev/null)'
complete -c mauve -n "__fish_mauve_using_subcommand top" -f -a '(mauve pids 2>/dev/null)'
complete -c mauve -n "__fish_mauve_using_subcommand trace" -l pid -x -a '(mauve pids 2>/dev/null)'
"#;

/// The function that completes process ids for zsh.
const ZSH: &str = r#"
_mauve_processes() {
    local -a processes
    processes=(${${(f)"$(mauve pids 2>/dev/null)"}/$'\t'/:})
    _describe 'process' processes
}
"#;

/// In zsh each argument names the function that completes it.
fn zsh(text: &str) -> String {
    let mut out = String::new();
    for (at, line) in text.lines().enumerate() {
        let is_process = line.contains("::pid -- ") || line.contains("]:PID:_default");
        match is_process {
            true => out += &line.replace(":_default", ":_mauve_processes"),
            false => out += line,
        }
        out.push('\n');
        // The first line is `#compdef`.
        if at == 0 {
            out += ZSH;
        }
    }
    out
}
