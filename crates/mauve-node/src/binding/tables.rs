//! Constants of Node's modules: the colours of terminals, the codes of `DOMException`, types of DNS records.

use rquickjs::convert::List;
use rquickjs::{Object, Result};

use super::define;

type Entry3 = List<(String, i32, i32)>;
type Pair = List<(&'static str, &'static str)>;

/// Adds the tables of the binding `util`.
pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "colors", colors)?;
    define(object, "colorAliases", || pairs(COLOR_ALIASES))?;
    define(object, "styles", || pairs(STYLES))?;
    define(object, "domExceptions", dom_exceptions)
}

/// Adds the table of the binding `dns`: the type, the method of `dns.Resolver` and the number.
pub(super) fn fill_dns(object: &Object<'_>) -> Result<()> {
    define(object, "recordTypes", || {
        RECORD_TYPES.iter().copied().map(List).collect::<Vec<List<(&str, &str, i32)>>>()
    })
}

fn pairs(table: &[(&'static str, &'static str)]) -> Vec<Pair> {
    table.iter().copied().map(List).collect()
}

/// The name of each style, the code that switches it on, and the one that switches it off.
fn colors() -> Vec<Entry3> {
    let bright = |hue: &str| match hue {
        "black" => "gray".to_owned(),
        _ => format!("{hue}Bright"),
    };
    let background = |hue: &str| format!("bg{}{}", hue[..1].to_uppercase(), &hue[1..]);
    let named = |name: &dyn Fn(&str) -> String, first: i32, off: i32| -> Vec<_> {
        let codes = HUES.iter().zip(first..);
        codes.map(|(hue, code)| (name(hue), code, off)).collect()
    };
    let fixed = |table: &[(&str, i32, i32)]| -> Vec<_> {
        table.iter().map(|(name, on, off)| ((*name).to_owned(), *on, *off)).collect()
    };
    let all = [
        fixed(MODIFIERS),
        named(&str::to_owned, 30, 39),
        named(&background, 40, 49),
        fixed(FRAMES),
        named(&bright, 90, 39),
        named(&|hue| background(&bright(hue)), 100, 49),
    ];
    all.into_iter().flatten().map(List).collect()
}

const MODIFIERS: &[(&str, i32, i32)] = &[
    ("reset", 0, 0),
    ("bold", 1, 22),
    ("dim", 2, 22),
    ("italic", 3, 23),
    ("underline", 4, 24),
    ("blink", 5, 25),
    ("inverse", 7, 27),
    ("hidden", 8, 28),
    ("strikethrough", 9, 29),
    ("doubleunderline", 21, 24),
];
const FRAMES: &[(&str, i32, i32)] = &[("framed", 51, 54), ("overlined", 53, 55)];
const HUES: &[&str] = &["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/// The name of a style, and another name for it.
const COLOR_ALIASES: &[(&str, &str)] = &[
    ("inverse", "swapcolors"),
    ("inverse", "swapColors"),
    ("dim", "faint"),
    ("hidden", "conceal"),
    ("strikethrough", "crossedout"),
    ("strikethrough", "crossedOut"),
    ("strikethrough", "strikeThrough"),
    ("doubleunderline", "doubleUnderline"),
    ("gray", "grey"),
    ("gray", "blackBright"),
    ("bgGray", "bgGrey"),
    ("bgGray", "bgBlackBright"),
];

/// The colour of each kind of value.
const STYLES: &[(&str, &str)] = &[
    ("special", "cyan"),
    ("number", "yellow"),
    ("bigint", "yellow"),
    ("boolean", "yellow"),
    ("undefined", "grey"),
    ("null", "bold"),
    ("string", "green"),
    ("symbol", "green"),
    ("date", "magenta"),
    ("regexp", "red"),
    ("module", "underline"),
];

/// The constant and the name of each exception. Its code is its position, from 1.
fn dom_exceptions() -> Vec<List<(&'static str, Option<&'static str>)>> {
    DOM_EXCEPTIONS
        .iter()
        .map(|(code, name)| List((*code, Some(*name).filter(|name| !name.is_empty()))))
        .collect()
}

const DOM_EXCEPTIONS: &[(&str, &str)] = &[
    ("INDEX_SIZE_ERR", "IndexSizeError"),
    ("DOMSTRING_SIZE_ERR", ""),
    ("HIERARCHY_REQUEST_ERR", "HierarchyRequestError"),
    ("WRONG_DOCUMENT_ERR", "WrongDocumentError"),
    ("INVALID_CHARACTER_ERR", "InvalidCharacterError"),
    ("NO_DATA_ALLOWED_ERR", ""),
    ("NO_MODIFICATION_ALLOWED_ERR", "NoModificationAllowedError"),
    ("NOT_FOUND_ERR", "NotFoundError"),
    ("NOT_SUPPORTED_ERR", "NotSupportedError"),
    ("INUSE_ATTRIBUTE_ERR", "InUseAttributeError"),
    ("INVALID_STATE_ERR", "InvalidStateError"),
    ("SYNTAX_ERR", "SyntaxError"),
    ("INVALID_MODIFICATION_ERR", "InvalidModificationError"),
    ("NAMESPACE_ERR", "NamespaceError"),
    ("INVALID_ACCESS_ERR", "InvalidAccessError"),
    ("VALIDATION_ERR", ""),
    ("TYPE_MISMATCH_ERR", "TypeMismatchError"),
    ("SECURITY_ERR", "SecurityError"),
    ("NETWORK_ERR", "NetworkError"),
    ("ABORT_ERR", "AbortError"),
    ("URL_MISMATCH_ERR", "URLMismatchError"),
    ("QUOTA_EXCEEDED_ERR", "QuotaExceededError"),
    ("TIMEOUT_ERR", "TimeoutError"),
    ("INVALID_NODE_TYPE_ERR", "InvalidNodeTypeError"),
    ("DATA_CLONE_ERR", "DataCloneError"),
];

const RECORD_TYPES: &[(&str, &str, i32)] = &[
    ("A", "resolve4", 1),
    ("NS", "resolveNs", 2),
    ("CNAME", "resolveCname", 5),
    ("SOA", "resolveSoa", 6),
    ("PTR", "resolvePtr", 12),
    ("MX", "resolveMx", 15),
    ("TXT", "resolveTxt", 16),
    ("AAAA", "resolve6", 28),
    ("SRV", "resolveSrv", 33),
    ("NAPTR", "resolveNaptr", 35),
    ("CAA", "resolveCaa", 257),
    ("ANY", "resolveAny", 255),
];
