use std::fs;

use novel_model::{Explain, Lang};
use serde_json::json;

use super::*;

/// A workspace with the projects `moon` and `sun`.
fn workspace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["moon", "sun"] {
        let project = dir.path().join(PROJECTS).join(name);
        fs::create_dir_all(project.join("deep/inside")).unwrap();
        fs::write(project.join(".checkpoint.json"), "{}").unwrap();
    }
    dir
}

fn find(wanted: Wanted, here: &Path) -> Result<PathBuf, String> {
    locate(&wanted, here, Need::Project).map_err(|failure| failure.code().to_owned())
}

#[test]
fn the_nearest_project_upwards_is_found() {
    let dir = workspace();
    let moon = dir.path().join("projects/moon");
    let found = find(Wanted::Nearest, &moon.join("deep/inside")).unwrap();
    assert_eq!(found, moon.canonicalize().unwrap());
    assert_eq!(find(Wanted::Nearest, dir.path()), Err("NO_PROJECT".into()));
}

#[test]
fn a_name_is_looked_for_in_the_workspaces_upwards() {
    let dir = workspace();
    let inside = dir.path().join("projects/moon/deep");
    let found = find(Wanted::Name("sun".into()), &inside).unwrap();
    assert_eq!(found, dir.path().join("projects/sun"));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_one() {
    let dir = workspace();
    let error = locate(&Wanted::Name("mon".into()), dir.path(), Need::Project).unwrap_err();
    let hint = error.hint().unwrap();
    assert_eq!(hint.en, "did you mean `-p moon`?");
    assert_eq!(error.details(Lang::En)["known"], json!(["moon", "sun"]));
}

#[test]
fn a_name_can_not_be_a_path() {
    let dir = workspace();
    for name in ["../moon", "a/b", "/etc", ".", "..", "", "moon/"] {
        let found = find(Wanted::Name(name.into()), dir.path());
        assert_eq!(found, Err("BAD_PROJECT_NAME".into()), "{name}");
        assert!(place(&Wanted::Name(name.into()), dir.path()).is_err());
    }
}

#[test]
fn a_directory_must_be_a_project_unless_it_is_to_be_repaired() {
    let dir = workspace();
    let bare = Wanted::Directory("projects".into());
    assert!(locate(&bare, dir.path(), Need::Project).is_err());
    assert!(locate(&bare, dir.path(), Need::Directory).is_ok());
    let missing = Wanted::Directory("nowhere".into());
    assert!(locate(&missing, dir.path(), Need::Directory).is_err());
}

#[test]
fn a_new_project_goes_into_the_workspace_around() {
    let dir = workspace();
    let star = Wanted::Name("star".into());
    let inside = dir.path().join("projects/moon");
    assert_eq!(
        place(&star, &inside).unwrap(),
        dir.path().join("projects/star")
    );
    let alone = tempfile::tempdir().unwrap();
    assert_eq!(
        place(&star, alone.path()).unwrap(),
        alone.path().join("projects/star")
    );
}
