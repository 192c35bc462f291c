//! Charts as SVG made here: a wide and a narrow drawing, so that text keeps its size; the numbers
//! behind each as a table.

use maud::{Markup, html};

/// The floor of the distance between mean and limit: less than this nobody can tell apart.
const FLOOR: f64 = 0.05;

/// One row of numbers.
pub(crate) struct Series {
    /// Chapter and value.
    pub(crate) points: Vec<(u32, Option<f64>)>,
    /// Decimals of the labels.
    pub(crate) decimals: usize,
}

/// A control chart.
pub(crate) struct Chart<'a> {
    /// A sentence that says what it shows.
    pub(crate) title: &'a str,
    /// What is drawn, small.
    pub(crate) caption: &'a str,
    pub(crate) series: Series,
    /// Lower and upper limit; outside of them a point is marked.
    pub(crate) limits: Option<(f64, f64)>,
    /// Where a chapter is read.
    pub(crate) book: &'a str,
    /// Heads of the table.
    pub(crate) heads: (&'a str, &'a str),
    /// What the summary of the table says.
    pub(crate) table: &'a str,
}

/// Limits from the mean moving range, as control charts have them; at least the floor apart.
pub(crate) fn limits(points: &[(u32, Option<f64>)]) -> Option<(f64, f64)> {
    let values: Vec<f64> = points.iter().filter_map(|(_, value)| *value).collect();
    let count = count(values.len());
    if values.len() < 5 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let ranges = values.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let range = ranges.sum::<f64>() / (count - 1.0);
    let reach = (2.66 * range).max(FLOOR);
    Some((mean - reach, mean + reach))
}

