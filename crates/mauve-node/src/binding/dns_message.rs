//! Encodes DNS queries and decodes responses (RFC 1035).

use std::net::{Ipv4Addr, Ipv6Addr};

use rquickjs::{Array, Ctx, Object, Result, TypedArray};

use super::define;
use crate::host::views::Bytes;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "encodeQuery", |ctx, id, name: String, kind| match encode(id, &name, kind) {
        Some(bytes) => TypedArray::new(ctx, bytes).map(Some),
        None => Ok(None),
    })?;
    define(object, "decodeResponse", decode)
}

const INTERNET: u16 = 1;
const RECURSION_DESIRED: u16 = 0x0100;
const TRUNCATED: u16 = 0x0200;

/// How many pointers a name may follow, so that a loop ends.
const MAX_POINTERS: usize = 64;

/// Encodes a query for records of a type. `None` if the name is invalid.
fn encode(id: u16, name: &str, kind: u16) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    for word in [id, RECURSION_DESIRED, 1, 0, 0, 0] {
        message.extend(word.to_be_bytes());
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.chars().count() > 253 {
        return None;
    }
    for label in name.split('.').filter(|_| !name.is_empty()) {
        // Names are Latin-1.
        let label: Vec<u8> = label.chars().map(|letter| letter as u32 as u8).collect();
        if label.is_empty() || label.len() > 63 {
            return None;
        }
        message.push(label.len() as u8);
        message.extend(label);
    }
    message.push(0);
    message.extend(kind.to_be_bytes());
    message.extend(INTERNET.to_be_bytes());
    Some(message)
}

/// Returns `{ id, code, isTruncated, answers: [{ number, ttl, data }] }`. `None` if the message is
/// malformed.
fn decode(ctx: Ctx<'_>, message: Bytes) -> Result<Option<Object<'_>>> {
    let mut reader = Reader { bytes: &message.0, at: 0 };
    let Some((id, flags, records)) = reader.records() else { return Ok(None) };
    let answers = Array::new(ctx.clone())?;
    for (index, record) in records.iter().enumerate() {
        reader.at = record.begin;
        let data = Object::new(ctx.clone())?;
        if reader.data(record, &data)?.is_none() {
            return Ok(None);
        }
        let answer = Object::new(ctx.clone())?;
        answer.set("number", record.kind)?;
        // rquickjs converts u32 to a signed number.
        answer.set("ttl", f64::from(record.ttl))?;
        answer.set("data", data)?;
        answers.set(index, answer)?;
    }
    let response = Object::new(ctx)?;
    response.set("id", id)?;
    response.set("code", flags & 15)?;
    response.set("isTruncated", flags & TRUNCATED != 0)?;
    response.set("answers", answers)?;
    Ok(Some(response))
}

struct Record {
    kind: u16,
    ttl: u32,
    begin: usize,
    end: usize,
}

/// Reads a message in sequence. The functions return `None` past the end.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4).map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u8()?;
        self.take(length.into()).map(latin1)
    }

    /// Reads a name, which may end in a pointer to an earlier name.
    fn name(&mut self) -> Option<String> {
        let mut labels = Vec::new();
        let mut end = None;
        let mut pointers = 0;
        loop {
            match self.u8()? {
                0 => break,
                size @ 0xc0.. => {
                    let low = self.u8()?;
                    end.get_or_insert(self.at);
                    self.at = usize::from(size & 0x3f) << 8 | usize::from(low);
                    pointers += 1;
                    if pointers == MAX_POINTERS {
                        return None;
                    }
                }
                size => labels.push(latin1(self.take(size.into())?)),
            }
        }
        self.at = end.unwrap_or(self.at);
        Some(labels.join("."))
    }

    /// Reads a name that must not contain pointers.
    fn uncompressed_name(&mut self) -> Option<String> {
        let mut labels = Vec::new();
        loop {
            match self.u8()? {
                0 => return Some(labels.join(".")),
                0xc0.. => return None,
                size => labels.push(latin1(self.take(size.into())?)),
            }
        }
    }

    /// The id, the flags and the answers.
    fn records(&mut self) -> Option<(u16, u16, Vec<Record>)> {
        let (id, flags) = (self.u16()?, self.u16()?);
        let (questions, count) = (self.u16()?, self.u16()?);
        self.take(4)?;
        for _ in 0..questions {
            self.name()?;
            self.take(4)?;
        }
        let mut records = Vec::new();
        for _ in 0..count {
            self.name()?;
            let kind = self.u16()?;
            self.u16()?;
            let ttl = self.u32()?;
            let size = self.u16()?;
            let begin = self.at;
            self.take(size.into())?;
            records.push(Record { kind, ttl, begin, end: self.at });
        }
        Some((id, flags, records))
    }

    /// Sets the properties of a record, in Node's order. A record of an unknown type has none.
    fn data(&mut self, record: &Record, data: &Object<'_>) -> Result<Option<()>> {
        let mut set = || -> Option<Result<()>> {
            Some(match record.kind {
                1 => {
                    let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
                    data.set("address", Ipv4Addr::from(bytes).to_string())
                }
                28 => {
                    let bytes: [u8; 16] = self.take(16)?.try_into().ok()?;
                    data.set("address", ipv6_text(bytes.into()))
                }
                2 | 5 | 12 => data.set("value", self.name()?),
                15 => {
                    let priority = self.u16()?;
                    let exchange = self.name()?;
                    data.set("exchange", exchange).and_then(|()| data.set("priority", priority))
                }
                16 => {
                    let mut entries = Vec::new();
                    while self.at < record.end {
                        let length = self.u8()?;
                        let text = self.take(length.into())?;
                        entries.push(String::from_utf8_lossy(text).into_owned());
                    }
                    data.set("entries", entries)
                }
                6 => {
                    let names = [("nsname", self.name()?), ("hostmaster", self.name()?)];
                    let mut result =
                        names.into_iter().try_for_each(|(key, name)| data.set(key, name));
                    for key in ["serial", "refresh", "retry", "expire", "minttl"] {
                        let number = self.u32()?;
                        // Node shows the durations as signed numbers.
                        let shown = match key {
                            "serial" | "minttl" => f64::from(number),
                            _ => f64::from(number.cast_signed()),
                        };
                        result = result.and_then(|()| data.set(key, shown));
                    }
                    result
                }
                33 => {
                    let (priority, weight, port) = (self.u16()?, self.u16()?, self.u16()?);
                    let name = self.uncompressed_name()?;
                    let numbers = [("port", port), ("priority", priority), ("weight", weight)];
                    data.set("name", name).and_then(|()| set_all(data, numbers))
                }
                35 => {
                    let (order, preference) = (self.u16()?, self.u16()?);
                    let texts = [
                        ("flags", self.text()?),
                        ("service", self.text()?),
                        ("regexp", self.text()?),
                        ("replacement", self.name()?),
                    ];
                    texts.into_iter().try_for_each(|(key, text)| data.set(key, text)).and_then(
                        |()| set_all(data, [("order", order), ("preference", preference)]),
                    )
                }
                257 => {
                    let critical = self.u8()?;
                    let tag = self.text()?;
                    let value = self.take(record.end.checked_sub(self.at)?).map(latin1)?;
                    data.set("critical", critical).and_then(|()| data.set(tag, value))
                }
                _ => Ok(()),
            })
        };
        set().transpose()
    }
}

