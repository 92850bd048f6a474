use std::collections::BTreeSet;

use clap::CommandFactory as _;

use super::{all, links, name, with_links};
use crate::arguments::Arguments;
use crate::guide::constants;
use crate::setup::LIMIT;
use crate::test::{DISK_SPACE, DURATION, step_names};
use crate::{files, root};

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
    for document in all().expect("the documents") {
        for code in code(&read(&document)) {
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
    for document in all().expect("the documents") {
        for code in code(&read(&document)) {
            let Some((_, rest)) = code.split_once("cargo xtask ") else { continue };
            let mut words = rest.split_whitespace();
            let name = words.next().expect("a command");
            let is_known = Arguments::command().find_subcommand(name).is_some();
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
    for document in all().expect("the documents") {
        let path = root().join(&document);
        let folder = path.parent().expect("a folder");
        for (file, anchor) in links(&read(&document)) {
            let target = if file.is_empty() { path.clone() } else { folder.join(&file) };
            assert!(target.exists(), "{document}: {file}");
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&target).expect("a document");
                assert!(anchors(&text).any(|title| title == anchor), "{document}: {file}#{anchor}");
            }
        }
    }
    let linked = with_links("README.md").expect("the files");
    assert!(linked.contains("docs/switching.md") && linked.contains("docs/guide/src/pool.md"));
}

/// What `cargo xtask test` prints before it begins.
#[test]
fn figures_of_the_test_command_are_those_that_it_prints() {
    let plain = |document| read(document).split_whitespace().collect::<Vec<_>>().join(" ");
    let limit = format!("at most {LIMIT} MB");
    assert!(plain("README.md").contains(&limit) && plain("CONTRIBUTING.md").contains(&limit));
    let space = format!("{DISK_SPACE} in the target folder");
    assert!(plain("CONTRIBUTING.md").contains(&format!("{DURATION}, and {space}")), "{space}");
}

/// The anchors of the titles of a document, as code hosts make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter(|line| line.starts_with('#'));
    titles.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

const VARIABLES: &str = "crates/mauve-cli/topics/environment.md";

/// Variables that only builds and tests set for themselves, by their beginning.
const INTERNAL: &[&str] = &["MAUVE_CLOCK", "MAUVE_LIBUV", "MAUVE_REDIRECT", "MAUVE_TEST_"];

/// The page of variables has those that the sources read, and no others.
#[test]
fn variables_are_documented_where_they_are_read() {
    let documented: BTreeSet<String> = code(&read(VARIABLES))
        .into_iter()
        .filter(|word| word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .collect();
    let mut sources = Vec::new();
    for folder in ["crates", "benches", "xtask/src"] {
        sources.extend(files::below(&root().join(folder)).expect(folder));
    }
    let constants = constants().expect("the constants");
    let (mut read, mut all) = (BTreeSet::new(), String::new());
    for path in sources {
        let name = name(&path);
        if !name.ends_with(".rs") && !name.ends_with(".js") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        all += &text;
        let is_ours = name.starts_with("crates/") && !name.contains("/tests/");
        if is_ours {
            let strings = text.split('"').filter(|string| is_variable(string));
            let ours = ["MAUVE_", "UV_"];
            let ours = strings.filter(|name| ours.iter().any(|start| name.starts_with(start)));
            read.extend(ours.filter(|name| !constants.contains(*name)).map(str::to_owned));
            let scripts = text.split("process.env.").skip(1);
            let names = scripts.filter_map(|rest| rest.split(|c: char| !is_part(c)).next());
            read.extend(names.filter(|name| is_variable(name)).map(str::to_owned));
        }
    }
    read.retain(|name| !INTERNAL.iter().any(|start| name.starts_with(start)));
    let missing: Vec<_> = read.difference(&documented).collect();
    assert!(missing.is_empty(), "{VARIABLES} lacks {missing:?}");
    assert!(read.len() > 10, "{read:?}");
    let unknown: Vec<_> = documented.iter().filter(|name| !all.contains(*name)).collect();
    assert!(unknown.is_empty(), "no source has {unknown:?} of {VARIABLES}");
}

fn is_part(c: char) -> bool {
    c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'
}

fn is_variable(text: &str) -> bool {
    text.len() > 1 && text.chars().all(is_part) && !text.ends_with('_')
}
