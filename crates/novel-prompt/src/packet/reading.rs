//! Packets for chapters of an imported book: what the book-reader is given, and chapters in parts.

use novel_book::context::ContextError;
use novel_model::{
    ChapterNo, ChapterStage, Format, StepId,
    files::{Packet, ReadingAnswer},
    layout, message,
};
use novel_text::DataKind;

use super::{
    BookFiles, ModelHint, PacketMode, Work, output,
    sources::{Need, Sources},
    subagent,
};

/// A staged chapter of an imported book, or a part of it.
#[derive(Debug, Clone, Copy)]
pub struct ReadingRequest<'a> {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Which part of how many.
    pub part: (u32, u32),
    /// Whether the book ends with this text.
    pub last: bool,
    /// What was found before.
    pub known: &'a str,
}

/// The packet with which the book-reader is asked what an imported chapter says.
///
/// # Errors
/// When the chapter is not staged.
pub fn reading(
    book: BookFiles<'_>,
    request: ReadingRequest<'_>,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let chapter = request.chapter;
    let step = StepId::Chapter(chapter, ChapterStage::Summarize);
    let mut sources = Sources::new(book.reader, mode);
    sources.scalar("chapter", chapter.get());
    sources.scalar("last", request.last);
    let path = layout::staged_chapter(chapter);
    let need = Need::Required(message!(
        en: "run `novel doctor` to see what is missing",
        zh: "运行 `novel doctor` 查看缺少什么"
    ));
    sources.text("chapter_content", DataKind::ChapterContent, &path, need);
    if !request.known.is_empty() {
        let known = request.known.into();
        sources.computed("known_so_far", DataKind::Reference, "novel:known", known);
    }
    let answer = output(layout::imported_reading(), Some(ReadingAnswer::SCHEMA));
    let agent = subagent("book-reader", None, ModelHint::Default);
    let work = Work::by_reader(step, agent, answer);
    let mut packet = work.into_packet(step, sources.finish()?);
    name_part(&mut packet, request.part);
    Ok(packet)
}

/// Says in a packet which part of a chapter its text is; nothing is said of a chapter in one.
pub fn name_part(packet: &mut Packet, (part, parts): (u32, u32)) {
    if parts > 1 {
        let inline = &mut packet.manifest.inline;
        inline.insert("part".to_owned(), part.into());
        inline.insert("parts".to_owned(), parts.into());
    }
}
