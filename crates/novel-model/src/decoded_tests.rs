use super::*;
use crate::{ReadError, RelPath};

#[derive(Default)]
struct Holding(Decoded);

impl BookReader for Holding {
    fn read(&self, _: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(None)
    }

    fn list(&self, _: &RelPath) -> Result<Vec<String>, ReadError> {
        Ok(Vec::new())
    }

    fn decoded(&self) -> Option<&Decoded> {
        Some(&self.0)
    }
}

fn length(reader: &Holding, path: &str, text: &str) -> Arc<usize> {
    let path = path.parse().unwrap();
    decoded(reader, &path, text, |text| Ok::<_, ()>(text.len())).unwrap()
}

#[test]
fn a_thing_is_held_for_its_path_its_text_and_its_type_alone() {
    let reader = Holding::default();
    let first = length(&reader, "a.json", "one");
    assert!(Arc::ptr_eq(&first, &length(&reader, "a.json", "one")));
    assert!(!Arc::ptr_eq(&first, &length(&reader, "b.json", "one")));
    assert_eq!(*length(&reader, "a.json", "three"), 5);
    assert!(!Arc::ptr_eq(&first, &length(&reader, "a.json", "one")));
    let path = "a.json".parse().unwrap();
    let upper = decoded(&reader, &path, "one", |text| {
        Ok::<_, ()>(text.to_uppercase())
    });
    assert_eq!(*upper.unwrap(), "ONE");
}

#[test]
fn what_cannot_be_made_is_tried_again() {
    let reader = Holding::default();
    let path = "a.json".parse().unwrap();
    let failed = decoded(&reader, &path, "one", |_| Err::<usize, _>("broken"));
    assert_eq!(failed.unwrap_err(), "broken");
    assert_eq!(*length(&reader, "a.json", "one"), 3);
}

#[test]
fn no_more_is_held_than_the_limit() {
    let reader = Holding::default();
    let text = "x".repeat(MOST_BYTES / 3);
    for name in ["a.json", "b.json", "c.json", "d.json"] {
        length(&reader, name, &text);
    }
    let held = reader.0.0.lock().unwrap();
    assert_eq!((held.made.len(), held.bytes), (1, text.len()));
}
