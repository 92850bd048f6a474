//! `cargo xtask guide`: runs the programs of the guide, builds its pages and checks them.
//!
//! The guide is an mdBook in `docs/guide`, and plain Markdown: `cargo xtask generate` copies the programs of
//! `docs/guide/programs` and their stored outputs into its chapters. The book has in addition an example
//! and links for each function, so it is built from a copy in the target folder.

mod api;
mod errors;
mod example;
mod pages;
mod pictures;
mod programs;
mod stage;

use std::path::PathBuf;

#[cfg(test)]
pub use api::constants;
pub use pictures::take as take_pictures;

use crate::build::{cargo, quietly};
use crate::tally::Tally;
use crate::{generate, root, target};

/// Runs the programs, builds the pages and checks them. With `is_bless`, the outputs of the programs are
/// stored instead of compared.
pub fn run(is_bless: bool) -> Result<Tally, String> {
    let mut tally = programs::run(is_bless)?;
    if is_bless {
        // The chapters repeat the outputs.
        generate::write()?;
    }
    tally += Tally::passed(api::check()? + errors::check()?);
    if let Err(why) = download() {
        tally.skip(1, format!("the crates of mdBook cannot be downloaded: {why}"));
    } else {
        build()?;
        tally += pages::check(&html())?;
        println!("the guide is {}", html().join("index.html").display());
    }
    println!("{tally}");
    Ok(tally)
}

/// The sources of the guide.
fn source() -> PathBuf {
    root().join("docs/guide")
}

/// The folder of generated files.
fn folder() -> PathBuf {
    target().join("guide")
}

/// The built pages.
fn html() -> PathBuf {
    folder().join("html")
}

/// The manifest of the tool that builds the pages.
fn tool() -> PathBuf {
    root().join("xtask/book/Cargo.toml")
}

/// Downloads the crates of mdBook if they are missing: the rest of the repository does not need them.
fn download() -> Result<(), String> {
    let mut fetch = cargo();
    fetch.args(["fetch", "--quiet", "--locked", "--manifest-path"]).arg(tool());
    quietly(&mut fetch).map(drop)
}

/// Builds the pages.
fn build() -> Result<(), String> {
    let staged = folder().join("source");
    stage::prepare(&staged)?;
    let mut book = cargo();
    book.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(tool());
    book.arg("--target-dir").arg(target().join("book")).arg("--").arg(&staged);
    // mdBook logs each step; errors are in its result.
    quietly(book.env("RUST_LOG", "warn")).map(drop)
}
