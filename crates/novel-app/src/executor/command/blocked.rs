//! Writes the kernel refused. Landlock leaves no trace of a refusal, but nearly every program says
//! on standard error which file it could not write; that is taken as the evidence.

use std::path::Path;

use novel_model::RelPath;

const REFUSALS: [&str; 4] = [
    "Permission denied",
    "Operation not permitted",
    "EACCES",
    "EPERM",
];

/// Paths of the project, outside the allowed area, that a program complains it could not write.
pub(super) fn attempts(stderr: &str, root: &Path, allowed: &[RelPath]) -> Vec<RelPath> {
    let mut found: Vec<RelPath> = Vec::new();
    for line in stderr
        .lines()
        .filter(|line| REFUSALS.iter().any(|word| line.contains(word)))
    {
        let words = line.split(|c: char| c.is_whitespace() || "'\"`‘’“”:,;()[]".contains(c));
        for path in words.filter_map(|word| inside(word, root)) {
            let may = allowed.iter().any(|dir| path.is_under(dir));
            if !may && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The word as a path of the project, if it can only be one: something is there, or its directory, or the
/// directory it begins with; it is hidden; or it has the form of a file in a directory.
fn inside(word: &str, root: &Path) -> Option<RelPath> {
    let relative = match word.strip_prefix(root.to_str()?) {
        Some(rest) => rest.trim_start_matches('/'),
        None => word.strip_prefix("./").unwrap_or(word),
    };
    let path: RelPath = relative.parse().ok()?;
    let is_there = |path: &str| root.join(path).symlink_metadata().is_ok();
    let first = path.as_str().split('/').next().unwrap_or_default();
    let is_in_a_directory = path.parent().is_some()
        && (is_there(first) || path.file_name().trim_start_matches('.').contains('.'));
    let is_hidden = first
        .strip_prefix('.')
        .is_some_and(|name| name.starts_with(char::is_alphanumeric));
    let is_absolute = relative.len() < word.len() && word.starts_with('/');
    (is_there(path.as_str()) || is_in_a_directory || is_hidden || is_absolute).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_project_outside_the_allowed_area_count() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for name in ["chapters", "staging"] {
            std::fs::create_dir(root.join(name)).unwrap();
        }
        std::fs::write(root.join(".checkpoint.json"), "{}").unwrap();
        let stderr = format!(
            "sh: 3: cannot create chapters/evil.md: Permission denied\n\
             bash: .checkpoint.json: Permission denied\n\
             [Errno 13] Permission denied: '{}/chapters/other.md'\n\
             touch: cannot touch 'staging/x': Permission denied\n\
             cp: /etc/shadow: Permission denied\n\
             chapters/fine.md was not needed\n\
             mkdir: cannot create directory '.novel.journal': Permission denied\n\
             tee: new/place/evil.md: Permission denied\n\
             read/write access: Permission denied\n",
            root.display()
        );
        let found = attempts(&stderr, root, &["staging".parse().unwrap()]);
        let found: Vec<&str> = found.iter().map(RelPath::as_str).collect();
        assert_eq!(
            found,
            [
                "chapters/evil.md",
                ".checkpoint.json",
                "chapters/other.md",
                ".novel.journal",
                "new/place/evil.md"
            ]
        );
    }
}
