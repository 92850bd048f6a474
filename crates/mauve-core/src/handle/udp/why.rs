//! Describes the sends of a datagram socket for `mauve why`.

use mauve_sys::driver::Driver;

use super::UdpMut;
use crate::id::Token;

impl<D: Driver> UdpMut<'_, D> {
    /// The requests of the socket: name, token and detail.
    pub(crate) fn requests(&mut self) -> Vec<(&'static str, Token, Option<String>)> {
        let body = &self.engine.table.udps[self.id.index()].body;
        let (queued, done) = (body.queued, body.done);
        let sends = &self.engine.udps.sends;
        let waiting = sends.iter(&queued).map(|send| (send, format!("{} bytes", send.size())));
        let finished = sends.iter(&done).map(|send| (send, "done, to be reported".to_owned()));
        waiting.chain(finished).map(|(send, why)| ("udp_send", send.token(), Some(why))).collect()
    }
}
