//! The command line of `cargo xtask fuzz`.

use std::path::PathBuf;

use clap::ArgMatches;

use crate::arguments::{has, number, path, texts};

use super::verbs::Area;

/// The default number of seeds, also in `cargo xtask test`.
const SEEDS: u64 = 1000;

/// The number of seeds in `cargo xtask test`.
const QUICK_SEEDS: u64 = 500;

/// The number of differences after which a run stops.
const LIMIT: usize = 20;

/// The number of differences that are minimised and printed.
const SHOWN: usize = 5;

/// The libuv to compare with.
#[derive(Debug, PartialEq, Eq)]
pub enum Reference {
    /// libuv 1.52, built from source.
    Libuv152,
    /// The system's libuv, such as Debian's libuv1.
    System,
    /// The `libuv.so.1` of this folder.
    In(PathBuf),
}

/// The command line.
#[derive(Debug)]
pub struct Options {
    pub seeds: u64,
    pub first: u64,
    pub areas: Vec<Area>,
    pub reference: Reference,
    /// The folder with the library under test. `None` builds mauve.
    pub library: Option<PathBuf>,
    /// A script to run instead of seeds.
    pub script: Option<PathBuf>,
    /// Whether to only print the script of the first seed.
    pub print: bool,
    pub limit: usize,
    pub shown: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seeds: SEEDS,
            first: 0,
            areas: Vec::new(),
            reference: Reference::Libuv152,
            library: None,
            script: None,
            print: false,
            limit: LIMIT,
            shown: SHOWN,
        }
    }
}

impl Options {
    /// The seeds of `cargo xtask test`.
    pub fn quick() -> Self {
        Self { seeds: QUICK_SEEDS, ..Self::default() }
    }

    pub fn new(matches: &ArgMatches) -> Result<Self, String> {
        let first = if has(matches, "random") { now() } else { 0 };
        let reference = match path(matches, "libuv") {
            Some(folder) => Reference::In(folder),
            None if has(matches, "system") => Reference::System,
            None => Reference::Libuv152,
        };
        let (first, seeds) = match number(matches, "seed")? {
            Some(seed) => (seed, 1),
            None => (
                number(matches, "from")?.unwrap_or(first),
                number(matches, "seeds")?.unwrap_or(SEEDS),
            ),
        };
        Ok(Self {
            seeds,
            first,
            areas: texts(matches, "only").into_iter().map(area).collect::<Result<_, _>>()?,
            reference,
            library: path(matches, "library"),
            script: path(matches, "script"),
            print: has(matches, "print-script"),
            limit: number(matches, "limit")?.unwrap_or(LIMIT),
            shown: number(matches, "show")?.unwrap_or(SHOWN),
        })
    }
}

fn area(name: &str) -> Result<Area, String> {
    let found = Area::ALL.iter().find(|(known, _)| *known == name);
    let names = || Area::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found
        .map(|(_, area)| *area)
        .ok_or_else(|| format!("unknown area {name}; the areas are {}", names()))
}

/// A seed that no earlier run has used.
fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_secs() * 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Result<Options, String> {
        let arguments = ["xtask", "fuzz"].into_iter().chain(arguments.iter().copied());
        let matches = crate::arguments::command().get_matches_from(arguments);
        Options::new(matches.subcommand().expect("a command").1)
    }

    #[test]
    fn the_option_seed_selects_one_script() {
        let options = options(&["--seed", "7", "--only", "timer,async"]).expect("options");
        assert_eq!((options.first, options.seeds), (7, 1));
        assert_eq!(options.areas, [Area::Timer, Area::Async]);
    }

    #[test]
    fn an_unknown_area_is_an_error_that_lists_the_areas() {
        let why = options(&["--only", "weather"]).expect_err("an error");
        assert!(why.contains("timer"), "{why}");
    }
}
