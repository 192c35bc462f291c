use std::io;

use novel_model::Explain;

use super::*;
use crate::sample::{chinese, range};

/// A disk with room for so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fits = bytes.len().min(self.0);
        self.0 -= fits;
        match fits {
            0 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(fits),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_from_the_first_byte_to_the_last() {
    for format in ExportFormat::ALL.iter().copied() {
        let (info, mut chapters) = chinese();
        let mut whole = Vec::new();
        export(format, &info, range(1, 4), &mut chapters, &mut whole).unwrap();
        let last = whole.len() - 1;
        for room in (0..last).step_by(61).chain([last]) {
            let mut out = Full(room);
            let error = export(format, &info, range(1, 4), &mut chapters, &mut out).unwrap_err();
            assert_eq!(error.code(), "EXPORT_WRITE", "{format} {room}");
        }
    }
}

#[test]
fn formats_are_read_as_they_are_shown() {
    for format in ExportFormat::ALL {
        assert_eq!(format.to_string().parse::<ExportFormat>().unwrap(), *format);
    }
    let error = "pdf".parse::<ExportFormat>().unwrap_err();
    assert_eq!(error.code(), "EXPORT_FORMAT");
}
