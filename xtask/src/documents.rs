//! Tests of the documents for contributors: the files, commands and steps that they name exist.

use crate::test::step_names;
use crate::{arguments, root};

const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"];

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).expect(document)
}

/// The texts in backticks, and the lines of code blocks.
fn code(text: &str) -> Vec<String> {
    let mut is_block = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            found.push(line.to_owned());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[test]
fn files_that_documents_name_exist() {
    let folders = ["crates/", "xtask/", "abi/", "docs/", "benches/", "dist/"];
    for document in ["CONTRIBUTING.md", "SECURITY.md"] {
        for code in code(&read(document)) {
            let is_path = folders.iter().any(|folder| code.starts_with(folder));
            // Placeholders are in capitals, and `*` stands for several files.
            if is_path && !code.contains(['*', ' ']) && !code.contains("AREA") {
                assert!(root().join(&code).exists(), "{document}: there is no {code}");
            }
        }
    }
}

#[test]
fn commands_and_steps_that_documents_name_exist() {
    for document in DOCUMENTS {
        for code in code(&read(document)) {
            let Some((_, rest)) = code.split_once("cargo xtask ") else { continue };
            let mut words = rest.split_whitespace();
            let name = words.next().expect("a command");
            let is_known = arguments::command().find_subcommand(name).is_some();
            assert!(is_known, "{document}: there is no `cargo xtask {name}`");
            if name == "test" && words.next() == Some("--only") {
                let steps = words.next().expect("a step");
                let unknown = steps.split(',').find(|step| {
                    step.chars().all(char::is_lowercase) && !step_names().contains(step)
                });
                assert_eq!(unknown, None, "{document}: {code}");
            }
        }
    }
}

#[test]
fn links_of_documents_lead_to_files() {
    for document in DOCUMENTS {
        let path = root().join(document);
        let folder = path.parent().expect("a folder");
        for part in read(document).split("](").skip(1) {
            let link = part.split([')', '#']).next().expect("a link");
            if !link.is_empty() && !link.contains("://") {
                assert!(folder.join(link).exists(), "{document}: {link}");
            }
        }
    }
}
