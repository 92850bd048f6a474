use super::*;

/// The events of messages, which are passed in parts of `size` bytes.
fn events(role: Role, text: &[u8], size: usize) -> Vec<String> {
    let mut parser = Parser::new(role, 16 * 1024, 2000);
    let mut found = Vec::new();
    let mut body = Vec::new();
    for part in text.chunks(size) {
        let mut at = 0;
        loop {
            match parser.next(part, &mut at) {
                Ok(Event::NeedInput) => break,
                Ok(Event::Head) => {
                    let start = String::from_utf8_lossy(&parser.head.text).into_owned();
                    let fields = String::from_utf8_lossy(&parser.head.fields).replace('\0', "|");
                    found.push(format!("head {start} {fields}"));
                    if let Err(error) = parser.begin_body(BodyKind::Normal, at) {
                        found.push(error.reason.to_owned());
                        return found;
                    }
                }
                Ok(Event::Body(range)) => body.extend_from_slice(&part[range]),
                Ok(Event::Complete) => {
                    let text = String::from_utf8_lossy(&std::mem::take(&mut body)).into_owned();
                    let trailers = String::from_utf8_lossy(&parser.head.fields).replace('\0', "|");
                    found.push(format!("body {text} {trailers}"));
                }
                Ok(Event::Upgraded) => {
                    found.push("upgraded".to_owned());
                    return found;
                }
                Err(error) => {
                    found.push(error.reason.to_owned());
                    return found;
                }
            }
        }
    }
    match parser.finish() {
        Ok(true) => found.push(format!("body {} until end", String::from_utf8_lossy(&body))),
        Ok(false) => {}
        Err(error) => found.push(error.reason.to_owned()),
    }
    found
}

const MESSAGES: &[&[u8]] = &[
    b"\r\nGET /a?b#c HTTP/1.1\r\nHost: x\r\nEmpty:\r\nA:  b \t\r\n\r\nPOST * HTTP/1.0\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 5 \r\n\r\nhelloGET / HTTP/1.1\r\n\r\n",
    b"PUT http://u@h:1/p HTTP/1.1\r\nTransfer-Encoding: x, Chunked\r\n\r\n5;a=\"b\\\"\"\r\nhello\r\nA;b\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
    b"CONNECT h:1 HTTP/1.1\r\n\r\nrest",
    b"GET / HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: x\r\n\r\nrest",
    b"GET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
    b"GET / HTTP/1.1\r\nTransfer-Encoding: chunkedx\r\n\r\n",
    b"GET / HTTP/1.1\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\n\r\n",
    b"GETS / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
];

#[test]
fn the_events_do_not_depend_on_how_the_input_is_split() {
    for message in MESSAGES {
        let whole = events(Role::Requests, message, message.len());
        for size in 1..8 {
            assert_eq!(events(Role::Requests, message, size), whole);
        }
    }
}

#[test]
fn a_body_ends_with_its_length_its_last_chunk_or_the_connection() {
    let requests = |index: usize| events(Role::Requests, MESSAGES[index], usize::MAX);
    assert_eq!(requests(1)[..2], ["head / Content-Length|5|", "body hello "]);
    assert_eq!(requests(2)[1], "body hello0123456789 T|1|");
    let response = b"HTTP/1.1 200 OK\r\n\r\nhello";
    assert_eq!(events(Role::Responses, response, 3), ["head OK ", "body hello until end"]);
}

#[test]
fn ambiguous_lengths_are_errors() {
    let reason = |fields: &str| {
        let text = format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n");
        events(Role::Requests, text.as_bytes(), usize::MAX).pop().expect("an event")
    };
    assert_eq!(reason("Content-Length: 5\r\nContent-Length: 5"), "Duplicate Content-Length");
    assert_eq!(reason("Content-Length: +5"), "Invalid character in Content-Length");
    assert_eq!(reason("Content-Length: 18446744073709551616"), "Content-Length overflow");
    assert_eq!(
        reason("Content-Length: 5\r\nTransfer-Encoding: chunked"),
        "Transfer-Encoding can't be present with Content-Length"
    );
    assert_eq!(reason("Transfer-Encoding: chunkedx"), "Request has invalid `Transfer-Encoding`");
    assert_eq!(
        reason("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        "Invalid `Transfer-Encoding` header value"
    );
}

#[test]
fn an_upgrade_ends_the_input_of_the_parser() {
    for index in [3, 4] {
        let found = events(Role::Requests, MESSAGES[index], usize::MAX);
        assert_eq!(found.last().map(String::as_str), Some("upgraded"));
    }
}

#[test]
fn headers_and_chunk_extensions_have_limits() {
    let long = "x".repeat(17 * 1024);
    let head = format!("GET / HTTP/1.1\r\nA: {long}\r\n\r\n");
    assert_eq!(events(Role::Requests, head.as_bytes(), 1000), ["Header overflow"]);
    let extension = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;{long}");
    let found = events(Role::Requests, extension.as_bytes(), 1000);
    assert_eq!(found.last().map(String::as_str), Some("Chunk extensions overflow"));
}
