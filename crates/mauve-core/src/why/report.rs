//! The report that `mauve why` reads, see [`probe`].

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::probe;

impl<D: Driver> Engine<D> {
    /// Writes a report if there is a new query. Called after every wait.
    #[inline]
    pub(crate) fn report_if_queried(&mut self) {
        let query = probe::latest_query();
        if query != self.probe.shared.reported.load(Ordering::Relaxed) {
            self.report(query);
        }
    }

    #[cold]
    fn report(&mut self, query: u64) {
        let mut text = String::new();
        let items = self.inventory();
        let alive = self.alive();
        let wait = self.describe_wait();
        let reasons = items.iter().filter(|item| item.keeps_alive()).count();
        let _ = match reasons {
            _ if !alive => writeln!(text, "nothing keeps it alive"),
            1 => writeln!(text, "1 thing keeps it alive; it waits {wait}"),
            count => writeln!(text, "{count} things keep it alive; it waits {wait}"),
        };
        for item in &items {
            let mark = if item.keeps_alive() { '*' } else { ' ' };
            let _ = writeln!(text, "  {mark} {item}");
        }
        self.probe.report = text;
        self.probe.shared.text.store(self.probe.report.as_ptr() as u64, Ordering::Relaxed);
        self.probe.shared.length.store(self.probe.report.len() as u64, Ordering::Relaxed);
        // Last, because the reader waits for the number of its query before it reads the text.
        self.probe.shared.reported.store(query, Ordering::Release);
    }
}
