//! The story checker on planted contradictions, on hard negatives and on real novels.
//!
//! `cargo bench -p novel-story --bench story` prints the figures of docs/story-checks.md. `-- tune`
//! lists the misses of the half that rules are made with; the other half is for the figures alone.
//! `-- file PATH…` runs somebody's own cases (JSON lines, see docs/story-checks.md) and nothing else.
//! Real novels come from packages: `scripts/novel-texts.sh` fetches them; without them that part is
//! skipped.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::too_many_arguments,
    reason = "a benchmark that stops where its material is wrong, and prints figures"
)]

mod cases;
mod file;
mod hands;
mod novels;
mod speed;
mod together;

fn main() {
    let tune = std::env::args().any(|argument| argument == "tune");
    let files: Vec<String> = std::env::args()
        .skip_while(|argument| argument != "file")
        .skip(1)
        .filter(|argument| !matches!(argument.as_str(), "tune" | "--bench"))
        .collect();
    if !files.is_empty() {
        return file::run(&files, tune);
    }
    let only = std::env::args()
        .skip_while(|argument| argument != "only")
        .nth(1);
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    if wanted("cases") {
        cases::run(tune);
    }
    if wanted("novels") {
        novels::run(tune);
    }
    if wanted("hands") {
        hands::run();
    }
    if wanted("speed") {
        speed::run();
    }
}

/// A share with its Wilson interval of 95 %.
fn share(hits: usize, all: usize) -> String {
    if all == 0 {
        return "-".to_owned();
    }
    let (n, z) = (all as f64, 1.96_f64);
    let p = hits as f64 / n;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    format!(
        "{p:.3} [{:.3}, {:.3}] ({hits}/{all})",
        (centre - width).max(0.0),
        (centre + width).min(1.0)
    )
}
