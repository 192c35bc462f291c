//! What was measured of the judge behind a verdict: the same model with the same version of its prompt.

use novel_contract::care as contract;
use novel_model::{
    BookReader, BrokenFile, FileError, Message, Problem,
    files::{JudgeRole, Judges, OFFLINE_AUTHOR, StageLog},
    layout, message,
};

use super::{Calibration, Probe, Share, calibrations};

/// Reads the record of probes.
///
/// # Errors
/// When it cannot be read or a line is damaged.
pub fn read(reader: &dyn BookReader) -> Result<Vec<Probe>, FileError> {
    let path = layout::judge_probes();
    let text = reader.text(&path)?.unwrap_or_default();
    let mut probes = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let probe = serde_json::from_str(line).map_err(|error| {
            let what = message!(en: "not a valid probe: {error}", zh: "不是检验记录：{error}");
            BrokenFile::new(Problem::new("json_syntax", &path, what).at_line(at + 1))
        })?;
        probes.push(probe);
    }
    Ok(probes)
}

/// The judge behind a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownJudge {
    /// Its model.
    pub model: String,
    /// Version of its prompt, where the log says it.
    pub prompt_version: Option<u32>,
    /// What was measured of this model with this version; none when nothing was.
    pub measured: Option<Calibration>,
}

impl KnownJudge {
    /// The judge whose verdict was used; none for an outside driver, which names no model, and for the
    /// offline author, whose scores are no verdicts.
    #[must_use]
    pub fn of(judges: &Judges, stages: &[StageLog], measured: &[Calibration]) -> Option<Self> {
        let used = match judges.used {
            JudgeRole::Primary => Some(&judges.primary),
            JudgeRole::Secondary => judges.secondary.as_ref(),
        };
        let model = used?
            .model
            .clone()
            .filter(|model| model != OFFLINE_AUTHOR)?;
        let asked = stages
            .iter()
            .rev()
            .find(|stage| stage.name == "judge" && stage.model.as_deref() == Some(&model));
        let version = asked.and_then(|stage| stage.agent_version.as_ref()?.parse().ok());
        let same =
            |known: &&Calibration| known.model == model && Some(known.prompt_version) == version;
        Some(Self {
            measured: measured.iter().find(same).cloned(),
            prompt_version: version,
            model,
        })
    }

    /// As [`KnownJudge::of`], with what the record in the book says. A record that cannot be read tells
    /// nothing here; `novel judge show` names its fault.
    #[must_use]
    pub fn look_up(reader: &dyn BookReader, judges: &Judges, stages: &[StageLog]) -> Option<Self> {
        let probes = read(reader).unwrap_or_default();
        Self::of(judges, stages, &calibrations(&probes))
    }

    /// The judge and its figures in one clause.
    #[must_use]
    pub fn shown(&self) -> Message {
        let model = &self.model;
        // A verdict handed in from outside does not say by which prompt it was made.
        let Message { en, zh } = match self.prompt_version {
            Some(version) => message!(en: ", prompt {version}", zh: "，提示词版本 {version}"),
            None => Message::same(""),
        };
        let Some(measured) = &self.measured else {
            return message!(
                en: "judge {model}{en}, never measured with `novel judge calibrate`",
                zh: "评审 {model}{zh}，未经 `novel judge calibrate` 测量"
            );
        };
        let [seen, alarms, located] =
            [&measured.recall, &measured.false_alarms, &measured.located].map(percent);
        message!(
            en: "judge {model}{en}, measured: faults seen {seen}, false alarms {alarms}, quotations located {located}",
            zh: "评审 {model}{zh}，实测：查出缺陷 {seen}，误报 {alarms}，引文可查 {located}"
        )
    }

    /// The answer of a command.
    #[must_use]
    pub fn answer(&self) -> contract::VerdictJudge {
        contract::VerdictJudge {
            model: self.model.clone(),
            prompt_version: self.prompt_version,
            measured: self.measured.as_ref().map(Calibration::answer),
        }
    }
}

/// `5/6 (44-97 %)`.
fn percent(share: &Share) -> String {
    if share.of == 0 {
        return "-".to_owned();
    }
    let (low, high) = (share.low * 100.0, share.high * 100.0);
    format!("{}/{} ({low:.0}-{high:.0}%)", share.hits, share.of)
}

impl Calibration {
    /// The answer of a command.
    #[must_use]
    pub fn answer(&self) -> contract::MeasuredJudge {
        let share = |share: &Share| contract::MeasuredShare {
            hits: share.hits,
            of: share.of,
            low: share.low,
            high: share.high,
        };
        contract::MeasuredJudge {
            model: self.model.clone(),
            prompt_version: self.prompt_version,
            recall: share(&self.recall),
            false_alarms: share(&self.false_alarms),
            located: share(&self.located),
            by_kind: self
                .by_kind
                .iter()
                .map(|(kind, found)| ((*kind).to_owned(), share(found)))
                .collect(),
        }
    }
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
