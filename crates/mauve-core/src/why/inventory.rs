//! Lists the handles and requests of a loop.

use mauve_sys::descriptor::{AsDescriptor as _, RawDescriptor};
use std::panic::Location;
use std::time::Duration;

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::net::Address;
use mauve_sys::{Result, net};

use super::{Age, Describe, HostItems, LoopItem, LoopItemKind, Notes};
use crate::Engine;
use crate::id::{HandleId, HandleKind, Token};
use crate::table::created_at;

impl<D: Driver> Engine<D> {
    /// All handles and requests of this loop, without the engine's own. Handles are in order of
    /// creation, each followed by its requests. Other requests come last.
    #[doc(alias = "uv_print_all_handles")]
    pub fn inventory(&mut self) -> Vec<LoopItem> {
        let handles: Vec<_> =
            self.table.all().into_iter().map(|(id, _, sequence)| (id, sequence)).collect();
        let mut items = Vec::new();
        for (id, sequence) in handles {
            if let Some(item) = self.handle_item(id, sequence) {
                items.push(item);
                self.requests_on(id, &mut items);
            }
        }
        self.works_in_flight(&mut items);
        let host_items = self.probe.host().items.as_ref().map(|list| list()).unwrap_or_default();
        let unlisted = self.active.host_references().saturating_sub(host_items.len());
        items.extend(host_items);
        if unlisted > 0 {
            let mut item = LoopItem::new(LoopItemKind::HostReferences, Token(0));
            item.details.push(unlisted.to_string());
            items.push(item);
        }
        items
    }

    /// What keeps the loop from ending.
    #[doc(alias = "uv_print_active_handles")]
    pub fn why_alive(&mut self) -> Vec<LoopItem> {
        let mut items = self.inventory();
        items.retain(LoopItem::keeps_alive);
        items
    }

    /// Sets the function that describes requests of which the engine knows only the token.
    pub fn set_describe(&mut self, describe: Describe) {
        self.probe.host().describe = Some(describe);
    }

    /// Sets the function that lists the host's own items. Each stands for one of the
    /// [host references](Self::set_host_references).
    pub fn set_host_items(&mut self, items: HostItems) {
        self.probe.host().items = Some(items);
    }

    /// Sets the function that lists what the host adds to reports.
    pub fn set_notes(&mut self, notes: Notes) {
        self.probe.host().notes = Some(notes);
    }

    fn handle_item(&mut self, id: HandleId, sequence: u64) -> Option<LoopItem> {
        let status = self.status(id).filter(|status| !status.internal)?;
        let mut item = LoopItem::new(LoopItemKind::Handle(id.kind()), status.token);
        item.age =
            Some(Duration::from_millis(self.clock.now().saturating_sub(created_at(sequence))));
        (item.active, item.referenced) = (status.active, status.referenced);
        item.closing = status.closing;
        item.fd = self.descriptor_of(id);
        if item.fd.is_some() {
            self.add_addresses(id, &mut item);
        }
        item.details = self.details_of(id, status.active);
        Some(item)
    }

