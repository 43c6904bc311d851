//! Lines on two logarithmic axes, each with its name at its end.

use plotters::prelude::{ChartBuilder, Circle, IntoLogRange as _, LineSeries, PathElement, Text};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color as _, ShapeStyle};

use super::{GRID, Ink, OTHERS, OURS, SIDE, TEXT, at, bold, digits, failed, picture, text, width};

/// One library, or one call of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Whether it is Lanner's.
    pub ours: bool,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

const SIZE: (u32, u32) = (720, 400);
const LEFT: i32 = 58;
const BOTTOM: i32 = 44;
const TOP: i32 = 12;

/// Lines, with what the axes tell, and the marks of the horizontal one.
///
/// # Errors
///
/// There is nothing to draw.
pub fn lines(
    title: &str,
    axes: [&str; 2],
    marks: &[(f64, &str)],
    lines: &[Line],
) -> Result<String, String> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let (Some(&(first, _)), Some(&(last, _))) = (
        all().min_by(|a, b| a.0.total_cmp(&b.0)),
        all().max_by(|a, b| a.0.total_cmp(&b.0)),
    ) else {
        return Err(format!("nothing to draw: {title}"));
    };
    let lowest = all().map(|point| point.1).fold(f64::INFINITY, f64::min) / 1.15;
    let highest = all().map(|point| point.1).fold(0.0, f64::max) * 1.15;
    let names = lines.iter().map(|line| width(&line.name, 11.5)).max();
    let right = names.unwrap_or(0) + 16;
    let words: Vec<String> = lines.iter().map(words).collect();
    let description = format!("{} against {}. {}", axes[1], axes[0], words.join(" "));
    picture(SIZE, title, &description, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(TOP)
            .margin_right(right)
            .margin_left(LEFT)
            .margin_bottom(BOTTOM)
            .build_cartesian_2d(
                (first / 1.06..last * 1.06).log_scale(),
                (lowest..highest).log_scale(),
            )
            .map_err(failed)?;
        let place = |point: &(f64, f64)| chart.backend_coord(point);
        let write = |words: String, x: i32, y: i32, style| {
            area.draw(&Text::new(words, (x, y), style)).map_err(failed)
        };
        let rule = |from: (i32, i32), to: (i32, i32)| {
            area.draw(&PathElement::new(vec![from, to], GRID.0))
                .map_err(failed)
        };
        let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);
        for value in round_numbers(lowest, highest) {
            let (_, y) = place(&(first, value));
            rule((LEFT, y), (width - right, y))?;
            let words = if value >= 1.0 {
                value.to_string()
            } else {
                digits(value)
            };
            write(words, LEFT - 8, y, at(text(11.0, &SIDE), HPos::Right))?;
        }
        for (value, mark) in marks
            .iter()
            .filter(|mark| mark.0 >= first && mark.0 <= last)
        {
            let (x, _) = place(&(*value, lowest));
            rule((x, TOP), (x, height - BOTTOM))?;
            let style = at(text(11.0, &SIDE), HPos::Center);
            write((*mark).to_owned(), x, height - BOTTOM + 14, style)?;
        }
        let style = at(text(11.5, &TEXT), HPos::Center);
        let middle = i32::midpoint(LEFT, width - right);
        write(axes[0].to_owned(), middle, height - 10, style)?;
        let style = at(text(11.5, &TEXT), HPos::Center)
            .transform(plotters::style::FontTransform::Rotate270);
        write(axes[1].to_owned(), 12, (height - BOTTOM) / 2, style)?;

        let ends: Vec<i32> = lines
            .iter()
            .map(|line| line.points.last().map_or(0, |point| place(point).1))
            .collect();
        let labels = apart(&ends, 14, TOP, height - BOTTOM);
        let mut inks = OTHERS.iter().cycle();
        for (line, label) in lines.iter().zip(labels) {
            let ink: &'static Ink = if line.ours {
                &OURS
            } else {
                inks.next().unwrap_or(&SIDE)
            };
            let Some(&(x, _)) = line.points.last() else {
                continue;
            };
            let (x, end) = chart.backend_coord(&(x, line.points[line.points.len() - 1].1));
            let stroke = ShapeStyle::from(&ink.0).stroke_width(if line.ours { 3 } else { 2 });
            let series = LineSeries::new(line.points.iter().copied(), stroke);
            chart.draw_series(series).map_err(failed)?;
            let dots = line
                .points
                .iter()
                .map(|&point| Circle::new(point, 3, ink.0.filled()));
            chart.draw_series(dots).map_err(failed)?;
            let beyond = width - right + 10;
            let leader = PathElement::new(vec![(x + 3, end), (beyond - 2, label)], ink.0.mix(0.5));
            area.draw(&leader).map_err(failed)?;
            let style = if line.ours {
                bold(11.5, ink)
            } else {
                text(11.5, ink)
            };
            let name = Text::new(line.name.clone(), (beyond, label), at(style, HPos::Left));
            area.draw(&name).map_err(failed)?;
        }
        Ok(())
    })
}

fn words(line: &Line) -> String {
    let points: Vec<String> = line
        .points
        .iter()
        .map(|&(x, y)| format!("{} at {x}", digits(y)))
        .collect();
    format!("{}: {}.", line.name, points.join(", "))
}

/// 1, 2 and 5 times the powers of ten, between two numbers; without the 2 and 5 where that is many.
pub(super) fn round_numbers(from: f64, to: f64) -> Vec<f64> {
    let of = |steps: &[f64]| -> Vec<f64> {
        (-6..9)
            .flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)))
            .filter(|&value| value >= from && value <= to)
            .collect()
    };
    let fine = of(&[1.0, 2.0, 5.0]);
    if fine.len() > 10 { of(&[1.0]) } else { fine }
}

/// Heights moved so that each is so far from the next, in their order and as near as can be from above.
fn apart(heights: &[i32], distance: i32, top: i32, bottom: i32) -> Vec<i32> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|&i| heights[i]);
    let mut moved = heights.to_vec();
    let mut least = top;
    for &i in &order {
        moved[i] = heights[i].max(least);
        least = moved[i] + distance;
    }
    let mut most = bottom;
    for &i in order.iter().rev() {
        moved[i] = moved[i].min(most);
        most = moved[i] - distance;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_on_each_other() {
        assert_eq!(apart(&[50, 52, 10], 14, 0, 100), [50, 64, 10]);
        assert_eq!(apart(&[95, 96, 97], 14, 0, 100), [72, 86, 100]);
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(round_numbers(0.7, 6.0), [1.0, 2.0, 5.0]);
        assert_eq!(round_numbers(0.5, 5e6).len(), 7);
    }

    #[test]
    fn lines_have_names_and_words() {
        let line = |name: &str, ours| Line {
            name: name.into(),
            ours,
            points: vec![(1.0, 10.0), (64.0, 4.0)],
        };
        let of = |all: &[Line]| lines("cost", ["signatures", "µs"], &[(64.0, "64")], all);
        let svg = of(&[line("lanner", true), line("peer", false)]).expect("it draws");
        assert!(svg.contains("peer: 10.0 at 1, 4.00 at 64."));
        assert!(svg.matches("stroke-width=\"3\"").count() == 1);
        assert!(of(&[]).is_err());
    }
}
