//! A view of a project of its own for a program, and a world that ends with it.
//!
//! [`enter`] gives this process new namespaces. In its mount namespace an overlay covers the project:
//! the program reads the project and writes what it likes, and everything it changed lies in the
//! overlay's upper layer afterwards, the project itself untouched. Its PID namespace has a first
//! process, [`be_first`]: when that one ends, the kernel ends all others, wherever they have gone, and
//! none of them can signal or look into a process outside. Hidden files are covered by an empty one.
//!
//! The rights it takes come from a user namespace, unless this process has them already. The program
//! keeps its user and group; it cannot take the view apart.

#[cfg(target_os = "linux")]
#[path = "view/namespaces.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "view/none.rs"]
mod system;

pub(crate) use system::{be_first, enter};
