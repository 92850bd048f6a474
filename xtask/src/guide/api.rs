//! The pages of the C functions: `docs/guide/src/api/*.md`.
//!
//! A page has an introduction and a section for each function: a text, its errors, and related
//! functions.
//!
//! ~~~text
//! ## uv_timer_start
//!
//! <!-- prototype: uv_timer_start -->
//! ```c
//! int uv_timer_start(...);
//! ```
//!
//! Starts the timer.
//!
//! Errors:
//! - UV_EINVAL: `cb` is NULL.
//!
//! See: uv_timer_again
//! ~~~
//!
//! A function without errors has the line `Errors: none`. `cargo xtask generate` fills in the prototype.
//! [`render`] adds what the data knows for the book: the version, the threads, and an example.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{example, source};
use crate::files::{below, read};
use crate::generate;

/// The functions of the C ABI, by name.
pub struct Functions(BTreeMap<String, Value>);

impl Functions {
    pub fn load() -> Result<Self, String> {
        let data = generate::load("abi/functions.json")?;
        let list = data["functions"].as_array().cloned().unwrap_or_default();
        let name = |function: &Value| function["name"].as_str().unwrap_or_default().to_owned();
        Ok(Self(list.into_iter().map(|function| (name(&function), function)).collect()))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// A page of functions.
pub struct Page {
    pub path: PathBuf,
    /// What is before the first function.
    introduction: String,
    pub sections: Vec<Section>,
}

/// The section of a function.
pub struct Section {
    pub name: String,
    text: String,
    errors: Vec<Failure>,
    related: Vec<String>,
}

impl Section {
    /// The constants that the errors name: also those which a system call is said to return.
    pub fn constants(&self) -> Vec<String> {
        let constants =
            |text: &str| words(text, "UV_E").into_iter().map(str::to_owned).collect::<Vec<_>>();
        let of = |failure: &Failure| {
            let is_call = failure.names.iter().any(|name| name.ends_with(')'));
            let named = failure.names.iter().filter(|name| name.starts_with("UV_E")).cloned();
            named
                .chain(is_call.then(|| constants(&failure.cause)).into_iter().flatten())
                .collect::<Vec<_>>()
        };
        self.errors.iter().flat_map(of).collect()
    }
}

/// Errors with one cause.
struct Failure {
    /// Constants such as `UV_EINVAL`, or system calls such as `open(2)` whose errors are passed on.
    names: Vec<String>,
    cause: String,
}

pub fn pages() -> Result<Vec<Page>, String> {
    let files = below(&source().join("src/api"))?;
    let files = files.iter().filter(|path| path.file_name().is_some_and(|name| name != "index.md"));
    files.map(|path| parse(path, &read(path)?)).collect()
}

fn parse(path: &Path, text: &str) -> Result<Page, String> {
    let mut parts = text.split("\n## ");
    let introduction = parts.next().unwrap_or_default().to_owned();
    let sections: Result<_, String> = parts
        .map(|part| section(part).map_err(|why| format!("{}: {why}", path.display())))
        .collect();
    Ok(Page { path: path.to_owned(), introduction, sections: sections? })
}

fn section(part: &str) -> Result<Section, String> {
    let (name, rest) = part.split_once('\n').unwrap_or((part, ""));
    let wrong = |why: &str| format!("{name}: {why}");
    let (text, rest) =
        rest.split_once("\nErrors:").ok_or_else(|| wrong("there is no line `Errors:`"))?;
    let (errors, related) = match rest.split_once("\nSee:") {
        Some((errors, related)) => (errors, related.trim()),
        None => (rest, ""),
    };
    let failures = match errors.trim() {
        "none" => Vec::new(),
        list => failures(list).map_err(|why| wrong(&why))?,
    };
    let prototype = format!("<!-- prototype: {} -->", name.trim());
    if !text.trim_start().starts_with(&prototype) {
        return Err(wrong("there is no prototype"));
    }
    if text.trim_end().ends_with("```") {
        return Err(wrong("there is no text"));
    }
    let related = related.split([',', ' ', '\n']).filter(|name| !name.is_empty());
    Ok(Section {
        name: name.trim().to_owned(),
        text: text.trim().to_owned(),
        errors: failures,
        related: related.map(str::to_owned).collect(),
    })
}

/// The items of a list of errors. An item may continue on the next line.
fn failures(list: &str) -> Result<Vec<Failure>, String> {
    let list = list.strip_prefix("- ").ok_or("the errors are neither `none` nor a list")?;
    let item = |item: &str| {
        let item = item.split_whitespace().collect::<Vec<_>>().join(" ");
        let (names, cause) =
            item.split_once(": ").ok_or_else(|| format!("an error without a cause: {item}"))?;
        let names = names.split(", ").map(str::to_owned).collect();
        Ok(Failure { names, cause: cause.to_owned() })
    };
    list.split("\n- ").map(item).collect()
}

/// Checks that all functions have a text, and that texts name existing functions and constants.
/// Returns the number of functions.
pub fn check() -> Result<usize, String> {
    let functions = Functions::load()?;
    let constants = constants()?;
    let mut problems = Vec::new();
    let mut documented = BTreeSet::new();
    for page in pages()? {
        let whole = read(&page.path)?;
        let file = page.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for word in words(&whole, "UV_") {
            if !constants.contains(word) {
                problems.push(format!("{file}: there is no constant {word}"));
            }
        }
        for section in &page.sections {
            let name = &section.name;
            let mut problem = |why: String| problems.push(format!("{file}: {name}: {why}"));
            if !functions.has(name) {
                problem("there is no such function".to_owned());
            }
            if !documented.insert(name.clone()) {
                problem("it is documented twice".to_owned());
            }
            for related in section.related.iter().filter(|name| !functions.has(name)) {
                problem(format!("there is no function {related}"));
            }
            for error in section.errors.iter().flat_map(|failure| &failure.names) {
                let is_constant = error.starts_with("UV_E") && constants.contains(error);
                let is_call = error.ends_with("(2)") || error.ends_with("(3)");
                if !is_constant && !is_call {
                    problem(format!("{error} is neither an error nor a system call"));
                }
            }
        }
    }
    let missing = functions.names().filter(|name| !documented.contains(*name));
    problems.extend(missing.map(|name| format!("{name} has no text")));
    let examples = example::Examples::load()?;
    let without = functions.names().filter(|name| examples.of(name).is_none());
    problems.extend(without.map(|name| format!("{name} has no example")));
    if problems.is_empty() { Ok(documented.len()) } else { Err(problems.join("\n")) }
}

/// The names of all constants, handle types and request types, and of libuv's variables.
pub fn constants() -> Result<BTreeSet<String>, String> {
    let data = generate::load("abi/constants.json")?;
    let mut names = BTreeSet::new();
    for list in ["errors", "handle_types", "req_types"] {
        let rows = data[list].as_array().into_iter().flatten();
        names.extend(rows.filter_map(|row| Some(row["constant"].as_str()?.to_owned())));
    }
    let enums = data["enums"].as_object().into_iter().flatten();
    let members = enums.filter_map(|(_, members)| members.as_object()).flatten();
    names.extend(members.map(|(name, _)| name.clone()));
    for map in ["macros", "version"] {
        names.extend(data[map].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    let variables = data["environment_variables"].as_object().into_iter().flatten();
    names.extend(variables.map(|(name, _)| name.clone()));
    names.insert("UV_USE_IO_URING".to_owned());
    names.insert("UV_THREADPOOL_SIZE".to_owned());
    Ok(names)
}

/// The words of a text that start with `prefix`.
fn words<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(prefix)).collect()
}

/// The page as Markdown for mdBook.
pub fn render(
    page: &Page,
    functions: &Functions,
    examples: &example::Examples,
) -> Result<String, String> {
    let mut out = page.introduction.trim_end().to_owned();
    let names = page.sections.iter().map(|section| format!("[`{0}`](#{0})", section.name));
    out += &format!("\n\n{}\n", names.collect::<Vec<_>>().join(" · "));
    for section in &page.sections {
        let function = functions.0.get(&section.name);
        let function = function.ok_or_else(|| format!("there is no {}", section.name))?;
        out += &format!("\n## {}\n\n{}\n", section.name, section.text);
        out += &errors(&section.errors);
        out += &notes(function);
        if !section.related.is_empty() {
            let names: Vec<_> = section.related.iter().map(|name| format!("`{name}`")).collect();
            out += &format!("\nSee also {}.\n", names.join(", "));
        }
        if let Some(example) = examples.of(&section.name) {
            out += &example.render();
        }
    }
    Ok(out)
}

fn errors(failures: &[Failure]) -> String {
    if failures.is_empty() {
        return "\n**Errors**: none.\n".to_owned();
    }
    let mut out = "\n**Errors**:\n\n".to_owned();
    for failure in failures {
        let names: Vec<_> = failure.names.iter().map(|name| format!("`{name}`")).collect();
        out += &format!("- {}: {}\n", names.join(", "), failure.cause);
    }
    out
}

/// Facts that the data has: versions and threads.
fn notes(function: &Value) -> String {
    let mut notes = Vec::new();
    if let Some(version) = function["since"].as_str() {
        notes.push(format!("Since libuv {version}."));
    }
    if function["deprecated"].is_string() || function["deprecated"] == true {
        notes.push("Deprecated.".to_owned());
    }
    if function["thread_safe"] == true {
        notes.push("May be called on any thread.".to_owned());
    }
    if function["async_signal_safe"] == true {
        notes.push("May be called in a signal handler.".to_owned());
    }
    if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_documented_with_existing_names() {
        let checked = check().unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(checked, Functions::load().expect("functions").names().count());
    }

    #[test]
    fn a_section_has_a_text_errors_and_related_functions() {
        let start = "uv_f\n\n<!-- prototype: uv_f -->\n```c\nint uv_f(void);\n```\n";
        let rest = "\nErrors:\n- UV_EINVAL, UV_EBADF: it is\n  wrong.\n\nSee: uv_g, uv_h\n";
        let section = section(&format!("{start}\nDoes it.\n{rest}")).expect("a section");
        assert!(section.text.ends_with("```\n\nDoes it."), "{}", section.text);
        assert_eq!(section.errors[0].names, ["UV_EINVAL", "UV_EBADF"]);
        assert_eq!(section.errors[0].cause, "it is wrong.");
        assert_eq!(section.related, ["uv_g", "uv_h"]);
        let is_wrong = |text: &str| super::section(text).is_err();
        assert!(is_wrong(&format!("{start}\nDoes it.\n")));
        assert!(is_wrong(&format!("{start}\nDoes it.\n\nErrors: some\n")));
        assert!(is_wrong(&format!("{start}\nErrors: none\n")));
        assert!(is_wrong("uv_f\n\nDoes it.\n\nErrors: none\n"));
    }
}
