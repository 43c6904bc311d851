//! Pictures: SVG that stands for itself, in light and dark, with its content in words beside the drawing.

mod bars;
mod lines;
mod points;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea as _, RGBColor, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{IntoFont as _, TextStyle};

pub use bars::{Bar, Group, Panel, panel, panels};
pub use lines::{Line, lines};
pub use points::{Point, points};

/// A part of a drawing, in pixels.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A colour on light and on dark paper. The drawing has the first; a style sheet in the picture puts the second
/// in its place where the reader's system asks for dark.
struct Ink(RGBColor, &'static str);

static PAPER: Ink = Ink(RGBColor(0xff, 0xff, 0xff), "#0d1117");
static TEXT: Ink = Ink(RGBColor(0x1f, 0x23, 0x28), "#f0f6fc");
static SIDE: Ink = Ink(RGBColor(0x59, 0x63, 0x6e), "#9198a1");
static GRID: Ink = Ink(RGBColor(0xd8, 0xde, 0xe4), "#30363d");
/// Lanner.
static OURS: Ink = Ink(RGBColor(0x08, 0x69, 0xda), "#4493f8");
/// Peers that are slower, and peers that are faster: as strong a colour as ours.
static BEHIND: Ink = Ink(RGBColor(0xa8, 0xb1, 0xba), "#59636e");
static AHEAD: Ink = Ink(RGBColor(0xc8, 0x4b, 0x0c), "#f0883e");
/// For peers in plots with several lines; what tells them apart is the name at the line.
static OTHERS: [Ink; 6] = [
    Ink(RGBColor(0x8a, 0x3f, 0xfc), "#a371f7"),
    Ink(RGBColor(0x0e, 0x7c, 0x66), "#3fb9a0"),
    Ink(RGBColor(0xa4, 0x0e, 0x5f), "#f778ba"),
    Ink(RGBColor(0x7a, 0x5c, 0x00), "#d29922"),
    Ink(RGBColor(0x3d, 0x4a, 0x5c), "#b6c2cf"),
    Ink(RGBColor(0x2f, 0x7d, 0x1e), "#56d364"),
];

const FONT: &str = "system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif";

impl Ink {
    fn light(&self) -> String {
        let RGBColor(r, g, b) = self.0;
        format!("#{r:02X}{g:02X}{b:02X}")
    }
}

/// A style of text: its size in pixels.
fn text(size: f64, ink: &'static Ink) -> TextStyle<'static> {
    // The backend divides by this.
    let font = (FONT, size * 1.24).into_font();
    TextStyle::from(font).color(&ink.0)
}

fn bold(size: f64, ink: &'static Ink) -> TextStyle<'static> {
    let font = (FONT, size * 1.24, plotters::style::FontStyle::Bold).into_font();
    TextStyle::from(font).color(&ink.0)
}

fn at(style: TextStyle<'static>, side: HPos) -> TextStyle<'static> {
    style.pos(Pos::new(side, VPos::Center))
}

/// How wide a text is, about: no font is at hand, and each reader has another.
fn width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * 0.56).ceil() as i32
}

/// A number of few digits.
pub(crate) fn digits(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Draws a picture with a title and a description for those who do not see it.
fn picture(
    size: (u32, u32),
    title: &str,
    description: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), String>,
) -> Result<String, String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&PAPER.0).map_err(failed)?;
        draw(&area)?;
        area.present().map_err(failed)?;
    }
    Ok(dressed(&svg, title, description))
}

/// Errors of the backend: a text takes whatever is drawn, so that there are none.
fn failed(error: impl std::fmt::Display) -> String {
    format!("a plot: {error}")
}

/// Puts in what the library does not write: words, and the second set of colours.
fn dressed(svg: &str, title: &str, description: &str) -> String {
    let inks = [&PAPER, &TEXT, &SIDE, &GRID, &OURS, &BEHIND, &AHEAD];
    let rules: String = inks
        .into_iter()
        .chain(&OTHERS)
        .map(|ink| {
            let (light, dark) = (ink.light(), ink.1);
            format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
        })
        .collect();
    let (head, rest) = svg.split_once('>').unwrap_or((svg, ""));
    format!(
        "{head} role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n\
         <style>@media (prefers-color-scheme:dark){{{rules}}}</style>{rest}",
        escaped(title),
        escaped(description)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_its_dark_one_and_words_are_escaped() {
        let svg = picture((10, 10), "a < b", "c & d", |area| {
            let line = vec![(1, 1), (5, 5)];
            let line = plotters::prelude::PathElement::new(line, AHEAD.0);
            area.draw(&line).map_err(failed)
        })
        .expect("it draws");
        assert!(svg.contains("<title>a &lt; b</title>\n<desc>c &amp; d</desc>"));
        let mut used = 0;
        for part in svg.split("=\"#").skip(1) {
            let colour = format!("\"#{}\"]", &part[..6]);
            assert!(svg.contains(&colour), "{colour} has no dark one");
            used += 1;
        }
        assert!(used > 2);
    }
}
