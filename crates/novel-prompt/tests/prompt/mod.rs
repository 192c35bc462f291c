//! Prompts of the built-in executor: order, size, wrappers, templates.

mod book;
mod injection;
mod named;
mod order;
mod review;
mod size;
mod templates;
