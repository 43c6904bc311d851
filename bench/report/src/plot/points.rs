//! Points on two logarithmic axes, each with its name beside it.

use plotters::prelude::{ChartBuilder, Circle, IntoLogRange as _, PathElement, Text};
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use super::lines::round_numbers;
use super::{BEHIND, GRID, OURS, SIDE, TEXT, at, bold, digits, failed, picture, text, width};

/// One library, or one scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Whether it is Lanner's.
    pub ours: bool,
    /// From the left.
    pub x: f64,
    /// From below.
    pub y: f64,
}

const SIZE: (u32, u32) = (720, 420);
const LEFT: i32 = 58;
const BOTTOM: i32 = 44;
const TOP: i32 = 12;
const RIGHT: i32 = 16;
const FONT_SIZE: f64 = 11.0;

/// What lies on the paper: left, top, right, bottom.
type Box4 = [i32; 4];

/// Points, with what the axes tell.
///
/// # Errors
///
/// There is nothing to draw.
pub fn points(title: &str, axes: [&str; 2], points: &[Point]) -> Result<String, String> {
    if points.is_empty() {
        return Err(format!("nothing to draw: {title}"));
    }
    let range = |of: fn(&Point) -> f64, slack: f64| {
        let values = || points.iter().map(of);
        let (low, high) = (
            values().fold(f64::INFINITY, f64::min),
            values().fold(0.0, f64::max),
        );
        (low / slack, high * slack)
    };
    let (left, right) = range(|point| point.x, 1.6);
    let (lowest, highest) = range(|point| point.y, 1.5);
    let words: Vec<String> = points
        .iter()
        .map(|point| format!("{}: {}, {}.", point.name, digits(point.x), digits(point.y)))
        .collect();
    let description = format!("{}, {}. {}", axes[0], axes[1], words.join(" "));
    picture(SIZE, title, &description, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(TOP)
            .margin_right(RIGHT)
            .margin_left(LEFT)
            .margin_bottom(BOTTOM)
            .build_cartesian_2d((left..right).log_scale(), (lowest..highest).log_scale())
            .map_err(failed)?;
        let write = |words: String, x: i32, y: i32, style| {
            area.draw(&Text::new(words, (x, y), style)).map_err(failed)
        };
        let rule = |from: (i32, i32), to: (i32, i32)| {
            area.draw(&PathElement::new(vec![from, to], GRID.0))
                .map_err(failed)
        };
        let (whole, height) = (SIZE.0 as i32, SIZE.1 as i32);
        for value in round_numbers(lowest, highest) {
            let (_, y) = chart.backend_coord(&(left, value));
            rule((LEFT, y), (whole - RIGHT, y))?;
            let style = at(text(FONT_SIZE, &SIDE), HPos::Right);
            write(value.to_string(), LEFT - 8, y, style)?;
        }
        for value in round_numbers(left, right) {
            let (x, _) = chart.backend_coord(&(value, lowest));
            rule((x, TOP), (x, height - BOTTOM))?;
            let style = at(text(FONT_SIZE, &SIDE), HPos::Center);
            write(value.to_string(), x, height - BOTTOM + 14, style)?;
        }
        let style = at(text(11.5, &TEXT), HPos::Center);
        write(axes[0].to_owned(), whole / 2, height - 10, style)?;
        let style = at(text(11.5, &TEXT), HPos::Center)
            .transform(plotters::style::FontTransform::Rotate270);
        write(axes[1].to_owned(), 12, (height - BOTTOM) / 2, style)?;

        let places: Vec<(i32, i32)> = points
            .iter()
            .map(|point| chart.backend_coord(&(point.x, point.y)))
            .collect();
        let mut taken: Vec<Box4> = places
            .iter()
            .map(|&(x, y)| [x - 5, y - 5, x + 5, y + 5])
            .collect();
        for (point, &(x, y)) in points.iter().zip(&places) {
            let ink = if point.ours { &OURS } else { &BEHIND };
            let dot = Circle::new((point.x, point.y), 5, ink.0.filled());
            chart.draw_series(std::iter::once(dot)).map_err(failed)?;
            let (side, dx, dy) = free(&point.name, (x, y), &mut taken, (LEFT, whole - RIGHT));
            let style = if point.ours {
                bold(FONT_SIZE, &OURS)
            } else {
                text(FONT_SIZE, &TEXT)
            };
            write(point.name.clone(), x + dx, y + dy, at(style, side))?;
        }
        Ok(())
    })
}

/// A place for a name beside its point where nothing lies yet, or else the first one.
fn free(
    name: &str,
    (x, y): (i32, i32),
    taken: &mut Vec<Box4>,
    (left, right): (i32, i32),
) -> (HPos, i32, i32) {
    let long = width(name, FONT_SIZE);
    let places = [
        (HPos::Left, 9, 0),
        (HPos::Right, -9, 0),
        (HPos::Center, 0, -13),
        (HPos::Center, 0, 13),
        (HPos::Left, 9, -12),
        (HPos::Left, 9, 12),
        (HPos::Right, -9, -12),
        (HPos::Right, -9, 12),
    ];
    let around = |(side, dx, dy): (HPos, i32, i32)| -> Box4 {
        let from = match side {
            HPos::Left => x + dx,
            HPos::Right => x + dx - long,
            HPos::Center => x - long / 2,
        };
        [from, y + dy - 6, from + long, y + dy + 6]
    };
    let fits = |place: &[i32; 4]| {
        let apart = |other: &Box4| {
            place[2] < other[0] || other[2] < place[0] || place[3] < other[1] || other[3] < place[1]
        };
        place[0] >= left && place[2] <= right && taken.iter().all(apart)
    };
    let chosen = places.into_iter().find(|&place| fits(&around(place)));
    let chosen = chosen.unwrap_or((HPos::Left, 9, 0));
    taken.push(around(chosen));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_a_place() {
        let mut taken = Vec::new();
        let (side, ..) = free("first", (50, 50), &mut taken, (0, 720));
        assert!(matches!(side, HPos::Left));
        // At the right edge, and above what is there already.
        let (side, ..) = free("second", (700, 50), &mut taken, (0, 720));
        assert!(matches!(side, HPos::Right));
        let before = taken.clone();
        free("third", (52, 50), &mut taken, (0, 720));
        let third = taken.last().expect("it was added");
        assert!(!before.contains(third));
    }

    #[test]
    fn points_have_names_and_words() {
        let point = |name: &str, ours, x| Point {
            name: name.into(),
            ours,
            x,
            y: 20.0,
        };
        let of = [point("lanner", true, 64.0), point("RSA", false, 256.0)];
        let svg = points("size and speed", ["bytes", "µs"], &of).expect("it draws");
        assert!(svg.contains("RSA: 256, 20.0."));
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(points("nothing", ["x", "y"], &[]).is_err());
    }
}
