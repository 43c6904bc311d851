//! Parts of the pages: tables, and plots with their tables.

use maud::{Markup, PreEscaped, html};

use crate::data::{Cell, Goal, OURS, Results, Verdicts, is_ours};
use crate::plot::{Line, Panel, Point, digits};
use crate::show::{PICTURE, fastest};

/// The bars of a panel as a table.
pub(super) fn barred(panel: &Panel) -> Markup {
    html! {
        details { summary { "As a table" } div.scroll { table {
            thead { tr { th { (panel.title) ", µs" } th {} } }
            tbody { @for group in &panel.groups { @for bar in &group.bars { tr {
                th { (group.title) ", " (bar.name) }
                td.ours[bar.ours] { (digits(bar.micros)) }
            } } } }
        } } }
    }
}

/// A plot with what it is about, and the same as a table.
pub(super) fn plotted(
    title: &str,
    note: &str,
    results: &Results,
    svg: &str,
    lines: &[Line],
) -> Markup {
    let mut places: Vec<f64> = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|point| point.0))
        .collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let of = |line: &Line, place: f64| {
        let mut points = line.points.iter();
        points.find(|point| point.0 == place).map(|point| point.1)
    };
    let table = html! {
        table {
            thead { tr { th {} @for place in &places { th { (place) } } } }
            tbody { @for line in lines { tr {
                th { (line.name) }
                @for &place in &places { td { (of(line, place).map(digits).unwrap_or_default()) } }
            } } }
        }
    };
    framed(title, note, results, svg, &table)
}

/// The same with points.
pub(super) fn pointed(
    title: &str,
    note: &str,
    results: &Results,
    axes: [&str; 2],
    svg: &str,
    points: &[Point],
) -> Markup {
    let table = html! {
        table {
            thead { tr { th {} @for axis in axes { th { (axis) } } } }
            tbody { @for point in points { tr {
                th { (point.name) }
                td { (point.x) }
                td { (digits(point.y)) }
            } } }
        }
    };
    framed(title, note, results, svg, &table)
}

fn framed(title: &str, note: &str, results: &Results, svg: &str, table: &Markup) -> Markup {
    html! {
        h3 { (title) }
        figure.plot {
            (PreEscaped(svg))
            figcaption { (note) " " (results.about()) "." }
            details { summary { "As a table" } div.scroll { (table) } }
        }
    }
}

/// How the goals stand: how many, which not, and all of them.
pub(super) fn goals(goals: &[Goal]) -> Markup {
    let of = |fits: fn(&Goal) -> bool| goals.iter().filter(|goal| fits(goal)).collect::<Vec<_>>();
    let met = of(|goal| goal.verdict.starts_with("met"));
    let short = of(|goal| goal.verdict.starts_with("short"));
    let unknown = goals.len() - met.len() - short.len();
    let table = |goals: &[&Goal]| {
        html! {
            div.scroll { table {
                thead { tr { th { "goal" } th { "against" } th { "ratio" } th { "wanted" } th { "decided by" } th { "" } } }
                tbody { @for goal in goals { tr {
                    th { (goal.name) }
                    td.text { (goal.against) }
                    td { @if let Some([median, lower, upper]) = goal.ratio { (digits(median)) " [" (digits(lower)) " " (digits(upper)) "]" } }
                    td { (digits(goal.at_least)) }
                    td { (goal.decided) }
                    td { @if goal.verdict.starts_with("met") { b.ours { (goal.verdict) } } @else { b.ahead { (goal.verdict) } } }
                } } }
            } }
        }
    };
    html! {
        p { b.ours { (met.len()) " of " (goals.len()) " met" } ", " b.ahead { (short.len()) " short" }
            @if unknown > 0 { ", " (unknown) " not measured" } ". "
            "A ratio is the peer's time over ours, the median of the rounds with its quartiles; of several peers the worst counts." }
        @if !short.is_empty() { (table(&short)) }
        details { summary { "All goals" } (table(&goals.iter().collect::<Vec<_>>())) }
    }
}

