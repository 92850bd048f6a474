//! Errors of the attributes, reported at the token that causes them.

use proc_macro::{Span, TokenStream};

use crate::parse;

pub struct Error {
    span: Span,
    message: String,
}

impl Error {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// A `compile_error!` with the message.
    pub fn into_tokens(self) -> TokenStream {
        parse(&format!("::core::compile_error! {{ {:?} }}", self.message), self.span)
    }
}
