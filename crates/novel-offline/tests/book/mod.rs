//! The offline author on whole books in memory.

mod agents;
mod demo;
mod generated;
mod marks;
mod pipeline;
mod planner;
mod repetition;
mod reviewers;
mod validity;
