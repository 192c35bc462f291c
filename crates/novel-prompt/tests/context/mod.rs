//! Context assembly and instruction packets, rule by rule (seed 003 step 2, seed 004).

mod book;
mod cast;
mod embed;
mod inputs;
mod known;
mod outline;
mod packets;
mod reviewers;
mod rules;
mod told;
