//! Collects the fields of a manifest and every problem met on the way.

use novel_model::{BookReader, Document, Format, Message, Problem, RelPath, files::Manifest};
use novel_text::{DataKind, wrap_data};
use serde_json::{Map, Value};

use super::PacketMode;
use crate::guides::{Guide, GuideText};
use novel_book::context::{ContextError, missing, problems_of};

/// Whether a step can go without a file.
pub(super) enum Need {
    /// Yes; it is left out when absent.
    Optional,
    /// No; this is how to get one.
    Required(Message),
}

/// One of several values of a field.
pub(super) struct Part {
    /// The file it comes from.
    pub(super) source: String,
    /// For a packet that names files.
    pub(super) value: Value,
    /// For a prompt.
    pub(super) text: String,
}

/// A manifest under construction.
pub(super) struct Sources<'a> {
    reader: &'a dyn BookReader,
    mode: PacketMode,
    paths: Map<String, Value>,
    inline: Map<String, Value>,
    embedded: Map<String, Value>,
    problems: Vec<Problem>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(reader: &'a dyn BookReader, mode: PacketMode) -> Self {
        Self {
            reader,
            mode,
            paths: Map::new(),
            inline: Map::new(),
            embedded: Map::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn reader(&self) -> &'a dyn BookReader {
        self.reader
    }

    /// The value, or `None` with its problems kept for the end.
    pub(super) fn keep<T>(&mut self, result: Result<T, impl Into<ContextError>>) -> Option<T> {
        result
            .map_err(|error| self.problems.extend(error.into().into_problems()))
            .ok()
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// A number, an id or a flag: safe to stand outside a wrapper.
    pub(super) fn scalar(&mut self, field: &str, value: impl Into<Value>) {
        self.inline.insert(field.to_owned(), value.into());
    }

    /// A value computed from the text of `source`.
    pub(super) fn computed(&mut self, field: &str, kind: DataKind, source: &str, value: Value) {
        match &value {
            Value::String(text) => self.embed(field, kind, source, text),
            value if self.mode.gives_texts() => {
                self.embed(field, kind, source, &novel_model::to_json_text(value));
            }
            _ => {}
        }
        self.inline(field, value);
    }

    /// A value computed from `source`, in words of its own where it is given in full.
    pub(super) fn computed_as(
        &mut self,
        field: &str,
        kind: DataKind,
        source: &str,
        value: Value,
        text: &str,
    ) {
        self.embed(field, kind, source, text);
        self.inline(field, value);
    }

    /// A value of a packet that names files.
    fn inline(&mut self, field: &str, value: Value) {
        if self.mode.names_files() {
            self.inline.insert(field.to_owned(), value);
        }
    }

    /// A text of a packet that gives texts in full.
    fn embed(&mut self, field: &str, kind: DataKind, source: &str, text: &str) {
        if self.mode.gives_texts() {
            let wrapped = wrap_data(kind, source, text.trim_end_matches('\n'));
            self.embedded
                .insert(field.to_owned(), Value::String(wrapped));
        }
    }

    /// Several values under one field, each computed from a source of its own; left out when there
    /// are none.
    pub(super) fn parts(&mut self, field: &str, kind: DataKind, parts: Vec<Part>) {
        if parts.is_empty() {
            return;
        }
        if self.mode.gives_texts() {
            let wrapped = parts
                .iter()
                .map(|part| Value::from(wrap_data(kind, &part.source, part.text.trim_end())))
                .collect();
            self.embedded
                .insert(field.to_owned(), Value::Array(wrapped));
        }
        let values = parts.into_iter().map(|part| part.value).collect();
        self.inline(field, Value::Array(values));
    }

    /// A file as it is; its text, if it is there.
    pub(super) fn text(
        &mut self,
        field: &str,
        kind: DataKind,
        path: &RelPath,
        need: Need,
    ) -> Option<String> {
        let text = self.reader.text(path);
        match (self.keep(text)?, need) {
            (Some(text), _) => {
                self.add_file(field, kind, path, &text);
                Some(text)
            }
            (None, Need::Optional) => None,
            (None, Need::Required(hint)) => {
                self.problem(missing(path, hint));
                None
            }
        }
    }

    /// A file that an earlier step leaves. It is named before it is there; given in full it must be.
    pub(super) fn awaited(&mut self, field: &str, kind: DataKind, path: &RelPath, hint: Message) {
        let need = match self.mode.gives_texts() {
            false => Need::Optional,
            true => Need::Required(hint),
        };
        self.text(field, kind, path, need);
        if self.mode.names_files() {
            self.paths
                .insert(field.to_owned(), Value::from(path.as_str()));
        }
    }

    /// A JSON file, checked; its content, if it is there and sound.
    pub(super) fn json<T: Format>(
        &mut self,
        field: &str,
        kind: DataKind,
        path: &RelPath,
        need: Need,
    ) -> Option<Document<T>> {
        let text = self.text(field, kind, path, need)?;
        let parsed = Document::parse(path, &text);
        parsed
            .map_err(|error| self.problems.extend(problems_of(error.into())))
            .ok()
    }

    /// Several files under one field, which is left out when there are none.
    pub(super) fn list(&mut self, field: &str, kind: DataKind, paths: &[RelPath]) {
        let (mut names, mut contents) = (Vec::new(), Vec::new());
        for path in paths {
            let text = self.reader.text(path);
            if let Some(text) = self.keep(text).flatten() {
                names.push(Value::from(path.as_str()));
                if self.mode.gives_texts() {
                    contents.push(Value::from(wrap_data(
                        kind,
                        path.as_str(),
                        text.trim_end_matches('\n'),
                    )));
                }
            }
        }
        if names.is_empty() {
            return;
        }
        self.paths.insert(field.to_owned(), Value::Array(names));
        if self.mode.gives_texts() {
            self.embedded
                .insert(field.to_owned(), Value::Array(contents));
        }
    }

    /// The files of a directory whose names end in `extension`, sorted.
    pub(super) fn directory(
        &mut self,
        field: &str,
        kind: DataKind,
        directory: &RelPath,
        extension: &str,
    ) {
        let listed = self.reader.list(directory);
        let mut names = self.keep(listed).unwrap_or_default();
        names.retain(|name| !name.starts_with('.') && name.ends_with(extension));
        names.sort_unstable();
        let paths: Vec<RelPath> = names
            .iter()
            .filter_map(|name| directory.join(name).ok())
            .collect();
        self.list(field, kind, &paths);
    }

    /// A reference text, from the project or built in.
    pub(super) fn guide(&mut self, guide: Guide, lang: novel_model::Lang) {
        match self.keep(guide.find(self.reader, lang)) {
            Some(GuideText::Project(path)) => {
                self.text(guide.field(), DataKind::Reference, &path, Need::Optional);
            }
            Some(GuideText::BuiltIn { source, text }) => {
                self.computed(guide.field(), DataKind::Reference, &source, text.into());
            }
            None => {}
        }
    }

    /// The manifest, unless a problem was met.
    pub(super) fn finish(self) -> Result<Manifest, ContextError> {
        ContextError::unless_sound(self.problems)?;
        let (mode, embedded) = match self.mode {
            PacketMode::Paths => ("paths", None),
            PacketMode::Embed | PacketMode::Both => ("embed", Some(self.embedded)),
        };
        Ok(Manifest {
            mode: mode.to_owned(),
            paths: self.paths,
            inline: self.inline,
            embedded,
        })
    }

    fn add_file(&mut self, field: &str, kind: DataKind, path: &RelPath, text: &str) {
        self.paths
            .insert(field.to_owned(), Value::from(path.as_str()));
        self.embed(field, kind, path.as_str(), text);
    }
}
