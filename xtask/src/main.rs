//! Project chores: `cargo run -p xtask -- schemas|layers`.

use std::{
    io::Write,
    path::Path,
    process::{Command, ExitCode},
};

use serde_json::Value;

mod layers;
mod modules;

const USAGE: &str = "usage: cargo run -p xtask -- schemas|layers

  schemas   write schemas/*.schema.json and schemas/answers/*.schema.json from the types
  layers    check that crates depend on lower layers only, modules of a crate not on each other, and that
            no test stands where no run sees it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["schemas"] => write_schemas(),
        ["layers"] => check_layers(),
        _ => Err(USAGE.to_owned()),
    };
    let (line, code) = match result {
        Ok(done) => (done, ExitCode::SUCCESS),
        Err(why) => (why, ExitCode::FAILURE),
    };
    // Nothing is left to be done when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
    code
}

fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

fn write_schemas() -> Result<String, String> {
    let directory = root().join("schemas");
    let files = novel_model::schemas()
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let files = write_all(&directory, files)?;
    let answers = write_all(&directory.join("answers"), novel_contract::schemas())?;
    Ok(format!(
        "wrote {files} schemas of files and {answers} of answers"
    ))
}

/// Writes these schemas and removes any other; returns how many were written.
fn write_all(directory: &Path, schemas: Vec<(String, Value)>) -> Result<usize, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", directory.display());
    std::fs::create_dir_all(directory).map_err(fault)?;
    for entry in std::fs::read_dir(directory).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let stale = name.ends_with(".schema.json") && schemas.iter().all(|(n, _)| *n != name);
        if stale {
            std::fs::remove_file(entry.path()).map_err(fault)?;
        }
    }
    for (name, schema) in &schemas {
        std::fs::write(directory.join(name), novel_model::to_json_text(schema)).map_err(fault)?;
    }
    Ok(schemas.len())
}

fn check_layers() -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let mut violations = layers::violations(&metadata);
    violations.extend(modules::cycles(&root().join("crates"))?);
    violations.extend(modules::unseen_tests(&metadata)?);
    if violations.is_empty() {
        Ok("all dependencies point down, no cycle of modules, no test unseen".to_owned())
    } else {
        Err(violations.join("\n"))
    }
}
