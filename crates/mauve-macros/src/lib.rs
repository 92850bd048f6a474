//! The attributes `#[mauve::main]` and `#[mauve::test]`. The crate [mauve] exports and documents them.
//!
//! Each keeps the function that it is written at, and wraps it:
//!
//! ```text
//! fn main() -> Output {
//!     async fn main() -> Output { ... }
//!     ::mauve::macro_support::block_on(main())
//! }
//! ```
//!
//! So the compiler reports mistakes in the function as it does without the attribute.
//!
//! [mauve]: https://docs.rs/mauve

#![forbid(unsafe_code)]

mod error;
mod function;
mod options;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use error::Error;
use function::Function;
use options::Options;

/// Runs an `async fn main` on a new loop. See
/// [`mauve::main`](https://docs.rs/mauve/latest/mauve/attr.main.html).
#[proc_macro_attribute]
pub fn main(options: TokenStream, item: TokenStream) -> TokenStream {
    let name = function::name(item.clone()).filter(|name| name.to_string() == "main");
    expand("", options, item).unwrap_or_else(|error| {
        // With this `main` instead, the compiler does not report its absence as well.
        let stub = name.map(|name| parse("fn main() {}", name.span()));
        error.into_tokens().into_iter().chain(stub.into_iter().flatten()).collect()
    })
}

/// Makes a test of an `async fn`, which runs on a loop of its own. See
/// [`mauve::test`](https://docs.rs/mauve/latest/mauve/attr.test.html).
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    expand("#[::core::prelude::v1::test]", options, item).unwrap_or_else(Error::into_tokens)
}

/// Wraps an `async fn` in a function with an additional attribute.
fn expand(attribute: &str, options: TokenStream, item: TokenStream) -> Result<TokenStream, Error> {
    let Options { path, start_paused, seeds, faults } = Options::parse(options)?;
    let function = Function::parse(item)?;
    if !attribute.is_empty() {
        function.check_no_test_attribute()?;
    } else if let Some(seeds) = &seeds {
        return Err(Error::new(seeds.span, "`sim` is an option of `#[mauve::test]`"));
    }
    // Errors of the call are reported at the name of the function.
    let span = Span::mixed_site().located_at(function.name.span());
    let name = &function.name;
    let call = match seeds {
        Some(seeds) => {
            let rate: f64 = faults.and_then(|rate| rate.text.parse().ok()).unwrap_or_default();
            // As a literal of a floating-point number, also if it is written as an integer.
            format!("::macro_support::simulate({}, {rate:?}, {name})", seeds.text)
        }
        None if start_paused => format!("::macro_support::block_on_paused({name}())"),
        None => format!("::macro_support::block_on({name}())"),
    };
    let run = path.unwrap_or_else(|| parse("::mauve", Span::call_site().located_at(span)));

    let mut body = TokenStream::new();
    body.extend(function.inner());
    body.extend(run);
    body.extend(parse(&call, span));
    let mut wrapper = parse(attribute, span);
    wrapper.extend(function.outer());
    wrapper.extend([TokenTree::from(Group::new(Delimiter::Brace, body))]);
    Ok(wrapper)
}

/// The tokens of `code`, with the span `span`.
fn parse(code: &str, span: Span) -> TokenStream {
    let tokens: TokenStream = code.parse().expect("valid Rust");
    respan(tokens, span)
}

fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |token: TokenTree| {
        let mut token = match token {
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), respan(group.stream(), span)).into()
            }
            token => token,
        };
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}
