//! Examples of functions: parts of C programs that the tests compile and run.
//!
//! The programs of the guide come first, then those of `crates/mauve-uv/tests/c`. The example of a
//! function is the shortest C function that calls it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::source;
use crate::files::{below, read};
use crate::root;

/// Folders of programs that are no examples: they misuse the library, or run on mauve alone.
const SKIPPED: &[&str] = &["misuse", "differences", "exhaustion", "tolerated"];

/// Functions that are longer are shown only if there is no other.
const LINES: usize = 40;

/// The examples of all functions.
pub struct Examples(BTreeMap<String, Example>);

/// A C function that calls a function of the library.
#[derive(Clone)]
pub struct Example {
    /// The path of the program in the repository.
    pub path: PathBuf,
    code: String,
    /// Smaller is better.
    rank: (usize, usize),
}

impl Examples {
    pub fn load() -> Result<Self, String> {
        let mut found = BTreeMap::new();
        let tests = root().join("crates/mauve-uv/tests/c");
        for (origin, folder) in [source().join("programs"), tests].iter().enumerate() {
            for path in below(folder)? {
                let skipped = path
                    .components()
                    .any(|part| SKIPPED.iter().any(|name| part.as_os_str() == *name));
                if path.extension().is_some_and(|end| end == "c") && !skipped {
                    collect(&path, origin, &mut found)?;
                }
            }
        }
        Ok(Self(found))
    }

    pub fn of(&self, name: &str) -> Option<&Example> {
        self.0.get(name)
    }

    pub fn all(&self) -> impl Iterator<Item = &Example> {
        self.0.values()
    }
}

/// Adds the C functions of a program where they are better than what was found before.
fn collect(
    path: &Path,
    origin: usize,
    found: &mut BTreeMap<String, Example>,
) -> Result<(), String> {
    let text = read(path)?;
    let path = path.strip_prefix(root()).unwrap_or(path);
    for code in functions(&text) {
        let lines = code.lines().count();
        // A long example of the guide is worse than a short one of the tests.
        let rank = (origin + if lines > LINES { 2 } else { 0 }, lines);
        for name in calls(&code) {
            let example = Example { path: path.to_owned(), code: code.clone(), rank };
            let best = found.entry(name.to_owned()).or_insert_with(|| example.clone());
            if example.rank < best.rank {
                *best = example;
            }
        }
    }
    Ok(())
}

/// The C functions of a program: from a line that starts a definition to the brace in the first
/// column.
fn functions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (end, _) in lines.iter().enumerate().filter(|(_, line)| **line == "}") {
        let starts =
            |line: &str| line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.contains('(');
        if let Some(begin) = (0..end).rev().find(|at| starts(lines[*at])) {
            found.push(lines[begin..=end].join("\n"));
        }
    }
    found
}

/// The functions of the library that a piece of C calls or passes on.
fn calls(code: &str) -> Vec<&str> {
    let mut words: Vec<&str> = code
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("uv_") && !word.ends_with("_t"))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

impl Example {
    /// Where the pages have the whole program.
    pub fn page(&self) -> String {
        format!("files/{}", self.path.display())
    }

    pub fn render(&self) -> String {
        format!(
            "\n<details><summary>Example</summary>\n\n```c\n{}\n```\n\nFrom [{}](../{}).\n\n</details>\n",
            self.code,
            self.path.display(),
            self.page()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_ends_at_a_brace_in_the_first_column() {
        let text = "#include <uv.h>\n\nstatic void f(int a,\n              int b) {\n  uv_stop(0);\n}\n\nint main(void) {\n  f(1, 2);\n}\n";
        let found = functions(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("static void f") && found[0].ends_with('}'));
        assert_eq!(calls(&found[0]), ["uv_stop"]);
        assert_eq!(calls("uv_loop_t* l = uv_default_loop();"), ["uv_default_loop"]);
    }
}
