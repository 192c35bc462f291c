//! A finding of the story checker as a compiler prints one: what is wrong, the quotation with
//! carets, the quotation it contradicts, and help.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use novel_app::care::check::{Finding, Side};
use novel_model::{Lang, files::Severity};

use crate::ui::printer::{ERROR, HINT, WARNING, visible};

/// The words around a finding in one language.
struct Words {
    severity: &'static str,
    against: &'static str,
    contradicted: &'static str,
    help: &'static str,
    fingerprint: &'static str,
    waived: &'static str,
}

impl Words {
    fn new(severity: Severity, lang: Lang) -> Self {
        match lang {
            Lang::En => Self {
                severity: match severity {
                    Severity::High => "error",
                    Severity::Medium => "warning",
                    Severity::Low => "note",
                },
                against: "note",
                contradicted: "it contradicts this",
                help: "help",
                fingerprint: "fingerprint",
                waived: "waived",
            },
            Lang::Zh => Self {
                severity: match severity {
                    Severity::High => "错误",
                    Severity::Medium => "警告",
                    Severity::Low => "提示",
                },
                against: "对照",
                contradicted: "与此处矛盾",
                help: "建议",
                fingerprint: "指纹",
                waived: "已豁免",
            },
        }
    }
}

/// Draws a finding in colours, at most `width` columns of each quotation, without a newline at the
/// end. `waived` is the reason for which the author lets it stand.
pub(crate) fn draw(finding: &Finding, waived: Option<&str>, lang: Lang, width: usize) -> String {
    let words = Words::new(finding.severity, lang);
    let level = match finding.severity {
        Severity::High => Level::ERROR,
        Severity::Medium => Level::WARNING,
        Severity::Low => Level::NOTE,
    };
    let message = visible(finding.message.get(lang));
    let title = level
        .clone()
        .with_name(words.severity)
        .primary_title(message)
        .id(finding.code.as_str());
    let head = title.element(origin(&finding.place, lang));

    let place = Group::with_level(level).element(quotation(&finding.place));
    let against = Level::NOTE
        .with_name(words.against)
        .secondary_title(words.contradicted)
        .element(origin(&finding.other_side, lang));
    let mut other_side = Group::with_level(Level::NOTE).element(quotation(&finding.other_side));
    let repair = finding.repair(lang);
    let help = Level::HELP.with_name(words.help);
    other_side = other_side.element(help.message(visible(&repair).into_owned()));
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

fn origin(side: &Side, lang: Lang) -> Origin<'static> {
    Origin::path(visible(&side.location(lang)).into_owned())
}

/// The quotation on one line, its focus underlined. It has no line number: it can be a part of a
/// line, or of a value somewhere in a JSON file.
fn quotation(side: &Side) -> Snippet<'static, Annotation<'static>> {
    let text = side.quotation.as_str();
    let focus = side.focus.clone().unwrap_or(0..text.len());
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
