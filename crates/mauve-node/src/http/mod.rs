//! HTTP/1 messages, without JavaScript: a parser of incoming ones, and the state of outgoing ones.

mod incoming;
mod methods;
pub(crate) mod outgoing;
mod parser;

pub(crate) use incoming::{SINGLE, Value as FieldValue, collect};
pub(crate) use methods::{METHODS, is_token};
pub(crate) use parser::{BodyKind, Event, ParseError, Parser, Role, flag};
