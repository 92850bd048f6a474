//! Builds a book: `book FOLDER` reads `FOLDER/book.toml` and writes the pages that it names.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: book FOLDER");
        return ExitCode::FAILURE;
    };
    let book = mdbook_driver::MDBook::load(folder);
    match book.and_then(|book| book.build()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
