use super::*;

#[test]
fn every_demo_path_is_a_project_path() {
    assert_eq!(demo_files(Lang::Zh).len(), 37);
    assert_eq!(demo_files(Lang::En).len(), 37);
}
