//! `#[export]`: how mauve-uv declares a function of the C ABI.
//!
//! The attribute gives a function its C name, and has it begin with `crate::cork::flush()`. So
//! every call into the library first sends what the program's callback has corked, and no list of
//! such calls can be incomplete.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Declares a function of the C ABI.
///
/// * `#[export]`: it flushes corked writes first.
/// * `#[export(pure)]`: it reads its arguments and the structs they point to, and nothing else. A
///   program cannot tell whether corked bytes leave before or after it.
/// * `#[export(corks)]`: it decides by itself when to flush.
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
    text.parse().expect("it is Rust")
}