/// A long table: the rows of some faces.
pub(super) fn by_row(results: &Results, faces: &[&str], fits: fn(&str) -> bool) -> Markup {
    let cells: Vec<&Cell> = results
        .cells
        .iter()
        .filter(|cell| faces.contains(&cell.face.as_str()) && fits(&cell.row))
        .collect();
    if cells.is_empty() {
        return html! { p.behind { "Not measured in this run." } };
    }
    let mut rows: Vec<(&str, usize)> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    for cell in &cells {
        if !rows.contains(&(&cell.row, cell.bytes)) {
            rows.push((&cell.row, cell.bytes));
        }
        if !columns.contains(&cell.column.as_str()) {
            columns.push(&cell.column);
        }
    }
    // Lengths of one row stand together.
    let order: Vec<&str> = rows.iter().map(|row| row.0).collect();
    rows.sort_by_key(|row| (order.iter().position(|name| *name == row.0), row.1));
    columns.sort_by_key(|column| !is_ours(column));
    let found = |row: (&str, usize), column: &str| {
        let mut cells = cells.iter();
        cells.find(|cell| cell.row == row.0 && cell.bytes == row.1 && cell.column == column)
    };
    let shortest = |row: &str| rows.iter().filter(|r| r.0 == row).map(|r| r.1).min();
    html! { div.scroll { table {
        thead { tr { th { "µs" } @for column in &columns { th { (column) } } } }
        tbody { @for &row in &rows { tr {
            th { (row.0) @if shortest(row.0) != Some(row.1) { ", " (row.1) " bytes" } }
            @for column in &columns {
                @match found(row, column) {
                    Some(cell) => td.ours[is_ours(column)] {
                        (digits(cell.ns / 1e3))
                        @if let Some([median, ..]) = cell.ratio {
                            " " @if median < 1.0 { b.ahead { "(" (digits(median)) ")" } } @else { span.behind { "(" (digits(median)) ")" } }
                        }
                    },
                    None => td {},
                }
            }
        } } }
    } } }
}

/// Who accepts what.
pub(super) fn verdicts(kinds: &[Verdicts]) -> Markup {
    let mut columns: Vec<&str> = Vec::new();
    for name in kinds.iter().flat_map(|kind| kind.accepted.keys()) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    columns.sort_by_key(|column| !is_ours(column));
    // Libraries are the rows: their names are long, and there are more of them than kinds.
    html! { div.scroll { table {
        thead { tr { th { "accepts" } @for kind in kinds { th { (kind.kind) " (" (kind.cases) ")" } } } }
        tbody { @for column in &columns { tr {
            th { (column) }
            @for kind in kinds {
                @match kind.accepted.get(*column) {
                    None => td {},
                    Some(0) => td.none { "none" },
                    Some(count) if *count == kind.cases => td.all { "all" },
                    Some(count) => td { (count) },
                }
            }
        } } }
    } } }
}

/// The main rows of all machines beside each other.
pub(super) fn machines(all: &[Results]) -> Markup {
    html! {
        p { "Microseconds of Lanner, and in brackets the fastest peer's time over them: above 1, Lanner is the faster. "
            "A machine is added by " code { "lanner-bench --submit FILE" } " (bench/README.md)." }
        div.scroll { table {
            thead { tr { th {} @for results in all { th {
                (results.machine.name) br; span.small { (results.run.date) @if results.run.quick { ", quick" } }
            } } } }
            tbody { @for operation in &PICTURE { tr {
                th { (operation.title) }
                @for results in all {
                    td { @if let Some(ours) = results.micros(operation.ours, OURS) {
                        (digits(ours))
                        @if let Some((peer, micros)) = fastest(results, operation.ours) {
                            " ("
                            @if micros < ours { b.ahead { (digits(micros / ours)) } } @else { (digits(micros / ours)) }
                            ", " (peer) ")"
                        }
                    } }
                }
            } } }
        } }
    }
}
