//! The `novel` command line.
fn main() {}
