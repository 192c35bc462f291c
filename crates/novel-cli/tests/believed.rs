//! What is believed of agents' answers, seen through the binary: a model that answers badly.

mod judge;
mod record;
pub(crate) mod stub;
mod texts;
mod weak;
