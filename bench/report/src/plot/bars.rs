//! Bars: a panel for each processor, in it a group for each operation, in it a bar for each library.

use plotters::prelude::{Rectangle, Text};
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use super::{AHEAD, Area, BEHIND, OURS, SIDE, TEXT, at, bold, digits, failed, picture, text};

/// One library.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Microseconds.
    pub micros: f64,
    /// Whether it is Lanner.
    pub ours: bool,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What is done.
    pub title: String,
    /// The libraries that do it, the fastest first.
    pub bars: Vec<Bar>,
}

/// One processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its instructions.
    pub title: String,
    /// Where the numbers come from.
    pub source: String,
    /// The operations.
    pub groups: Vec<Group>,
}

const BAR: i32 = 14;
const HEADING: i32 = 30;
const TOP: i32 = 46;
const MARGIN: i32 = 10;
const NAMES: i32 = 110;
const NUMBERS: i32 = 44;

impl Group {
    /// The fastest peer's time over ours: above 1, ours is the faster.
    #[must_use]
    pub fn lead(&self) -> Option<f64> {
        let ours = self.bars.iter().find(|bar| bar.ours)?;
        let peer = self.bars.iter().find(|bar| !bar.ours)?;
        Some(peer.micros / ours.micros)
    }

    /// The same in words.
    fn standing(&self) -> String {
        match self.lead() {
            Some(lead) if (0.995..1.005).contains(&lead) => String::from("level"),
            Some(lead) if lead >= 1.0 => format!("{lead:.2} × ahead"),
            Some(lead) => format!("{:.2} × behind", 1.0 / lead),
            None => String::new(),
        }
    }

    fn words(&self) -> String {
        let bars: Vec<String> = self
            .bars
            .iter()
            .map(|bar| format!("{} {}", bar.name, digits(bar.micros)))
            .collect();
        format!("{}: {}", self.title, bars.join(", "))
    }
}

impl Panel {
    fn height(&self) -> i32 {
        let groups = self.groups.iter();
        let groups: i32 = groups
            .map(|group| HEADING + BAR * group.bars.len() as i32)
            .sum();
        TOP + groups + MARGIN
    }

    fn words(&self) -> String {
        let groups: Vec<String> = self.groups.iter().map(Group::words).collect();
        format!("{} ({}): {}.", self.title, self.source, groups.join("; "))
    }

    fn draw(&self, area: &Area<'_>, (left, top): (i32, i32), width: i32) -> Result<(), String> {
        let write = |words: &str, x: i32, y: i32, style| {
            let element = Text::new(words.to_owned(), (left + x, top + y), style);
            area.draw(&element).map_err(failed)
        };
        write(&self.title, MARGIN, 16, at(bold(15.0, &TEXT), HPos::Left))?;
        write(&self.source, MARGIN, 34, at(text(10.5, &SIDE), HPos::Left))?;
        let mut y = TOP;
        let room = width - 2 * MARGIN - NAMES - NUMBERS;
        for group in &self.groups {
            let longest = group.bars.iter().map(|bar| bar.micros).fold(0.0, f64::max);
            let behind = group.lead().is_some_and(|lead| lead < 1.0);
            let ink = if behind { &AHEAD } else { &OURS };
            write(
                &group.title,
                MARGIN,
                y + HEADING - 12,
                at(bold(12.0, &TEXT), HPos::Left),
            )?;
            write(
                &group.standing(),
                width - MARGIN,
                y + HEADING - 12,
                at(bold(11.0, ink), HPos::Right),
            )?;
            y += HEADING;
            let ours = group.bars.iter().find(|bar| bar.ours);
            for bar in &group.bars {
                let faster = ours.is_some_and(|ours| bar.micros < ours.micros);
                let (ink, style) = match (bar.ours, faster) {
                    (true, _) => (&OURS, bold(11.0, &OURS)),
                    (false, true) => (&AHEAD, text(11.0, &AHEAD)),
                    (false, false) => (&BEHIND, text(11.0, &SIDE)),
                };
                let middle = y + BAR / 2;
                let start = MARGIN + NAMES;
                let end = start + 1 + (f64::from(room) * bar.micros / longest).round() as i32;
                write(&bar.name, start - 5, middle, at(style.clone(), HPos::Right))?;
                let corners = [(left + start, top + y + 2), (left + end, top + y + BAR - 2)];
                let rectangle = Rectangle::new(corners, ink.0.filled());
                area.draw(&rectangle).map_err(failed)?;
                write(&digits(bar.micros), end + 5, middle, at(style, HPos::Left))?;
                y += BAR;
            }
        }
        Ok(())
    }
}

/// One panel by itself.
///
/// # Errors
///
/// None that is known: a text takes whatever is drawn.
pub fn panel(panel: &Panel) -> Result<String, String> {
    const WIDTH: i32 = 380;
    let title = format!("Microseconds on one core: {}", panel.title);
    let size = (WIDTH as u32, panel.height() as u32);
    picture(size, &title, &panel.words(), |area| {
        panel.draw(area, (0, 0), WIDTH)
    })
}

/// Several panels beside each other under a line that says how to read them.
///
/// # Errors
///
/// None that is known: a text takes whatever is drawn.
pub fn panels(title: &str, panels: &[Panel]) -> Result<String, String> {
    const WIDTH: i32 = 284;
    const HEAD: i32 = 30;
    let height = panels.iter().map(Panel::height).max().unwrap_or(0) + HEAD;
    let words: Vec<String> = panels.iter().map(Panel::words).collect();
    let size = ((WIDTH * panels.len() as i32) as u32, height as u32);
    picture(size, title, &words.join(" "), |area| {
        let mut x = MARGIN;
        for (words, ink) in [
            ("µs on one core, shorter is better:", &TEXT),
            ("Lanner,", &OURS),
            ("slower peers,", &SIDE),
            ("faster peers", &AHEAD),
        ] {
            let style = at(bold(12.0, ink), HPos::Left);
            area.draw(&Text::new(words, (x, 16), style))
                .map_err(failed)?;
            x += super::width(words, 12.0) + 8;
        }
        for (i, panel) in panels.iter().enumerate() {
            panel.draw(area, (WIDTH * i as i32, HEAD), WIDTH)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_seen_and_said() {
        let bar = |name: &str, micros, ours| Bar {
            name: name.into(),
            micros,
            ours,
        };
        let group = |bars| Group {
            title: "sign".into(),
            bars,
        };
        let lost = group(vec![bar("peer", 8.0, false), bar("lanner", 10.0, true)]);
        let won = group(vec![bar("lanner", 5.0, true), bar("peer", 8.0, false)]);
        assert_eq!((won.lead(), lost.lead()), (Some(1.6), Some(0.8)));
        let of = |group| {
            panel(&Panel {
                title: "a processor".into(),
                source: "a run".into(),
                groups: vec![group],
            })
            .expect("it draws")
        };
        let (won, lost) = (of(won), of(lost));
        assert!(
            won.contains("1.60 × ahead") && !won.contains(&format!("fill=\"{}\"/", AHEAD.light()))
        );
        assert!(lost.contains("1.25 × behind"));
        let drawn = |svg: &str| svg.matches(&format!("fill=\"{}\"", AHEAD.light())).count();
        // The rule of the dark colour; and the standing, the name, the bar and its number.
        assert_eq!((drawn(&won), drawn(&lost)), (1, 5));
        assert!(lost.contains("sign: peer 8.00, lanner 10.0"));
    }
}
