//! Which chapters a volume has, from the outlines `volumes/vol-NN/outline.md`.

use novel_book::context::VolumeBounds;
use novel_model::{BookReader, FileError, VolumeNo, layout};

/// The bounds of the planned volumes, read once.
pub struct Volumes {
    current: VolumeNo,
    /// Newest first: where outlines overlap, the newer plan holds.
    bounds: Vec<(VolumeNo, VolumeBounds)>,
}

impl Volumes {
    /// Reads the outlines up to the current volume.
    pub fn load(reader: &dyn BookReader, current: VolumeNo) -> Result<Self, FileError> {
        let mut bounds = Vec::new();
        for volume in (1..=current.get()).rev().filter_map(VolumeNo::new) {
            let outline = reader.text(&layout::outline(volume))?;
            if let Some(found) = outline.as_deref().and_then(VolumeBounds::in_text) {
                bounds.push((volume, found));
            }
        }
        Ok(Self { current, bounds })
    }

    /// First and last chapter of a volume, if it is planned.
    pub fn bounds_of(&self, volume: VolumeNo) -> Option<VolumeBounds> {
        let found = self.bounds.iter().find(|(number, _)| *number == volume);
        found.map(|(_, bounds)| *bounds)
    }

    /// The planned volumes, newest first.
    pub fn planned(&self) -> &[(VolumeNo, VolumeBounds)] {
        &self.bounds
    }

    /// The volume of a chapter, and whether it is the volume's last. A chapter no outline has is of
    /// the current volume; before the first chapter the book is in its first.
    pub fn of(&self, chapter: u32) -> (VolumeNo, bool) {
        let holds =
            |bounds: &VolumeBounds| (bounds.first.get()..=bounds.last.get()).contains(&chapter);
        match self.bounds.iter().find(|(_, bounds)| holds(bounds)) {
            Some((volume, bounds)) => (*volume, chapter == bounds.last.get()),
            None if chapter == 0 => (VolumeNo::first(), false),
            None => (self.current, false),
        }
    }
}
