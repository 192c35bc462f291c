//! `novel studio`: the book in a browser.
//!
//! The Studio holds no state of a book: every page is a function of the directory, and every act is a
//! command of `novel`, run as a process of its own. A person without script can read and decide.
//!
//! One guard stands around the whole router ([`guard`]): loopback, one-time link, cookie, Host, Origin
//! and CSRF are checked before any page is looked up, and a handler gets a form only from the guard.

mod act;
mod ask;
mod assets;
mod books;
mod edits;
mod form;
mod guard;
mod kept;
mod live;
mod mark;
mod pages;
mod reply;
mod routes;
mod server;
mod session;
mod studio;
mod view;
mod waits;

pub use books::Books;
pub use routes::{Route, TABLE, router};
pub use server::{ServeError, Serving, bind, serve};
pub use studio::Studio;
