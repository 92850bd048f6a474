//! The answer to `mauve why`, see [`pulse`].

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::pulse;

impl<D: Driver> Engine<D> {
    /// Answers if somebody has asked since the last time. Called when the loop was woken.
    #[inline]
    pub(crate) fn answer_if_asked(&mut self) {
        let question = pulse::question();
        if question != self.probe.pulse.answered.load(Ordering::Relaxed) {
            self.answer(question);
        }
    }

    #[cold]
    fn answer(&mut self, question: u64) {
        let mut text = String::new();
        let items = self.inventory();
        let alive = self.alive();
        let outlook = self.outlook();
        let reasons = items.iter().filter(|item| item.keeps_alive()).count();
        let _ = match reasons {
            _ if !alive => writeln!(text, "nothing keeps it alive"),
            1 => writeln!(text, "1 thing keeps it alive; it waits {outlook}"),
            count => writeln!(text, "{count} things keep it alive; it waits {outlook}"),
        };
        for item in &items {
            let mark = if item.keeps_alive() { '*' } else { ' ' };
            let _ = writeln!(text, "  {mark} {item}");
        }
        // Whoever reads this does so after it has seen the number of its question.
        self.probe.answer = text;
        self.probe.pulse.text.store(self.probe.answer.as_ptr() as u64, Ordering::Relaxed);
        self.probe.pulse.length.store(self.probe.answer.len() as u64, Ordering::Relaxed);
        self.probe.pulse.answered.store(question, Ordering::Release);
    }
}