fn set_all<const N: usize>(data: &Object<'_>, numbers: [(&str, u16); N]) -> Result<()> {
    numbers.into_iter().try_for_each(|(key, number)| data.set(key, number))
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The text of an address, without dotted notation for the last four bytes.
fn ipv6_text(address: Ipv6Addr) -> String {
    let groups = address.segments();
    let zeros = |start: usize| groups[start..].iter().take_while(|group| **group == 0).count();
    // The first of the longest runs of zeros is compressed, if it has two at least.
    let longest = (0..8).rev().max_by_key(|start| zeros(*start)).unwrap_or(0);
    let join =
        |part: &[u16]| part.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    match zeros(longest) {
        0 | 1 => join(&groups),
        length => format!("{}::{}", join(&groups[..longest]), join(&groups[longest + length..])),
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, encode, ipv6_text};

    #[test]
    fn a_query_has_labels_and_a_type() {
        let query = encode(0x0102, "a.bc.", 28).expect("the name is valid");
        assert_eq!(query[..4], [1, 2, 1, 0]);
        assert_eq!(query[12..], [1, b'a', 2, b'b', b'c', 0, 0, 28, 0, 1]);
        assert_eq!(encode(1, "a..b", 1), None);
        assert_eq!(encode(1, &"x".repeat(64), 1), None);
        assert_eq!(encode(1, ".", 1).map(|query| query.len()), Some(17));
    }

    #[test]
    fn names_follow_pointers_but_no_loops() {
        let bytes = [1, b'a', 0, 1, b'b', 0xc0, 0, 9, 0xc0, 8];
        let mut reader = Reader { bytes: &bytes, at: 3 };
        assert_eq!(reader.name().as_deref(), Some("b.a"));
        assert_eq!(reader.u8(), Some(9));
        assert_eq!(reader.name(), None);
        assert_eq!(Reader { bytes: &[3, b'a'], at: 0 }.name(), None);
    }

    #[test]
    fn the_longest_run_of_zeros_is_compressed() {
        for text in ["::1", "1::", "1:0:0:2::3", "1:2:3:4:5:6:7:8", "1:0:2:3:4:5:6:7"] {
            assert_eq!(ipv6_text(text.parse().expect("an address")), text);
        }
    }
}
