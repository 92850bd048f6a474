//! Prepares the sources of the book in the target folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::example::Examples;
use super::{api, html, source};
use crate::files::{self, below, read, write};
use crate::root;

/// Chapters that are elsewhere in the repository, and their pages.
const CHAPTERS: &[(&str, &str)] = &[
    ("crates/mauve-cli/topics/environment.md", "environment.md"),
    ("docs/blocking.md", "blocking.md"),
    ("docs/platforms.md", "platforms.md"),
    ("docs/switching.md", "switching.md"),
    (TOKIO, "tokio.md"),
];

/// The documentation of a Rust module.
const TOKIO: &str = "crates/mauve/src/coming_from_tokio.md";

/// The folder of the other chapters.
const SOURCES: &str = "docs/guide/src";

/// The page of functions, by the name of each function.
type Locations = BTreeMap<String, String>;

/// Writes the sources of the book to `staged`.
pub fn prepare(staged: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(staged);
    let functions = api::Functions::load()?;
    let examples = Examples::load()?;
    let pages = api::pages()?;
    let locations = locations(&pages);
    let book = read(source().join("book.toml"))?;
    let build = format!("\n[build]\nbuild-dir = {:?}\ncreate-missing = false\n", html());
    write(&staged.join("book.toml"), book + &build)?;
    for folder in ["src", "theme"] {
        copy(&source().join(folder), &staged.join(folder))?;
    }
    for page in &pages {
        let name = page.path.file_name().unwrap_or_default();
        let text = api::render(page, &functions, &examples)?;
        write(&staged.join("src/api").join(name), text)?;
    }
    for path in below(&staged.join("src"))? {
        if path.extension().is_some_and(|end| end == "md") {
            let page = path.strip_prefix(staged.join("src")).map_err(|e| e.to_string())?;
            let text = local_links(&read(&path)?, &Path::new(SOURCES).join(page), page, staged)?;
            write(&path, pictures(&text))?;
        }
    }
    for (from, page) in CHAPTERS {
        let text = read(root().join(from))?;
        let text = if *from == TOKIO { documentation(&text) } else { text };
        let text = local_links(&text, Path::new(from), Path::new(page), staged)?;
        write(&staged.join("src").join(page), text)?;
    }
    for example in examples.all() {
        copy(&root().join(&example.path), &staged.join("src").join(example.page()))?;
    }
    link_functions(staged, &locations)
}

fn locations(pages: &[api::Page]) -> Locations {
    let mut locations = Locations::new();
    for page in pages {
        let file = page.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names = page.sections.iter().map(|section| section.name.clone());
        locations.extend(names.map(|name| (name, file.clone())));
    }
    locations
}

/// Copies a file, or the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let sources = if from.is_dir() { below(from)? } else { vec![from.to_owned()] };
    for path in sources {
        let to = match path.strip_prefix(from) {
            Ok(rest) if !rest.as_os_str().is_empty() => to.join(rest),
            _ => to.to_owned(),
        };
        files::copy(&path, &to)?;
    }
    Ok(())
}

/// Changes the links of the document `path`, whose page is `page`. Those to other chapters lead to their
/// pages, and those to other files of the repository to copies in the book.
fn local_links(text: &str, path: &Path, page: &Path, staged: &Path) -> Result<String, String> {
    let to_top = "../".repeat(page.components().count() - 1);
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at + 2);
        let end = after.find(')').ok_or("a link does not end")?;
        let (target, anchor) = after[..end].split_at(after[..end].find('#').unwrap_or(end));
        out += before;
        rest = &after[end..];
        if target.contains("://") || target.is_empty() {
            out += &format!("{target}{anchor}");
            continue;
        }
        let file = resolve(path.parent().unwrap_or(path), target);
        let chapter = CHAPTERS.iter().find(|(from, _)| Path::new(from) == file);
        let to = match (chapter, file.strip_prefix(SOURCES)) {
            (Some((_, page)), _) => PathBuf::from(page),
            (None, Ok(page)) => page.to_owned(),
            (None, Err(_)) => {
                let to = Path::new("files").join(&file);
                copy(&root().join(&file), &staged.join("src").join(&to))?;
                to
            }
        };
        out += &format!("{to_top}{}{anchor}", to.display());
    }
    Ok(out + rest)
}

/// Replaces pictures that follow the colours of the system by those that follow the theme of the book.
fn pictures(text: &str) -> String {
    let mut out = String::new();
    let mut dark = None;
    for line in text.split_inclusive('\n') {
        let attribute = |name: &str| line.split_once(name)?.1.split('"').next();
        match line.trim_end() {
            "<picture>" => out += "<div class=\"picture\">\n",
            "</picture>" => out += "</div>\n",
            source if source.starts_with("<source ") => dark = attribute("srcset=\""),
            image if image.starts_with("<img ") => {
                let alt = attribute("alt=\"").unwrap_or_default();
                for (class, file) in [("light", attribute("src=\"")), ("dark", dark.take())] {
                    let file = file.unwrap_or_default();
                    out += &format!("<img class=\"in-{class}\" src=\"{file}\" alt=\"{alt}\">\n");
                }
            }
            _ => out += line,
        }
    }
    out
}

