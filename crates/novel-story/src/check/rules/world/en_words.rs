//! Words of English rules, and of the sentences that keep or break them.

/// Between whom a rule is about and what they may not do.
pub(super) const FORBIDS: &[&str] = &[" can never ", " could never ", " must never ", " may never ", " shall never ", " must not ", " may not ", " shall not ", " can not ", " cannot ", " can't ", " mustn't ", " is forbidden to ", " are forbidden to ", " is forbidden from ", " are forbidden from ", " is not allowed to ", " are not allowed to ", " is not permitted to ", " are not permitted to ", " is unable to ", " are unable to ", " is not able to ", " are not able to ", " is barred from ", " are barred from ", " will never ", " will not ", " never ", " does not ", " do not ", " doesn't ", " don't ", " are never to "];

/// Before what nobody may do.
pub(super) const NOBODY: &[&str] = &["no one may ", "nobody may ", "none may ", "no one can ", "nobody can ", "none can ", "no one is allowed to ", "nobody is allowed to ", "it is forbidden to ", "it is impossible to ", "it is not permitted to ", "never "];

/// Words that carry nothing.
pub(super) const FUNCTION: &[&str] = &["the", "a", "an", "of", "to", "any", "be", "is", "are", "by", "with", "who", "has", "have", "and", "or", "all", "people", "person", "anyone", "other", "another", "its", "their", "his", "her", "own", "ever", "alone", "that", "this", "them", "it", "for", "from", "as", "one", "each", "every", "some", "into", "upon", "there", "those", "which", "while", "when", "no", "same", "such", "more", "than", "been", "being", "was", "were", "not", "at"];

/// A phrase that says where or when begins so.
pub(super) const PLACES: &[&str] = &["in", "inside", "within", "at", "on", "under", "beneath", "after", "during", "by", "near", "outside", "before", "through", "beyond", "when", "while", "across", "upon", "above", "below"];

/// Verbs of using a thing.
pub(super) const USED: &[&str] = &["used", "uses", "swung", "drew", "wielded", "cast", "raised", "fired", "hurled", "threw", "struck", "worked", "conjured", "lit", "invoked", "called on", "loosed", "thrust", "drove", "opened", "played", "set", "performed", "practised"];

/// A sentence with such a word keeps the rule, or does not say that it is broken.
pub(super) const EXCUSED: &[&str] = &["if", "unless", "would", "could", "might", "should", "forbid", "forbids", "forbidden", "rule", "rules", "law", "laws", "dream", "dreamed", "dreamt", "remembered", "once", "legend", "legends", "almost", "nearly", "story", "stories", "imagined", "pictured", "refused", "failed", "stopped", "pretended", "tried", "had", "hadn't", "allowed", "permitted", "permission", "leave", "wondered", "play", "painting", "song", "useless", "nothing", "perhaps"];

/// In the clause before the verb: it does not come about.
pub(super) const DENIED: &[&str] = &["not", "never", "no", "nobody", "none", "neither", "nor", "cannot", "can't", "didn't", "doesn't", "don't", "won't", "wanted", "meant", "hoped", "wished", "to", "can", "may", "will", "must"];
