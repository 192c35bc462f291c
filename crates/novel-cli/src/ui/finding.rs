//! A finding of the story checker as a compiler prints one: what is wrong, the quotation with
//! carets, the quotation it contradicts, and help.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use novel_app::care::check::{Finding, Side};
use novel_model::{Lang, files::Severity};

use unicode_width::UnicodeWidthStr as _;

use crate::ui::{
    labels::severity,
    printer::{ERROR, HINT, WARNING, visible},
    wrap::wrapped,
};

/// The words around a finding in one language.
struct Words {
    against: &'static str,
    contradicted: &'static str,
    help: &'static str,
    fingerprint: &'static str,
    waived: &'static str,
}

impl Words {
    const fn new(lang: Lang) -> Self {
        match lang {
            Lang::En => Self {
                against: "note",
                contradicted: "it contradicts this",
                help: "help",
                fingerprint: "fingerprint",
                waived: "waived",
            },
            Lang::Zh => Self {
                against: "对照",
                contradicted: "与此处矛盾",
                help: "建议",
                fingerprint: "指纹",
                waived: "已豁免",
            },
        }
    }
}

/// Columns of a drawing.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Most columns of a quotation.
    pub(crate) width: usize,
    /// Most columns of other text; without a terminal a text stays on its line.
    pub(crate) text: Option<usize>,
}

/// Draws a finding in colours, without a newline at the end. `waived` is the reason for which the
/// author lets it stand.
pub(crate) fn draw(finding: &Finding, waived: Option<&str>, lang: Lang, room: Room) -> String {
    let width = room.width;
    let words = Words::new(lang);
    let level = match finding.severity {
        Severity::High => Level::ERROR,
        Severity::Medium => Level::WARNING,
        Severity::Low => Level::NOTE,
    };
    let severity = severity(finding.severity).word(lang);
    let label = format!("{severity}[{}]: ", finding.code.as_str());
    let message = visible(finding.message.get(lang));
    let title = level
        .clone()
        .with_name(severity)
        .primary_title(beside(&label, &message, room))
        .id(finding.code.as_str());
    let head = title.element(origin(&finding.place, lang));

    let place = Group::with_level(level).element(quotation(&finding.place, width));
    let against = Level::NOTE
        .with_name(words.against)
        .secondary_title(words.contradicted)
        .element(origin(&finding.other_side, lang));
    let mut other_side =
        Group::with_level(Level::NOTE).element(quotation(&finding.other_side, width));
    let repair = finding.repair(lang);
    let help = Level::HELP.with_name(words.help);
    let label = format!(" = {}: ", words.help);
    other_side = other_side.element(help.message(beside(&label, &visible(&repair), room)));
    let fingerprint = Level::NOTE.with_name(words.fingerprint);
    other_side = other_side.element(fingerprint.message(finding.fingerprint.as_str()));
    if let Some(reason) = waived {
        let label = Level::NOTE.with_name(words.waived);
        other_side = other_side.element(label.message(visible(reason)));
    }

    let renderer = Renderer::styled()
        .error(ERROR)
        .warning(WARNING)
        .note(HINT)
        .help(HINT)
        .term_width(width);
    // One report would draw an empty line between the first place and its quotation.
    let head = renderer.render(&[head]);
    let sides = renderer.render(&[place, against, other_side]);
    format!("{head}\n{sides}")
}

/// A text in lines that fit beside the label they begin after, cut between words.
fn beside(label: &str, text: &str, room: Room) -> String {
    const NARROWEST: usize = 24;
    match room.text {
        Some(width) => wrapped(text, width.saturating_sub(label.width()).max(NARROWEST), 0),
        None => text.to_owned(),
    }
}

fn origin(side: &Side, lang: Lang) -> Origin<'static> {
    Origin::path(visible(&side.location(lang)).into_owned())
}

/// The quotation on one line, its focus underlined. It has no line number: it can be a part of a
/// line, or of a value somewhere in a JSON file. A record that is wider than the screen is cut around its
/// value.
fn quotation(side: &Side, width: usize) -> Snippet<'static, Annotation<'static>> {
    const BAR: usize = 3;
    const VALUE: &str = "\"value\":";
    let text = side.quotation.as_str();
    let value = text.rfind(VALUE).filter(|_| text.width() + BAR > width);
    let whole = value.map_or(0..text.len(), |at| {
        at + VALUE.len()..text.len().saturating_sub(1)
    });
    let focus = side.focus.clone().unwrap_or(whole);
    let part = |range| text.get(range).map(one_line).unwrap_or_default();
    let mut line = part(0..focus.start);
    let start = line.len();
    line.push_str(&part(focus.start..focus.end));
    let end = line.len();
    line.push_str(&part(focus.end..text.len()));
    Snippet::source(line)
        .line_numbering(false)
        .annotation(AnnotationKind::Primary.span(start..end))
}

/// The text with control characters visible and line ends as spaces.
fn one_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
