//! What a datagram socket has still to send, in words.

use mauve_sys::driver::Driver;

use super::UdpMut;
use crate::id::Token;

impl<D: Driver> UdpMut<'_, D> {
    /// The requests on the socket: their names, their tokens, and what there is to say.
    pub(crate) fn requests(&mut self) -> Vec<(&'static str, Token, Option<String>)> {
        let body = &self.engine.table.udps[self.id.index()].body;
        let (queued, done) = (body.queued, body.done);
        let sends = &self.engine.udps.sends;
        let waiting = sends.iter(&queued).map(|send| (send, format!("{} bytes", send.size())));
        let told = sends.iter(&done).map(|send| (send, "done, to be told".to_owned()));
        waiting.chain(told).map(|(send, why)| ("udp_send", send.token(), Some(why))).collect()
    }
}
