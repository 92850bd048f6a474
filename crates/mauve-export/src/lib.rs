//! `#[export]`: declares a function of the C ABI in mauve-uv.
//!
//! The attribute exports a function under its C name, and inserts `crate::cork::flush()` at its
//! start. So every call into the library first sends the corked writes of the running callback, and
//! no function can be forgotten.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Declares a function of the C ABI.
///
/// * `#[export]`: it flushes corked writes first.
/// * `#[export(pure)]`: it only reads its arguments and the structs they point to, so that the time
///   of a flush is not observable.
/// * `#[export(corks)]`: it calls the flush functions itself.
#[proc_macro_attribute]
pub fn export(option: TokenStream, function: TokenStream) -> TokenStream {
    let first = match option.to_string().as_str() {
        "" => "crate::cork::flush();",
        "pure" | "corks" => "",
        _ => return error("the option is `pure` or `corks`"),
    };
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else { return error("expected a function") };
    if body.delimiter() != Delimiter::Brace {
        return error("expected a function");
    }
    let statements = parse(first).into_iter().chain(body.stream()).collect();
    let mut exported = Group::new(Delimiter::Brace, statements);
    exported.set_span(body.span());
    tokens.push(exported.into());
    parse("#[unsafe(no_mangle)]").into_iter().chain(tokens).collect()
}

fn error(message: &str) -> TokenStream {
    parse(&format!("compile_error!({message:?});"))
}

fn parse(text: &str) -> TokenStream {
    text.parse().expect("valid Rust")
}
