//! What an unlocked look was at, and whether it was at one moment.
//!
//! Every place is stamped before it is read. If afterwards every stamp is still the same, nothing
//! that was read changed from its reading until then, and all of it stood there together when the
//! last of it was read.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use novel_model::{ReadError, RelPath};

use crate::fs::{CLOCK_TICK, FileSystem, Stamp, list_if_there};

/// The places one look was at.
#[derive(Default)]
pub(crate) struct Witness(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    /// As they were when they were first read.
    places: BTreeMap<RelPath, Sight>,
    /// By directory and ending: those whose directory had changed just before. It may change
    /// again and keep its stamp, while a file that is replaced or grows never does.
    listings: BTreeMap<(RelPath, String), Option<Vec<String>>>,
    /// Whether looks that were joined saw different things at one place.
    is_torn: bool,
}

/// Observed state of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    There(Stamp),
    Nothing,
    /// The system refused to tell.
    Refused,
}

impl Sight {
    fn of(fs: &dyn FileSystem, place: &RelPath) -> Self {
        match fs.stamp(place) {
            Ok(Some(stamp)) => Self::There(stamp),
            Ok(None) => Self::Nothing,
            Err(_) => Self::Refused,
        }
    }

    /// Whether it stood there long enough for every later change to show in its stamp.
    fn is_old(self) -> bool {
        let Self::There(stamp) = self else {
            return false;
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let ticks = now.map_or(0, |now| now.saturating_sub(CLOCK_TICK).as_nanos());
        i128::try_from(ticks).is_ok_and(|ticks| stamp.changed < ticks)
    }
}

impl Witness {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file or directory is about to be read.
    pub(crate) fn before(&self, fs: &dyn FileSystem, place: &RelPath) {
        if self.seen().places.contains_key(place) {
            return;
        }
        let sight = Sight::of(fs, place);
        self.seen().places.entry(place.clone()).or_insert(sight);
    }

    /// Notes what another one saw as well.
    pub(crate) fn join(&self, other: &Self) {
        let other = other.seen();
        let mut seen = self.seen();
        for (place, sight) in &other.places {
            match seen.places.get(place) {
                Some(known) if known != sight => seen.is_torn = true,
                Some(_) => {}
                None => drop(seen.places.insert(place.clone(), *sight)),
            }
        }
        for (listing, names) in &other.listings {
            let listing = seen.listings.entry(listing.clone());
            listing.or_insert_with(|| names.clone());
        }
    }

    /// How many places were looked at.
    pub(crate) fn places(&self) -> usize {
        self.seen().places.len()
    }

    /// The names in a directory.
    pub(crate) fn list(
        &self,
        fs: &dyn FileSystem,
        directory: &RelPath,
        suffix: &str,
    ) -> Result<Vec<String>, ReadError> {
        self.before(fs, directory);
        let is_old = self.seen().places[directory].is_old();
        let names = list_if_there(fs, directory, suffix);
        if !is_old {
            let listing = (directory.clone(), suffix.to_owned());
            let names = names.as_ref().ok().cloned();
            self.seen().listings.entry(listing).or_insert(names);
        }
        names
    }

    /// Whether everything is still as it was.
    pub(crate) fn holds(&self, fs: &dyn FileSystem) -> bool {
        let seen = self.seen();
        let is_same = |(place, sight): (&RelPath, &Sight)| Sight::of(fs, place) == *sight;
        !seen.is_torn
            && seen.places.iter().all(is_same)
            && seen.listings.iter().all(|((directory, suffix), names)| {
                list_if_there(fs, directory, suffix).ok() == *names
            })
    }
}
