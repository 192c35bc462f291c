//! An outside agent that writes a book through the commands of the binary.

use serde_json::Value;

use crate::{
    book::TestBook,
    plan::{Manner, pretty},
};

/// An outside agent: it asks what comes next, reads the packet, hands its answer in.
#[derive(Clone, Copy)]
pub struct Driver<'a> {
    book: &'a TestBook,
    manner: Manner,
    added: &'a str,
}

impl<'a> Driver<'a> {
    /// With a judge who likes everything.
    #[must_use]
    pub fn new(book: &'a TestBook) -> Self {
        Self {
            book,
            manner: Manner::Usual,
            added: "",
        }
    }

    /// A driver that adds `text` to the end of every draft.
    #[must_use]
    pub fn adding(mut self, text: &'a str) -> Self {
        self.added = text;
        self
    }

    /// A driver that writes in `manner`.
    #[must_use]
    pub fn manner(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }

    /// `chapter:NNN:STAGE`.
    #[must_use]
    pub fn step(chapter: u32, stage: &str) -> String {
        format!("chapter:{chapter:03}:{stage}")
    }

    /// Reads the packet of a step that must come next, and checks whom it is for.
    #[track_caller]
    pub fn packet(&self, chapter: u32, stage: &str) -> Value {
        let step = Self::step(chapter, stage);
        assert_eq!(self.book.next(), step);
        let mut data = self.book.ask(&["instructions", &step]).data();
        let packet = data["packet"].take();
        assert_eq!(packet["step"], step.as_str());
        let agent = match stage {
            "draft" => "chapter-writer",
            "summarize" => "summarizer",
            "refine" => "style-refiner",
            _ => "quality-judge",
        };
        assert_eq!(packet["agent"]["name"], agent);
        packet
    }

    /// Hands an answer in and has it accepted.
    #[track_caller]
    pub fn hand_in(&self, chapter: u32, stage: &str, answer: impl AsRef<[u8]>) -> Value {
        let step = Self::step(chapter, stage);
        let data = self.book.feed(&["submit", &step, "-"], answer).data();
        assert!(!data["written"].as_array().unwrap().is_empty(), "{data:#}");
        self.book.ask(&["advance", &step]).data()
    }

    /// The draft.
    #[track_caller]
    pub fn draft(&self, chapter: u32) {
        self.packet(chapter, "draft");
        let answer = self.book.plan().draft(chapter, self.manner) + self.added;
        self.hand_in(chapter, "draft", answer);
    }

    /// Summary, delta, cross-references, memory.
    #[track_caller]
    pub fn summarize(&self, chapter: u32) {
        self.packet(chapter, "summarize");
        let answer = self
            .book
            .plan()
            .summary_answer(chapter, self.book.state_version());
        self.hand_in(chapter, "summarize", pretty(&answer));
    }

    /// The refined text.
    #[track_caller]
    pub fn refine(&self, chapter: u32) {
        self.packet(chapter, "refine");
        let answer = self.book.plan().refined(chapter, self.manner) + self.added;
        self.hand_in(chapter, "refine", answer);
    }

    /// One judge's answer, twice for a key chapter; gives what `advance` says.
    #[track_caller]
    pub fn judge(&self, chapter: u32, verdict: &Value) -> Value {
        self.packet(chapter, "judge");
        self.judge_again(chapter, verdict, verdict)
    }

    /// Hands in two verdicts, the second for key chapters only, without reading the packet.
    #[track_caller]
    pub fn judge_again(&self, chapter: u32, primary: &Value, secondary: &Value) -> Value {
        let step = Self::step(chapter, "judge");
        let args = ["submit", &step, "-", "--model", "first-judge"];
        let data = self.book.feed(&args, pretty(primary)).data();
        if self.book.plan().is_key(chapter) {
            assert_eq!(data["awaiting"], "secondary", "{data:#}");
            let args = [
                "submit",
                &step,
                "-",
                "--judge",
                "secondary",
                "--model",
                "second-judge",
            ];
            let data = self.book.feed(&args, pretty(secondary)).data();
            assert_eq!(data["awaiting"], Value::Null, "{data:#}");
        } else {
            assert_eq!(data["awaiting"], Value::Null, "{data:#}");
        }
        self.book.ask(&["advance", &step]).data()
    }

    /// The commit.
    #[track_caller]
    pub fn commit(&self, chapter: u32) -> Value {
        assert_eq!(self.book.next(), Self::step(chapter, "commit"));
        self.book
            .ask(&["commit", "--chapter", &chapter.to_string()])
            .data()
    }

    /// Everything up to an accepted verdict of 4.2.
    #[track_caller]
    pub fn up_to_judged(&self, chapter: u32) {
        self.up_to_refined(chapter);
        let data = self.judge(chapter, &self.book.plan().verdict(chapter, 4.2));
        assert_eq!(data["gate"]["decision"], "pass", "{data:#}");
    }

    /// Everything up to the accepted refined text.
    #[track_caller]
    pub fn up_to_refined(&self, chapter: u32) {
        self.draft(chapter);
        self.summarize(chapter);
        self.refine(chapter);
    }

    /// A whole chapter; gives what `commit` says.
    #[track_caller]
    pub fn write(&self, chapter: u32) -> Value {
        self.up_to_judged(chapter);
        self.commit(chapter)
    }
}
