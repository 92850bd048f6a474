//! Manual pages: one for the command and for each subcommand, from the definition of the arguments, and
//! `mauve(7)` with the [topics](super::topics).

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use super::topics::{LIST, Part};

/// Writes the pages to the folders `man1` and `man7`.
pub fn write(folder: &Path) -> std::io::Result<()> {
    let (commands, topics) = (folder.join("man1"), folder.join("man7"));
    std::fs::create_dir_all(&commands)?;
    std::fs::create_dir_all(&topics)?;
    std::fs::write(topics.join("mauve.7"), page_of_topics())?;
    let mut command = super::visible().disable_help_subcommand(true);
    command.build();
    let others: Vec<Command> = command.get_subcommands().cloned().collect();
    let names: Vec<&str> = others.iter().filter_map(Command::get_display_name).collect();
    write_page(command.clone(), &names, &commands)?;
    for other in &others {
        write_page(other.clone(), &["mauve"], &commands)?;
    }
    Ok(())
}

/// Writes the page of a command. `related` are other commands with pages.
fn write_page(command: Command, related: &[&str], folder: &Path) -> std::io::Result<()> {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_arguments = command.get_arguments().any(|argument| !argument.is_hide_set());
    let has_subcommands = command.has_subcommands();
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    if has_arguments {
        man.render_options_section(&mut text)?;
    }
    if has_subcommands {
        man.render_subcommands_section(&mut text)?;
    }
    let mut rest = String::new();
    if let Some(examples) = examples.trim_start().strip_prefix("Examples:\n") {
        rest += ".SH EXAMPLES\n.nf\n";
        examples.lines().for_each(|line| rest += &format!("{}\n", escaped(line.trim_start())));
        rest += ".fi\n";
    }
    rest += ".SH \"SEE ALSO\"\n";
    for name in related {
        let _ = writeln!(rest, ".BR {} (1),", escaped(name));
    }
    rest += ".BR mauve (7)\n";
    text.write_all(rest.as_bytes())?;
    std::fs::write(folder.join(man.get_filename()), text)
}

/// `mauve(7)`.
fn page_of_topics() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(".TH mauve 7 \"\" \"mauve {version}\"\n.SH NAME\n");
    out += "mauve \\- variables, files, phases and exit codes\n";
    for topic in &LIST {
        for (at, part) in topic.parts().into_iter().enumerate() {
            match part {
                Part::Title(text) if at == 0 => {
                    let _ = writeln!(out, ".SH \"{}\"", escaped(&text.to_uppercase()));
                }
                Part::Title(text) => {
                    let _ = writeln!(out, ".SS \"{}\"", escaped(text));
                }
                Part::Paragraph(text) => {
                    let _ = writeln!(out, ".PP\n{}", marked(&text));
                }
                Part::Item(subject, text) => {
                    let _ = writeln!(out, ".TP\n{}\n{}", marked(subject), marked(&text));
                }
            }
        }
    }
    out += ".SH \"SEE ALSO\"\n.BR mauve (1)\n";
    out
}

/// A text in which code is bold.
fn marked(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => out += &escaped_inside(part),
            _ => out += &format!("\\fB{}\\fR", escaped_inside(part)),
        }
    }
    start(out)
}

fn escaped(line: &str) -> String {
    start(escaped_inside(line))
}

fn escaped_inside(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq")
}

/// A line that starts with a dot or a quote would be a request.
fn start(line: String) -> String {
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