/// A relative path without `..`.
pub fn resolve(folder: &Path, target: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in target.split('/') {
        if part == ".." {
            path.pop();
        } else {
            path.push(part);
        }
    }
    path
}

/// The documentation of a Rust module as a chapter. Links to Rust items become plain text, because
/// their targets are in another documentation.
fn documentation(source: &str) -> String {
    let mut out = "# Coming from tokio\n\n".to_owned();
    for line in source.lines() {
        // The module has titles of the first level below its own.
        if line.starts_with("# ") {
            out.push('#');
        }
        out += &without_links(line);
        out.push('\n');
    }
    out
}

/// Removes links whose target is not an address: `[text](item)` and `` [`item`] `` become their text.
fn without_links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let Some(end) = closing(&rest[at..]) else { break };
        let (text, after) = (&rest[at + 1..at + end], &rest[at + end + 1..]);
        out += &rest[..at];
        match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((target, after)) if target.contains("://") => {
                out += &format!("[{text}]({target})");
                rest = after;
            }
            // The target of a function ends with a second bracket: `(crate::workers())`.
            Some((target, after)) => {
                out += text;
                rest = if target.ends_with('(') {
                    after.strip_prefix(')').unwrap_or(after)
                } else {
                    after
                };
            }
            None if text.starts_with('`') => {
                out += text;
                rest = after;
            }
            None => {
                out += &format!("[{text}]");
                rest = after;
            }
        }
    }
    out + rest
}

/// The position of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Links the names of functions in all chapters with their documentation.
fn link_functions(staged: &Path, locations: &Locations) -> Result<(), String> {
    let chapters = staged.join("src");
    for path in below(&chapters)? {
        let is_chapter = path.extension().is_some_and(|end| end == "md");
        if !is_chapter || path.ends_with("SUMMARY.md") {
            continue;
        }
        let folder =
            if path.parent().is_some_and(|folder| folder.ends_with("api")) { "" } else { "api/" };
        write(&path, linked(&read(&path)?, folder, locations))?;
    }
    Ok(())
}

/// Links names in backticks, outside of code blocks, titles and links.
fn linked(text: &str, folder: &str, locations: &Locations) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.starts_with('#') {
            out += line;
            continue;
        }
        // Every second part is between backticks.
        let parts: Vec<&str> = line.split('`').collect();
        for (at, part) in parts.iter().enumerate() {
            let is_quoted = at % 2 == 1 && at + 1 < parts.len();
            let is_link = at > 0 && parts[at - 1].ends_with('[');
            match locations.get(*part).filter(|_| is_quoted && !is_link) {
                Some(file) => out += &format!("[`{part}`]({folder}{file}#{part})"),
                None if is_quoted => out += &format!("`{part}`"),
                None if at % 2 == 1 => out += &format!("`{part}"),
                None => out += part,
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions_are_linked_outside_of_code() {
        let locations = Locations::from([("uv_run".to_owned(), "loop.md".to_owned())]);
        let link = |text| linked(text, "api/", &locations);
        assert_eq!(link("call `uv_run` now"), "call [`uv_run`](api/loop.md#uv_run) now");
        assert_eq!(link("[`uv_run`](x.md), `uv_other`"), "[`uv_run`](x.md), `uv_other`");
        assert_eq!(link("# `uv_run`\n"), "# `uv_run`\n");
        assert_eq!(link("```c\n`uv_run`\n```\n`a"), "```c\n`uv_run`\n```\n`a");
    }

    #[test]
    fn links_to_rust_items_become_text() {
        assert_eq!(without_links("| [`a`](b::c()) | [`d`] | x[0] |"), "| `a` | `d` | x[0] |");
        assert_eq!(without_links("[`#[m]`](macro@m) [t](https://a.b)"), "`#[m]` [t](https://a.b)");
    }

    #[test]
    fn pictures_follow_the_theme_of_the_book() {
        let text = "<picture>\n<source media=\"x\" srcset=\"d.png\">\n<img src=\"l.png\" alt=\"A\">\n</picture>\na\n";
        assert_eq!(
            pictures(text),
            "<div class=\"picture\">\n<img class=\"in-light\" src=\"l.png\" alt=\"A\">\n\
             <img class=\"in-dark\" src=\"d.png\" alt=\"A\">\n</div>\na\n"
        );
    }

    #[test]
    fn links_between_folders_are_resolved() {
        assert_eq!(resolve(Path::new("docs"), "../examples/a.c"), Path::new("examples/a.c"));
        assert_eq!(
            resolve(Path::new("docs"), "bench/README.md"),
            Path::new("docs/bench/README.md")
        );
    }
}
