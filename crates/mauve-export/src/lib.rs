//! `#[export]`: the attribute of every function that mauve-uv exports to C.
//!
//! The attribute adds `#[unsafe(no_mangle)]` and inserts a call of `crate::cork::flush()` at the start
//! of the function. So every call into the library first sends corked writes, and no function can be
//! forgotten.

#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Exports a function of the C ABI.
///
/// * `#[export]`: flushes corked writes first.
/// * `#[export(pure)]`: does not flush. The function only reads its arguments and the structs that
///   they point to, so the order of its call and the flush is not observable.
/// * `#[export(corks)]`: does not flush. The function decides itself when to flush.
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
