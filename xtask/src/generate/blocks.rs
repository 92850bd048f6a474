//! Code blocks of documents that repeat something else of the repository.
//!
//! A comment before the block names its content, and `cargo xtask generate` fills it in. So a document can
//! be read where it is stored, and cannot differ from the program that was tested.
//!
//! ```text
//! <!-- file: docs/guide/programs/timers.c -->         a file of the repository
//! <!-- prototype: uv_run -->                          of a C function
//! <!-- declarations: uv_timer_cb, uv_walk_cb -->      of callbacks, from uv.h
//! ```

use serde_json::Value;

use super::{File, prototype, read, text};
use crate::documents;

/// The documents with their blocks filled.
pub fn filled(functions: &Value) -> Result<Vec<File>, String> {
    let mut all = Vec::new();
    for path in documents::all()? {
        let text = read(&path)?;
        let filled = fill(&text, |kind, names| content(kind, names, functions))
            .map_err(|why| format!("{path}: {why}"))?;
        all.push(File { path, text: filled });
    }
    Ok(all)
}

/// Replaces the content of each block that follows a comment. `content` returns it, by the two parts of
/// the comment.
fn fill(
    text: &str,
    content: impl Fn(&str, &str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let mut is_code = false;
    while let Some(line) = lines.next() {
        out += line;
        is_code ^= line.starts_with("```");
        let comment =
            line.trim_end().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some((kind, names)) = comment.filter(|_| !is_code).and_then(|it| it.split_once(": "))
        else {
            continue;
        };
        let open = lines.next().filter(|line| line.starts_with("```"));
        out += open.ok_or_else(|| format!("no block follows `{kind}: {names}`"))?;
        let close = lines.find(|line| line.starts_with("```"));
        let content = content(kind, names)?;
        if content.contains("```") {
            return Err(format!("{names} contains the end of a block"));
        }
        out += content.trim_end();
        out += "\n";
        out += close.ok_or_else(|| format!("the block of {names} does not end"))?;
    }
    Ok(out)
}

fn content(kind: &str, names: &str, functions: &Value) -> Result<String, String> {
    match kind {
        "file" => read(names),
        "prototype" => {
            let mut list = functions["functions"].as_array().into_iter().flatten();
            let function = list.find(|function| text(&function["name"]) == names);
            Ok(prototype("", function.ok_or_else(|| format!("there is no {names}"))?))
        }
        "declarations" => {
            let header = read("crates/mauve-uv/include/uv.h")?;
            names.split(", ").map(|name| declaration(name, &header)).collect()
        }
        _ => Err(format!("a comment may not be `{kind}: {names}`")),
    }
}

/// The declaration of a callback in the header.
fn declaration(name: &str, header: &str) -> Result<String, String> {
    let at = header.find(&format!("(*{name})(")).ok_or_else(|| format!("uv.h has no {name}"))?;
    let begin = header[..at].rfind("typedef").ok_or_else(|| format!("{name} is no type"))?;
    let end = header[at..].find(';').ok_or_else(|| format!("{name} does not end"))?;
    Ok(format!("{}\n", &header[begin..=at + end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_after_a_comment_are_filled() {
        let fill = |text| fill(text, |kind, names| Ok(format!("{kind} of {names}\n")));
        let filled = fill("a\n<!-- file: x -->\n```c\nold\nlines\n```\nb\n").unwrap();
        assert_eq!(filled, "a\n<!-- file: x -->\n```c\nfile of x\n```\nb\n");
        // Comments of other kinds, and what is in a block, stay.
        for text in ["```\n<!-- file: x -->\n```\n", "<!-- text -->\n", "a"] {
            assert_eq!(fill(text).unwrap(), text);
        }
        assert!(fill("<!-- file: x -->\n\n```c\n```\n").unwrap_err().contains("no block"));
        assert!(fill("<!-- file: x -->\n```c\n").unwrap_err().contains("does not end"));
    }

    #[test]
    fn a_block_cannot_contain_its_end() {
        let filled = fill("<!-- file: x -->\n```c\n```\n", |_, _| Ok("```\n".to_owned()));
        assert!(filled.is_err());
    }
}