    fn descriptor_of(&mut self, id: HandleId) -> Option<RawDescriptor> {
        match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.stream(id)?.fd().ok().map(|fd| fd.raw_descriptor())
            }
            HandleKind::Udp => self.udp(id)?.fd().ok().map(|fd| fd.raw_descriptor()),
            HandleKind::Poll => Some(self.poll(id)?.fd()),
            _ => None,
        }
    }

    fn add_addresses(&mut self, id: HandleId, item: &mut LoopItem) {
        let found = match id.kind() {
            HandleKind::Tcp => self.stream(id).map(|mut s| (s.local_address(), s.peer_address())),
            HandleKind::Udp => {
                self.udp(id).map(|mut udp| (udp.local_address(), udp.peer_address()))
            }
            HandleKind::Pipe => self.stream(id).and_then(|mut stream| {
                let fd = stream.fd().ok()?;
                Some((net::local_address(fd), net::peer_address(fd)))
            }),
            _ => None,
        };
        if let Some((local, peer)) = found {
            (item.local, item.peer) = (format_address(local), format_address(peer));
        }
    }

    fn details_of(&mut self, id: HandleId, active: bool) -> Vec<String> {
        let mut details = Vec::new();
        match id.kind() {
            HandleKind::Timer => {
                let Some(timer) = self.timer(id) else { return details };
                if active {
                    details.push(format!("due in {} ms", timer.due_in()));
                }
                if timer.repeat() > 0 {
                    details.push(format!("repeats every {} ms", timer.repeat()));
                }
            }
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                details = self.stream(id).map(|mut s| s.activities()).unwrap_or_default();
            }
            HandleKind::Udp => {
                let Some(mut udp) = self.udp(id) else { return details };
                if udp.is_receiving() {
                    details.push("receiving".to_owned());
                }
                let queue = udp.send_queue();
                if queue.count > 0 {
                    details
                        .push(format!("{} datagrams unsent ({} bytes)", queue.count, queue.bytes));
                }
            }
            HandleKind::Poll if active => {
                let wanted = self.table.source(id).map(|(_, watch)| watch.wanted());
                details.push(format!("waits for {}", interests(wanted.unwrap_or_default())));
            }
            HandleKind::Signal => {
                let watched = self.signal(id).and_then(|mut signal| signal.watched());
                details.extend(watched.map(|number| format!("watches signal {number}")));
            }
            HandleKind::Process => {
                let pid = self.process(id).map_or(0, |mut process| process.pid());
                details.push(if pid == 0 { "no child".to_owned() } else { format!("pid {pid}") });
            }
            HandleKind::FsEvent => {
                let mut event = self.fs_event(id);
                let path = event.as_mut().and_then(|event| event.path());
                details.extend(path.map(|path| format!("watches {}", path.display())));
            }
            HandleKind::FsPoll => {
                let mut poll = self.fs_poll(id);
                let path = poll.as_mut().and_then(|poll| poll.path());
                details.extend(path.map(|path| format!("polls {}", path.to_string_lossy())));
            }
            HandleKind::Poll
            | HandleKind::Idle
            | HandleKind::Prepare
            | HandleKind::Check
            | HandleKind::Async => {}
        }
        details
    }

    fn requests_on(&mut self, id: HandleId, items: &mut Vec<LoopItem>) {
        let found = match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.stream(id).map(|mut s| s.requests())
            }
            HandleKind::Udp => self.udp(id).map(|mut udp| udp.requests()),
            _ => None,
        };
        for (name, token, detail) in found.unwrap_or_default() {
            let mut item = LoopItem::new(LoopItemKind::Request(name.to_owned()), token);
            item.details.extend(detail);
            items.push(item);
        }
    }

    fn works_in_flight(&self, items: &mut Vec<LoopItem>) {
        for (id, token, since) in self.works.iter() {
            let name = match self.probe.describe() {
                _ if self.fs_polls.contains(id) => "stat of an fs_poll".to_owned(),
                Some(describe) => describe(token),
                None => "work".to_owned(),
            };
            let mut item = LoopItem::new(LoopItemKind::Request(name), token);
            item.age = Some(Duration::from_millis(self.clock.now().saturating_sub(since)));
            items.push(item);
        }
    }

    /// How long the loop would wait now, in words.
    pub(super) fn describe_wait(&mut self) -> String {
        match self.until_next_timer() {
            None => "until something happens".to_owned(),
            Some(ms) => format!("for {} at most", Age(Duration::from_millis(ms))),
        }
    }
}

impl LoopItem {
    /// A task of the host, which was spawned at `location`.
    pub fn task(location: &'static Location<'static>) -> Self {
        Self::new(LoopItemKind::Task(location), Token(0))
    }

    /// A future that the host runs the loop for since a call at `location`.
    pub fn block_on(location: &'static Location<'static>) -> Self {
        Self::new(LoopItemKind::BlockOn(location), Token(0))
    }

    fn new(kind: LoopItemKind, token: Token) -> Self {
        Self {
            kind,
            token: token.0,
            age: None,
            active: true,
            referenced: true,
            closing: false,
            fd: None,
            local: None,
            peer: None,
            details: Vec::new(),
        }
    }
}

/// Formats an address. `None` for an error and for an unbound socket.
fn format_address(address: Result<Address>) -> Option<String> {
    let address = address.ok()?;
    if let Some(address) = address.to_socket_addr() {
        return Some(address.to_string());
    }
    match address.unix_name() {
        [] => None,
        // An abstract name, written as `ss` and `netstat` do.
        [0, name @ ..] => Some(format!("@{}", String::from_utf8_lossy(name))),
        name => Some(String::from_utf8_lossy(name).into_owned()),
    }
}

fn interests(interest: Interest) -> String {
    let names: Vec<_> = interest.iter_names().map(|(name, _)| name.to_ascii_lowercase()).collect();
    names.join(", ")
}
