//! The pages, one module each. A page is a function of what it is asked and the files of the book.

pub(crate) mod board;
pub(crate) mod chapter;
pub(crate) mod chapters;
pub(crate) mod checks;
pub(crate) mod codex;
pub(crate) mod decisions;
pub(crate) mod desk;
pub(crate) mod door;
pub(crate) mod edit;
pub(crate) mod error;
pub(crate) mod history;
pub(crate) mod model;
pub(crate) mod outline;
pub(crate) mod reports;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod shelf;
pub(crate) mod threads;

use maud::{Markup, html};
use novel_app::{Project, history as operations};

use crate::{
    act::{self, Command, Input, Outcome, Place},
    ask::Ask,
    reply::{Fault, Reply},
};

/// Does an act in the book, then goes to `to`; a refusal is shown with its code and hint.
fn act_and_go(ask: &Ask, command: &Command, to: &str) -> Result<Reply, Fault> {
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let before = newest_operation(&ask.project()?);
    let place = Place::Book(&root);
    match act::perform(&ask.studio, place, ask.lang(), command, Input::Nothing)? {
        Outcome::Done(_) => {
            let after = newest_operation(&ask.project()?);
            let mark = if to.contains('?') { '&' } else { '?' };
            Ok(Reply::Go(match after {
                Some(number) if Some(number) != before => format!("{to}{mark}after={number}"),
                _ => to.to_owned(),
            }))
        }
        Outcome::Refused(refused) => Ok(error::refused(ask, command, &refused)),
    }
}

fn newest_operation(project: &Project) -> Option<u64> {
    let log = operations::log(project, 1).ok()?.answer();
    log.operations.first().map(|newest| newest.operation)
}

/// A line for a list that is empty.
fn nothing(text: &str) -> Markup {
    html! { p class="muted small empty" { (text) } }
}
