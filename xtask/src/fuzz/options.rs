//! The command line of `cargo xtask fuzz`.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Parser};

use crate::arguments::number;

use super::verbs::{AREAS, Area};

/// The number of seeds in `cargo xtask test`.
const QUICK_SEEDS: u64 = 500;

/// The libuv to compare with.
#[derive(Debug, PartialEq, Eq)]
pub enum Reference {
    /// libuv 1.53, built from source.
    Libuv153,
    /// The system's libuv, such as Debian's libuv1.
    System,
    /// The `libuv.so.1` of this folder.
    In(PathBuf),
}

/// The options that select scripts.
#[derive(Args, Clone, Debug)]
pub struct Seeds {
    /// Run N seeds
    #[arg(long = "seeds", value_name = "N", default_value = "1000", value_parser = number::<u64>)]
    pub count: u64,
    /// Run only seed S
    #[arg(long = "seed", value_name = "S", value_parser = number::<u64>)]
    only: Option<u64>,
    /// Start with seed S
    #[arg(long, value_name = "S", value_parser = number::<u64>)]
    from: Option<u64>,
    /// Start with a seed that was not used before
    #[arg(long)]
    random: bool,
    /// Print the script of the first seed, and exit
    #[arg(long)]
    pub print_script: bool,
}

impl Seeds {
    /// The first seeds.
    pub fn first(count: u64) -> Self {
        Self { count, only: None, from: None, random: false, print_script: false }
    }

    /// The seeds to run.
    pub fn range(&self) -> Range<u64> {
        let first = self.from.unwrap_or(if self.random { now() } else { 0 });
        self.only.map_or(first..first + self.count, |seed| seed..seed + 1)
    }
}

/// The command line.
#[derive(Args, Clone, Debug)]
pub struct Options {
    #[command(flatten)]
    pub seeds: Seeds,
    /// Generate operations of these areas: timer, tcp, ...
    #[arg(long = "only", value_name = "AREA,...", value_delimiter = ',', value_parser = area)]
    pub areas: Vec<Area>,
    /// Compare with the system's libuv
    #[arg(long)]
    system: bool,
    /// Compare with DIR/libuv.so.1
    #[arg(long, value_name = "DIR")]
    libuv: Option<PathBuf>,
    /// Test DIR/libuv.so.1 instead of mauve
    #[arg(long, value_name = "DIR")]
    pub library: Option<PathBuf>,
    /// Run one script
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Stop after about N differences
    #[arg(long, value_name = "N", default_value = "20", value_parser = number::<usize>)]
    pub limit: usize,
    /// Minimise and print N differences
    #[arg(long, value_name = "N", default_value = "5", value_parser = number::<usize>)]
    pub show: usize,
}

#[derive(Parser)]
struct Defaults {
    #[command(flatten)]
    options: Options,
}

impl Options {
    /// The seeds of `cargo xtask test`.
    pub fn quick() -> Self {
        Self { seeds: Seeds::first(QUICK_SEEDS), ..Defaults::parse_from([""]).options }
    }

    pub fn reference(&self) -> Reference {
        match &self.libuv {
            Some(folder) => Reference::In(folder.clone()),
            None if self.system => Reference::System,
            None => Reference::Libuv153,
        }
    }
}

fn area(name: &str) -> Result<Area, String> {
    let found = AREAS.iter().find(|known| **known == name).copied();
    found.ok_or_else(|| format!("unknown area {name}; the areas are {}", AREAS.join(", ")))
}

/// A seed that no earlier run has used.
fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_secs() * 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_seed_selects_one_script() {
        let arguments = ["", "--seed", "7", "--only", "timer,async"];
        let options = Defaults::parse_from(arguments).options;
        assert_eq!(options.seeds.range(), 7..8);
        assert_eq!(options.areas, ["timer", "async"]);
        assert_eq!(Options::quick().seeds.range(), 0..QUICK_SEEDS);
    }

    #[test]
    fn an_unknown_area_is_an_error_that_lists_the_areas() {
        let why = Defaults::try_parse_from(["", "--only", "weather"]).err().expect("an error");
        assert!(why.to_string().contains("timer"), "{why}");
    }
}
