//! Describes a stream and its requests for `mauve why`.

use mauve_sys::driver::Driver;

use super::{Flags, Role, StreamMut};
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// What the stream does at present.
    pub(crate) fn activities(&mut self) -> Vec<String> {
        let body = self.body();
        let mut details = Vec::new();
        match body.role {
            Role::Listening => details.push("listening".to_owned()),
            Role::Connecting | Role::Refused => details.push("connecting".to_owned()),
            Role::Fresh | Role::Bound | Role::Connected => {}
        }
        if body.accepted.is_some() {
            details.push("a connection waits for uv_accept".to_owned());
        }
        if body.is(Flags::READING) {
            details.push("reading".to_owned());
        }
        if body.unsent > 0 {
            details.push(format!("{} bytes unsent", body.unsent));
        }
        details
    }

    /// The requests of the stream: name, token and detail.
    pub(crate) fn requests(&mut self) -> Vec<(&'static str, Token, Option<String>)> {
        let mut requests = Vec::new();
        let body = self.body();
        let (queued, done) = (body.queued, body.done);
        let cold = self.cold();
        let connect = cold.as_ref().and_then(|cold| cold.connect);
        let shutdown = cold.and_then(|cold| cold.shutdown);
        requests.extend(connect.map(|token| ("connect", token, None)));
        for write in self.engine.streams.writes.iter(&queued) {
            let left = format!("{} bytes left", write.payload.len());
            requests.push(("write", write.token, Some(left)));
        }
        for write in self.engine.streams.writes.iter(&done) {
            requests.push(("write", write.token, Some("done, to be reported".to_owned())));
        }
        requests.extend(shutdown.map(|token| ("shutdown", token, None)));
        requests
    }
}
