//! The options of the attributes.

use std::str::FromStr;

use proc_macro::{Span, TokenStream, TokenTree};

use crate::error::Error;
use crate::respan;

/// `crate = path, start_paused = true, sim = 100, faults = 0.01`, each of them optional.
#[derive(Default)]
pub struct Options {
    /// The path of the crate `mauve`.
    pub path: Option<TokenStream>,
    /// Whether time is paused at the beginning.
    pub start_paused: bool,
    /// How many orders of events a test runs under.
    pub seeds: Option<Number>,
    /// How often calls fail in a test that has seeds.
    pub faults: Option<Number>,
}

/// A number, as it is written.
pub struct Number {
    pub text: String,
    pub span: Span,
}

/// How many seeds there are without a number.
const SEEDS: &str = "100";

impl Options {
    pub fn parse(options: TokenStream) -> Result<Self, Error> {
        let mut parsed = Self::default();
        let options: Vec<_> = options.into_iter().collect();
        for option in options.split(|token| is_punct(token, ',')) {
            match option {
                // A comma at the end.
                [] => {}
                [TokenTree::Ident(name), sign, value @ ..]
                    if is_punct(sign, '=') && !value.is_empty() =>
                {
                    match name.to_string().as_str() {
                        "crate" => parsed.path = Some(path(value)?),
                        "sim" => parsed.seeds = Some(Number::parse::<u64>(value)?),
                        "faults" => parsed.faults = Some(Number::parse::<f64>(value)?),
                        "start_paused" => parsed.start_paused = boolean(value)?,
                        _ => return Err(unknown(&option[0])),
                    }
                }
                [TokenTree::Ident(name)] if name.to_string() == "sim" => {
                    parsed.seeds = Some(Number { text: SEEDS.to_owned(), span: name.span() });
                }
                [first, ..] => return Err(unknown(first)),
            }
        }
        match &parsed.faults {
            Some(Number { span, .. }) if parsed.seeds.is_none() => {
                Err(Error::new(*span, "`faults` needs the option `sim`"))
            }
            _ => Ok(parsed),
        }
    }
}

fn unknown(token: &TokenTree) -> Error {
    let message = "the options are `crate = path`, `start_paused = true` and, for tests, `sim` and \
                   `faults`. A loop runs on one thread: `mauve::workers` uses several";
    Error::new(token.span(), message)
}

impl Number {
    fn parse<N: FromStr>(value: &[TokenTree]) -> Result<Self, Error> {
        match value {
            [TokenTree::Literal(number)] if number.to_string().parse::<N>().is_ok() => {
                Ok(Self { text: number.to_string(), span: number.span() })
            }
            _ => Err(Error::new(value[0].span(), "expected a number")),
        }
    }
}

fn boolean(value: &[TokenTree]) -> Result<bool, Error> {
    match value {
        [TokenTree::Ident(value)] if value.to_string() == "true" => Ok(true),
        [TokenTree::Ident(value)] if value.to_string() == "false" => Ok(false),
        _ => Err(Error::new(value[0].span(), "expected `true` or `false`")),
    }
}

/// A path. A string is accepted, too, as tokio's attributes need it.
fn path(value: &[TokenTree]) -> Result<TokenStream, Error> {
    let [TokenTree::Literal(string)] = value else { return Ok(value.iter().cloned().collect()) };
    let text = string.to_string();
    let content = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let path = content.and_then(|content| content.parse().ok());
    let path = path.ok_or_else(|| Error::new(string.span(), "expected a path"))?;
    Ok(respan(path, string.span()))
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
