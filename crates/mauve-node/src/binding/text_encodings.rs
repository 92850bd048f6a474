//! The encodings of `TextDecoder`: their labels, and windows-1252.

use rquickjs::{Object, Result};

use super::define;
use crate::host::text::Text;
use crate::host::views::Bytes;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "findEncoding", |label: Text| find(&label.0))?;
    define(object, "windows1252Decode", |bytes: Bytes| windows_1252(&bytes.0))?;
    Ok(())
}

const LABELS: &[(&str, &[&str])] = &[
    (
        "utf-8",
        &[
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "utf-8",
            "utf8",
            "x-unicode20utf8",
        ],
    ),
    (
        "utf-16le",
        &["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"],
    ),
    (
        "windows-1252",
        &[
            "ansi_x3.4-1968",
            "ascii",
            "cp1252",
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
            "us-ascii",
            "windows-1252",
            "x-cp1252",
        ],
    ),
];

/// The name of the encoding with this label.
fn find(label: &str) -> Option<&'static str> {
    let label = label.trim_matches(['\t', '\n', '\x0c', '\r', ' ']).to_lowercase();
    LABELS.iter().find(|(_, labels)| labels.contains(&label.as_str())).map(|(name, _)| *name)
}

/// The characters 0x80 to 0x9f, where windows-1252 differs from Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(bytes: &[u8]) -> String {
    let decode = |byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        byte => char::from(*byte),
    };
    bytes.iter().map(decode).collect()
}
