use super::*;

fn length(held: &Decoded, path: &str, text: &str) -> Arc<usize> {
    let path = path.parse().unwrap();
    decoded(Some(held), &path, text, |text| Ok::<_, ()>(text.len())).unwrap()
}

#[test]
fn a_thing_is_held_for_its_path_its_text_and_its_type_alone() {
    let held = Decoded::default();
    let first = length(&held, "a.json", "one");
    assert!(Arc::ptr_eq(&first, &length(&held, "a.json", "one")));
    assert!(!Arc::ptr_eq(&first, &length(&held, "b.json", "one")));
    assert_eq!(*length(&held, "a.json", "three"), 5);
    assert!(!Arc::ptr_eq(&first, &length(&held, "a.json", "one")));
    let path = "a.json".parse().unwrap();
    let upper = decoded(Some(&held), &path, "one", |text| {
        Ok::<_, ()>(text.to_uppercase())
    });
    assert_eq!(*upper.unwrap(), "ONE");
}

#[test]
fn what_cannot_be_made_is_tried_again() {
    let held = Decoded::default();
    let path = "a.json".parse().unwrap();
    let failed = decoded(Some(&held), &path, "one", |_| Err::<usize, _>("broken"));
    assert_eq!(failed.unwrap_err(), "broken");
    assert_eq!(*length(&held, "a.json", "one"), 3);
}

#[test]
fn no_more_is_held_than_the_limit() {
    let held = Decoded::default();
    let text = "x".repeat(MOST_BYTES / 3);
    for name in ["a.json", "b.json", "c.json", "d.json"] {
        length(&held, name, &text);
    }
    let held = held.0.lock().unwrap();
    assert_eq!((held.made.len(), held.bytes), (1, text.len()));
}