fn count(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

/// The picture with its table.
pub(crate) fn chart(chart: &Chart<'_>) -> Markup {
    html! {
        figure class="fig" {
            figcaption { strong { (chart.title) } span class="small muted" { (chart.caption) } }
            @if chart.series.points.iter().any(|(_, value)| value.is_some()) {
                (drawing(chart, 560.0, 220.0, "only-wide"))
                (drawing(chart, 350.0, 200.0, "only-narrow"))
            }
            (table(chart))
        }
    }
}

fn table(chart: &Chart<'_>) -> Markup {
    let decimals = chart.series.decimals;
    html! {
        details {
            summary { (chart.table) }
            div class="scroll" tabindex="0" role="region" aria-label=(chart.title) {
                table class="tbl" {
                    thead { tr { th scope="col" { (chart.heads.0) } th scope="col" class="r" { (chart.heads.1) } } }
                    tbody {
                        @for (chapter, value) in &chart.series.points {
                            tr {
                                th scope="row" { a href={ (chart.book) "/chapters/" (chapter) } { (chapter) } }
                                td class="r" { @match value { Some(value) => (format!("{value:.decimals$}")), None => "—" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// From chapters and values to places on the sheet.
struct Scale {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    low: f64,
    high: f64,
    first: f64,
    last: f64,
}

impl Scale {
    fn x(&self, chapter: u32) -> f64 {
        let step = (self.right - self.left) / (self.last - self.first + 1.0);
        self.left + (f64::from(chapter) - self.first + 0.5) * step
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.bottom - share * (self.bottom - self.top)
    }
}

fn scale(
    points: &[(u32, Option<f64>)],
    limits: Option<(f64, f64)>,
    width: f64,
    height: f64,
) -> Scale {
    let values = points.iter().filter_map(|(_, value)| *value);
    let marks = limits.into_iter().flat_map(|(low, high)| [low, high]);
    let all: Vec<f64> = values.chain(marks).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let room = ((high - low) * 0.15).max(0.02);
    Scale {
        left: 44.0,
        right: width - 10.0,
        top: 12.0,
        bottom: height - 26.0,
        low: low - room,
        high: high + room,
        first: f64::from(points.first().map_or(1, |(chapter, _)| *chapter)),
        last: f64::from(points.last().map_or(1, |(chapter, _)| *chapter)),
    }
}

fn drawing(chart: &Chart<'_>, width: f64, height: f64, class: &str) -> Markup {
    let points = &chart.series.points;
    let scale = scale(points, chart.limits, width, height);
    let label = |value: f64| {
        let decimals = chart.series.decimals;
        format!("{value:.decimals$}")
    };
    let known: Vec<(u32, f64)> = points
        .iter()
        .filter_map(|(chapter, value)| value.map(|value| (*chapter, value)))
        .collect();
    let mean = known.iter().map(|(_, value)| value).sum::<f64>() / count(known.len().max(1));
    let line: Vec<String> = known
        .iter()
        .map(|(chapter, value)| format!("{:.1},{:.1}", scale.x(*chapter), scale.y(*value)))
        .collect();
    let is_out = |value: f64| {
        chart
            .limits
            .is_some_and(|(low, high)| value < low || value > high)
    };
    let last = known.last().map(|(chapter, _)| *chapter);
    let dense = known.len() > 80;
    html! {
        svg class={ "chart " (class) } viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(chart.title) {
            @if let Some((low, high)) = chart.limits {
                rect class="band" x=(scale.left) y=(at(scale.y(high))) width=(scale.right - scale.left) height=(at(scale.y(low) - scale.y(high))) {}
                @for value in [high, low] {
                    line class="limit" x1=(scale.left) x2=(scale.right) y1=(at(scale.y(value))) y2=(at(scale.y(value))) {}
                    text x=(scale.left - 6.0) y=(at(scale.y(value) + 4.0)) text-anchor="end" { (label(value)) }
                }
            }
            line class="mean" x1=(scale.left) x2=(scale.right) y1=(at(scale.y(mean))) y2=(at(scale.y(mean))) {}
            text x=(scale.left - 6.0) y=(at(scale.y(mean) + 4.0)) text-anchor="end" { (label(mean)) }
            polyline class="line" points=(line.join(" ")) {}
            @for (chapter, value) in &known {
                @if is_out(*value) {
                    path class="out" d={ "M" (at(scale.x(*chapter))) " " (at(scale.y(*value) + 6.0)) "l-6 -11h12z" } {}
                    text class="out" x=(at(scale.x(*chapter))) y=(at(scale.y(*value) - 9.0)) text-anchor="middle" { (chapter) }
                } @else if !dense || Some(*chapter) == last {
                    circle class={ "pt" @if Some(*chapter) == last { " last" } } cx=(at(scale.x(*chapter))) cy=(at(scale.y(*value))) r="3" {}
                }
            }
            (axis(&scale, points, height))
        }
    }
}

fn axis(scale: &Scale, points: &[(u32, Option<f64>)], height: f64) -> Markup {
    let step = (points.len() / 8).max(1);
    html! {
        line class="axis" x1=(scale.left) x2=(scale.right) y1=(scale.bottom + 4.0) y2=(scale.bottom + 4.0) {}
        @for (chapter, _) in points.iter().step_by(step) {
            text x=(at(scale.x(*chapter))) y=(height - 6.0) text-anchor="middle" { (chapter) }
        }
    }
}

fn at(place: f64) -> String {
    format!("{place:.1}")
}

/// Stacked bars by chapter.
pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    pub(crate) caption: &'a str,
    /// Names of the parts, the lowest first.
    pub(crate) parts: &'a [String],
    /// Chapter and its parts.
    pub(crate) rows: Vec<(u32, Vec<f64>)>,
    pub(crate) decimals: usize,
    /// A band a good bar ends in.
    pub(crate) band: Option<(f64, f64)>,
    pub(crate) book: &'a str,
    pub(crate) heads: (&'a str, &'a str),
    pub(crate) table: &'a str,
}

const TINTS: [&str; 4] = ["hi", "", "mid", "soft"];

/// The bars with their table.
pub(crate) fn bars(bars: &Bars<'_>) -> Markup {
    let decimals = bars.decimals;
    html! {
        figure class="fig" {
            figcaption { strong { (bars.title) } span class="small muted" { (bars.caption) } }
            @if !bars.rows.is_empty() {
                (bar_drawing(bars, 560.0, 220.0, "only-wide"))
                (bar_drawing(bars, 350.0, 200.0, "only-narrow"))
            }
            @if bars.parts.len() > 1 {
                p class="acts small muted" {
                    @for (index, part) in bars.parts.iter().enumerate() {
                        span class="badge" {
                            svg class="chart" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" {
                                rect class={ "bar " (TINTS[index % TINTS.len()]) } width="12" height="12" rx="2" {}
                            }
                            (part)
                        } " "
                    }
                }
            }
            details {
                summary { (bars.table) }
                div class="scroll" tabindex="0" role="region" aria-label=(bars.title) {
                    table class="tbl" {
                        thead { tr {
                            th scope="col" { (bars.heads.0) }
                            @if bars.parts.len() > 1 { @for part in bars.parts { th scope="col" class="r" { (part) } } }
                            th scope="col" class="r" { (bars.heads.1) }
                        } }
                        tbody { @for (chapter, parts) in &bars.rows {
                            tr {
                                th scope="row" { a href={ (bars.book) "/chapters/" (chapter) } { (chapter) } }
                                @if bars.parts.len() > 1 { @for value in parts { td class="r" { (format!("{value:.decimals$}")) } } }
                                td class="r" { (format!("{:.decimals$}", parts.iter().sum::<f64>())) }
                            }
                        } }
                    }
                }
            }
        }
    }
}

fn bar_drawing(bars: &Bars<'_>, width: f64, height: f64, class: &str) -> Markup {
    let sums = bars.rows.iter().map(|(_, parts)| parts.iter().sum::<f64>());
    let highest = sums
        .chain(bars.band.map(|(_, high)| high))
        .fold(f64::MIN_POSITIVE, f64::max);
    let points: Vec<(u32, Option<f64>)> = bars.rows.iter().map(|(n, _)| (*n, None)).collect();
    let mut scale = scale(&points, Some((0.0, highest)), width, height);
    scale.low = 0.0;
    scale.high = highest * 1.08;
    let step = (scale.right - scale.left) / count(bars.rows.len());
    let wide = (step * 0.72).max(0.6);
    html! {
        svg class={ "chart " (class) } viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(bars.title) {
            @if let Some((low, high)) = bars.band {
                rect class="band" x=(scale.left) y=(at(scale.y(high))) width=(scale.right - scale.left) height=(at(scale.y(low) - scale.y(high))) {}
                @for value in [low, high] {
                    line class="limit" x1=(scale.left) x2=(scale.right) y1=(at(scale.y(value))) y2=(at(scale.y(value))) {}
                    text x=(scale.left - 6.0) y=(at(scale.y(value) + 4.0)) text-anchor="end" { (format!("{value:.0}")) }
                }
            } @else {
                text x=(scale.left - 6.0) y=(at(scale.y(highest) + 4.0)) text-anchor="end" { (format!("{highest:.prec$}", prec = bars.decimals)) }
            }
            @for (index, (_, parts)) in bars.rows.iter().enumerate() {
                @let x = scale.left + count(index) * step + (step - wide) / 2.0;
                @for (part, (value, below)) in stacked(parts).into_iter().enumerate() {
                    rect class={ "bar " (if bars.parts.len() > 1 { TINTS[part % TINTS.len()] } else { "mid" }) } x=(at(x)) y=(at(scale.y(below + value))) width=(at(wide)) height=(at((scale.y(below) - scale.y(below + value)).max(0.0))) {}
                }
            }
            (axis(&scale, &points, height))
        }
    }
}

/// Each value with the sum of those below it.
fn stacked(parts: &[f64]) -> Vec<(f64, f64)> {
    let mut below = 0.0;
    parts
        .iter()
        .map(|value| {
            let here = (*value, below);
            below += value;
            here
        })
        .collect()
}

/// Who appears when: one row each, a cell a chapter.
pub(crate) fn presence(
    title: &str,
    caption: &str,
    table: &str,
    written: u32,
    rows: &[(String, String, Vec<u32>)],
) -> Markup {
    let height = 22.0 * count(rows.len()) + 26.0;
    let left = 150.0;
    let step = (1200.0 - left - 6.0) / f64::from(written.max(1));
    let every = (written / 20).max(1);
    html! {
        figure class="fig wide" {
            figcaption { strong { (title) } span class="small muted" { (caption) } }
            div class="scroll sideways" tabindex="0" role="region" aria-label=(title) {
                svg class="chart presence" viewBox={ "0 0 1200 " (height) } role="img" aria-label=(title) {
                    @for chapter in (1..=written).filter(|n| n % every == 0 || *n == 1) {
                        text x=(at(left + (f64::from(chapter) - 0.5) * step)) y="14" text-anchor="middle" { (chapter) }
                    }
                    @for (index, (name, _, chapters)) in rows.iter().enumerate() {
                        @let y = 24.0 + 22.0 * count(index);
                        text class="strong" x="0" y=(at(y + 13.0)) { (super::fit(name, 22)) }
                        line class="axis" x1=(left) x2="1194" y1=(at(y + 9.0)) y2=(at(y + 9.0)) {}
                        @for chapter in chapters {
                            rect class="bar mid" x=(at(left + (f64::from(*chapter) - 1.0) * step + step * 0.1)) y=(at(y + 3.0)) width=(at((step * 0.8).max(0.6))) height="12" rx="1" {}
                        }
                    }
                }
            }
            details {
                summary { (table) }
                div class="scroll" tabindex="0" role="region" aria-label=(title) {
                    table class="tbl" { tbody {
                        @for (name, href, chapters) in rows {
                            tr {
                                th scope="row" { a href=(href) { (name) } }
                                td class="r" { (chapters.len()) }
                                td class="muted" { (ranges(chapters)) }
                            }
                        }
                    } }
                }
            }
        }
    }
}

/// `1–4, 7, 9–12`.
fn ranges(chapters: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for chapter in chapters {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *chapter => *last = *chapter,
            _ => parts.push((*chapter, *chapter)),
        }
    }
    let texts: Vec<String> = parts
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            }
        })
        .collect();
    texts.join(", ")
}
