//! The full screen, with ratatui.

use std::time::{Duration, Instant};

use mauve_trace::Reader;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Stylize as _;
use ratatui::text::{Line, Text};

use super::picture::Picture;
use crate::trace::Attached;

/// How often the picture is renewed.
const REFRESH: Duration = Duration::from_secs(1);

/// How often records are copied and keys are read.
const INTERVAL: Duration = Duration::from_millis(5);

/// Shows pictures until `q` is pressed or the process exits.
pub fn run(attached: &Attached, reader: &mut Reader) -> Result<(), String> {
    let mut terminal =
        ratatui::try_init().map_err(|error| format!("the terminal cannot be used: {error}"))?;
    let result = show(&mut terminal, attached, reader);
    ratatui::restore();
    result.map_err(|error| error.to_string())?;
    if attached.has_exited() {
        println!("mauve: the process has exited");
    }
    Ok(())
}

fn show(
    terminal: &mut ratatui::DefaultTerminal,
    attached: &Attached,
    reader: &mut Reader,
) -> std::io::Result<()> {
    let mut drawn: Option<Instant> = None;
    while !attached.has_exited() {
        reader.poll();
        if drawn.is_none_or(|drawn| drawn.elapsed() >= REFRESH) {
            let picture = Picture::new(&reader.trace(), attached.title());
            terminal.draw(|frame| draw(frame, &picture))?;
            drawn = Some(Instant::now());
        }
        if event::poll(INTERVAL)? {
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press && is_end(key) => return Ok(()),
                Event::Resize(..) => drawn = None,
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_end(key: event::KeyEvent) -> bool {
    let control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    control_c || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc)
}

fn draw(frame: &mut Frame<'_>, picture: &Picture) {
    let area = frame.area();
    let mut lines = vec![Line::from(format!("{}  (q ends)", picture.title)).bold()];
    for table in &picture.tables {
        let mut rows = table.lines().into_iter();
        lines.push(Line::default());
        lines.extend(rows.next().map(|heading| Line::from(heading).reversed()));
        lines.extend(rows.map(Line::from));
    }
    let whole = Rect { x: area.x, y: area.y, width: area.width, height: area.height };
    frame.render_widget(Text::from(lines), whole);
}
