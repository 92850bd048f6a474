//! The parts of an `async fn`.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::error::Error;

/// A function without parameters.
pub struct Function {
    attributes: Vec<TokenTree>,
    visibility: Vec<TokenTree>,
    /// The tokens `async` and `fn`.
    async_fn: [Ident; 2],
    pub name: Ident,
    parameters: Group,
    /// The return type, with its arrow, and a `where` clause.
    output: Vec<TokenTree>,
    body: Group,
}

impl Function {
    pub fn parse(item: TokenStream) -> Result<Self, Error> {
        let not_async = |span| Error::new(span, "expected an `async fn`");
        let mut tokens: Vec<TokenTree> = item.into_iter().collect();
        let Some(TokenTree::Group(body)) = tokens.pop_if(|token| is_group(token, Delimiter::Brace))
        else {
            let span = tokens.last().map_or(Span::call_site(), TokenTree::span);
            return Err(Error::new(span, "expected a function with a body"));
        };
        let mut tokens = tokens.into_iter().peekable();

        let mut attributes = Vec::new();
        while let Some(sign) = tokens.next_if(|token| is_punct(token, '#')) {
            attributes.push(sign);
            attributes.extend(tokens.next());
        }
        let mut visibility = Vec::new();
        if let Some(public) = tokens.next_if(|token| is_ident(token, "pub")) {
            visibility.push(public);
            visibility.extend(tokens.next_if(|token| is_group(token, Delimiter::Parenthesis)));
        }
        let mut ident = |is_wanted: fn(&Ident) -> bool| match tokens.next() {
            Some(TokenTree::Ident(ident)) if is_wanted(&ident) => Ok(ident),
            token => Err(not_async(token.map_or(body.span(), |token| token.span()))),
        };
        let keyword = ident(|ident| ident.to_string() == "async")?;
        let fn_keyword = ident(|ident| ident.to_string() == "fn")?;
        let name = ident(|_| true)?;
        let parameters = match tokens.next() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => group,
            Some(token) => return Err(Error::new(token.span(), "the function cannot be generic")),
            None => return Err(not_async(name.span())),
        };
        if !parameters.stream().is_empty() {
            return Err(Error::new(parameters.span(), "the function cannot have parameters"));
        }
        let (async_fn, output) = ([keyword, fn_keyword], tokens.collect());
        Ok(Self { attributes, visibility, async_fn, name, parameters, output, body })
    }

    /// `#[test]` next to `#[mauve::test]` would run the test twice.
    pub fn check_no_test_attribute(&self) -> Result<(), Error> {
        let is_test = |token: &&TokenTree| {
            let TokenTree::Group(group) = token else { return false };
            group.stream().into_iter().last().is_some_and(|last| is_ident(&last, "test"))
        };
        match self.attributes.iter().find(is_test) {
            Some(token) => Err(Error::new(token.span(), "`#[mauve::test]` adds `#[test]`")),
            None => Ok(()),
        }
    }

    /// The function itself, without attributes: these are for the wrapper.
    pub fn inner(&self) -> impl Iterator<Item = TokenTree> {
        let keywords = self.async_fn.iter().cloned().map(TokenTree::from);
        keywords.chain(self.signature()).chain([TokenTree::from(self.body.clone())])
    }

    /// The wrapper, without its body.
    pub fn outer(&self) -> impl Iterator<Item = TokenTree> {
        let fn_keyword = TokenTree::from(self.async_fn[1].clone());
        let before = self.attributes.iter().chain(&self.visibility).cloned();
        before.chain([fn_keyword]).chain(self.signature())
    }

    fn signature(&self) -> impl Iterator<Item = TokenTree> {
        let name = [TokenTree::from(self.name.clone()), self.parameters.clone().into()];
        name.into_iter().chain(self.output.iter().cloned())
    }
}

/// The name of a function, even if it cannot be parsed.
pub fn name(item: TokenStream) -> Option<TokenTree> {
    let mut tokens = item.into_iter();
    tokens.find(|token| is_ident(token, "fn"))?;
    tokens.next()
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == name)
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}
