//! `novel config set` and `novel config unset`: one setting of `novel.toml` is changed.
//!
//! A setting decides how the book goes on, not what it says: it may be changed while a chapter waits
//! for the author, so that the decision can be made with other settings.

use novel_book::{
    config::{Override, SettingError, change_setting, setting_keys},
    edit::Changes,
};
use novel_contract::setup as contract;
use novel_model::{BookReader, layout};
use novel_prompt::prompt::Agent;
use novel_store::{TxnKind, TxnLabel};
use serde_json::Value;

pub use novel_book::config::SettingChange;

use crate::{BookError, Project, error::use_case_error};

use_case_error! {
    /// Why a setting was not changed.
    pub enum SettingsError {
        /// `novel.toml` cannot be read or written.
        Book(BookError),
        /// The setting or its value is refused.
        Setting(SettingError),
    }
}

/// A setting after a change of it.
#[derive(Debug)]
pub struct SettingReport {
    /// Its key.
    pub key: String,
    /// The value `novel.toml` had before; null where it had none.
    pub before: Value,
    /// The value it has now; null where it has none.
    pub after: Value,
    /// The environment variable that stands above the file.
    pub variable: Option<&'static str>,
}

/// Every key that can be set.
#[must_use]
pub fn keys() -> Vec<String> {
    setting_keys(&agents())
}

fn agents() -> Vec<&'static str> {
    Agent::ALL.iter().map(|agent| agent.name()).collect()
}

/// Changes a setting of `novel.toml`, whose comments and order stay; one operation.
///
/// # Errors
/// When there is no such setting, it does not take the value, or the file cannot be written.
pub fn change(
    project: &Project,
    key: &str,
    change: SettingChange<'_>,
) -> Result<SettingReport, SettingsError> {
    let mut reports = change_all(project, &[(key, change)], key, |text| text)?;
    Ok(reports.remove(0))
}

/// Changes several settings as one operation, which `target` names in the log; `finish` gets the
/// changed text.
///
/// # Errors
/// As [`change`]; nothing is written then.
pub(super) fn change_all(
    project: &Project,
    settings: &[(&str, SettingChange<'_>)],
    target: &str,
    finish: impl FnOnce(String) -> String,
) -> Result<Vec<SettingReport>, SettingsError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let old = reader.text(&layout::config())?.unwrap_or_default();
    let (text, reports) = changed(&old, settings)?;
    if text != old {
        let mut changes = Changes::default();
        changes.write(layout::config(), finish(text));
        project.write(&writer, TxnLabel::new(TxnKind::Config, target), changes)?;
    }
    Ok(reports)
}

/// The text of `novel.toml` with several settings changed.
pub(super) fn changed(
    text: &str,
    settings: &[(&str, SettingChange<'_>)],
) -> Result<(String, Vec<SettingReport>), SettingError> {
    let mut text = text.to_owned();
    let mut reports = Vec::new();
    for (key, change) in settings {
        let changed = change_setting(&text, key, *change, &agents())?;
        let mut above = Override::ALL.into_iter();
        let above =
            above.find(|above| above.key() == *key && std::env::var_os(above.variable()).is_some());
        reports.push(SettingReport {
            key: (*key).to_owned(),
            before: changed.before,
            after: changed.after,
            variable: above.map(Override::variable),
        });
        text = changed.text;
    }
    Ok((text, reports))
}

impl SettingReport {
    /// Whether the file has another value than before.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::SettingAnswer {
        contract::SettingAnswer {
            key: self.key.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
            changed: self.is_changed(),
            variable: self.variable.map(str::to_owned),
            warnings: Vec::new(),
        }
    }
}
