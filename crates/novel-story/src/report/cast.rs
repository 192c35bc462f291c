//! Who appears where, by the names in the text.

use novel_model::{Message, message};

use novel_contract::report::{Appearance, CastReport};

use super::{
    Report, Section, Topic,
    facts::{Facts, MemberFacts},
    page::{Page, ranges, same},
    text::no_chapters,
};

/// People in the table of the page.
const SHOWN: usize = 20;

impl Section for CastReport {
    fn of(facts: &Facts) -> Self {
        let mut characters: Vec<Appearance> = facts
            .cast
            .iter()
            .map(|member| appearance(facts, member))
            .collect();
        characters.sort_by(|a, b| {
            let key = |who: &Appearance| (who.chapters.len(), who.mentions);
            key(b).cmp(&key(a)).then_with(|| a.id.cmp(&b.id))
        });
        let absent = characters
            .iter()
            .filter(|who| who.chapters.is_empty() && !who.retired)
            .map(|who| who.id.clone())
            .collect();
        Self { characters, absent }
    }

    fn page(&self, report: &Report) -> Page {
        let mut page = Page::new(Topic::Cast.title());
        if report.is_empty() {
            page.text(no_chapters());
            return page;
        }
        let present: Vec<&Appearance> = self
            .characters
            .iter()
            .filter(|who| !who.chapters.is_empty())
            .collect();
        let (seen, all) = (present.len(), self.characters.len());
        page.text(message!(
            en: "{seen} of {all} people are named.", zh: "{all} 人中有 {seen} 人出场。"
        ));
        page.table(
            vec![
                message!(en: "who", zh: "人物"),
                message!(en: "chapters", zh: "章数"),
                message!(en: "mentions", zh: "提及"),
                message!(en: "where", zh: "出场章"),
            ],
            present.into_iter().take(SHOWN).map(row).collect(),
        );
        let absent: Vec<&str> = self
            .characters
            .iter()
            .filter(|who| self.absent.contains(&who.id))
            .map(|who| who.name.as_str())
            .collect();
        if !absent.is_empty() {
            let (en, zh) = (absent.join(", "), absent.join("、"));
            page.text(message!(en: "Not named at all: {en}.", zh: "没有出场：{zh}。"));
        }
        page
    }
}

fn appearance(facts: &Facts, member: &MemberFacts) -> Appearance {
    let naming = facts
        .chapters
        .iter()
        .filter_map(|chapter| Some((chapter.chapter.get(), *chapter.people.get(&member.id)?)));
    let (mut chapters, mut mentions) = (Vec::new(), 0);
    for (chapter, count) in naming {
        chapters.push(chapter);
        mentions += count;
    }
    Appearance {
        id: member.id.clone(),
        name: member.name.clone(),
        retired: member.retired,
        since_last: chapters.last().map(|last| facts.span.last - last),
        chapters,
        mentions,
    }
}

fn row(who: &Appearance) -> Vec<Message> {
    let (name, id) = (&who.name, &who.id);
    let mut shown = message!(en: "{name} ({id})", zh: "{name}（{id}）");
    if who.retired {
        shown.en.push_str(", retired");
        shown.zh.push_str("，已退场");
    }
    vec![
        shown,
        same(who.chapters.len()),
        same(who.mentions),
        same(ranges(&who.chapters)),
    ]
}
