//! Sets a book up and plans its volumes by rule, from the brief and from hand-written word lists.
//!
//! The same files give the same answer. What an author reads of it says that it comes from a program
//! and from no language model.

mod cast;
mod lines;
mod names;
mod seeds;
mod style;
mod volume;
mod words;
mod world;

use novel_book::brief::Brief;
use novel_model::{Lang, files::Packet, layout, to_json_text};

use crate::{OfflineBook, OfflineError};
use words::Words;

/// One packet to answer.
#[derive(Clone, Copy)]
struct Task<'a> {
    book: OfflineBook<'a>,
    packet: &'a Packet,
}

impl Task<'_> {
    fn lang(&self) -> Lang {
        self.book.config.lang()
    }

    fn brief(&self) -> Result<Brief, OfflineError> {
        let text = self.book.reader.text(&layout::brief())?;
        Ok(Brief::parse(&text.unwrap_or_default()))
    }

    fn words(&self) -> Result<Words, OfflineError> {
        let genre = self.brief()?.genre.unwrap_or_default();
        Ok(Words::of(self.lang(), &genre))
    }

    /// Whether the trial chapters are to be planned.
    fn is_trial(&self) -> bool {
        self.packet.manifest.inline.get("trial") == Some(&true.into())
    }

    fn number(&self, field: &'static str) -> Result<u32, OfflineError> {
        let value = self.packet.manifest.inline.get(field);
        value
            .and_then(serde_json::Value::as_u64)
            .and_then(|number| u32::try_from(number).ok())
            .ok_or(OfflineError::PacketField { field })
    }
}

/// The answer to a packet of the quick start or of planning; `None` for another agent.
pub(crate) fn answer(
    book: OfflineBook<'_>,
    packet: &Packet,
) -> Result<Option<String>, OfflineError> {
    let task = Task { book, packet };
    let text = match (packet.agent.name.as_str(), packet.agent.mode.as_deref()) {
        ("world-builder", Some("extend")) => to_json_text(&world::extend(task)?),
        ("world-builder", _) => to_json_text(&world::build(task)?),
        ("character-weaver", Some("introduce")) => to_json_text(&cast::introduce(task)?),
        ("character-weaver", _) => to_json_text(&cast::weave(task)?),
        ("style-analyzer", _) => to_json_text(&style::analyze(task)?),
        ("plot-architect", _) => to_json_text(&volume::plan(task)?),
        _ => return Ok(None),
    };
    Ok(Some(text))
}
