//! English words of the reading: frames that excuse, and what may stand around a subject.

/// Words after which a clause can begin.
pub(super) const OPENERS: &[&str] = &[
    "and", "but", "then", "so", "or", "yet", "while", "when", "whenever", "as", "until", "till", "before", "after", "because", "since", "though", "although", "where", "now", "for", "whereupon", "suddenly", "once", "soon", "that", "how", "why", "nor", "only", "even", "still", "later", "outside", "inside", "upstairs", "downstairs", "behind", "finally", "meanwhile", "presently", "instead", "perhaps", "here", "there", "again", "just", "however", "afterwards", "afterward", "today", "tonight", "overhead", "above", "below", "beyond", "nearby",
];

/// Titles and words that belong to a name.
pub(super) const TITLES: &[&str] = &[
    "the", "old", "young", "poor", "little", "dear", "good", "master", "mistress", "captain", "mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "father", "mother", "uncle", "aunt", "brother", "sister", "king", "queen", "prince", "princess", "general", "colonel", "major", "sergeant", "lieutenant", "inspector", "detective", "professor", "doctor", "commander", "admiral", "elder", "grandfather", "grandmother", "saint", "st", "big", "tall", "weary", "grim", "same", "brave", "his", "her", "their", "my", "our", "friend", "cousin", "nephew", "niece", "son", "daughter", "wife", "husband", "partner", "mentor", "teacher",
];

/// Before a name: gone.
pub(super) const DEAD_TITLES: &[&str] = &["puppet", "wax", "bronze", "marble", "painted", "clay", "toy", "false", "sham", "stuffed", "wooden", "cardboard", "plaster", "gilded", "porcelain", "animatronic", "imaginary", "fictional", "late", "dead", "deceased", "lost", "murdered", "fallen", "slain", "departed"];

/// A name after one of these is no subject.
pub(super) const PREPOSITIONS: &[&str] = &[
    "of", "to", "with", "from", "by", "about", "like", "unlike", "than", "on", "at", "in", "into", "upon", "over", "under", "near", "beside", "besides", "between", "among", "against", "without", "toward", "towards", "through", "around", "past", "across", "onto", "off", "concerning", "regarding", "except", "despite", "per", "via", "alongside", "opposite",
];

/// A clause that begins with one of these, and has no verb before the name, begins with an adverbial.
pub(super) const FRONTS: &[&str] = &[
    "at", "in", "on", "from", "by", "before", "after", "behind", "beyond", "under", "through", "across", "above", "below", "outside", "inside", "near", "with", "without", "every", "each", "one", "two", "that", "this", "beneath", "beside", "between", "down", "up", "out", "over", "around", "against", "for", "during", "toward", "towards", "next", "the", "all", "both", "within", "amid", "among", "upon", "past", "along", "later", "early", "late", "half", "a", "an", "not", "no", "only", "to", "into", "just", "then", "and", "but", "so", "still", "now", "meanwhile", "as", "when", "while", "until", "because", "though", "although", "opposite", "alongside", "underneath", "there",
];

/// Verbs of perception and bringing about: `saw Chen turn`, `found Chen waiting`.
pub(super) const PIVOTS: &[&str] = &[
    "saw", "see", "sees", "seen", "heard", "hear", "hears", "watched", "watch", "watches", "watching", "found", "find", "finds", "felt", "feel", "noticed", "spotted", "caught", "glimpsed", "observed", "let", "made", "make", "helped", "had", "bade", "sent", "kept", "left", "brought", "showed", "seeing", "hearing", "finding", "noticing", "met",
];

/// Past forms that do not end in `-ed`.
pub(super) const IRREGULAR: &[&str] = &[
    "said", "went", "came", "took", "gave", "got", "made", "knew", "thought", "saw", "found", "told", "felt", "kept", "held", "brought", "began", "ran", "sat", "stood", "heard", "let", "meant", "set", "met", "paid", "spoke", "read", "spent", "grew", "lost", "fell", "sent", "built", "understood", "drew", "broke", "rose", "drove", "bought", "wore", "chose", "sought", "threw", "caught", "dealt", "won", "forgot", "fought", "hid", "shook", "struck", "sang", "slept", "swung", "swore", "tore", "woke", "wrote", "rode", "rang", "flew", "froze", "bent", "bit", "blew", "bound", "burst", "cast", "clung", "crept", "cut", "dug", "drank", "dreamt", "ate", "fed", "fled", "flung", "forgave", "hit", "hung", "hurt", "knelt", "laid", "led", "leant", "leapt", "leaned", "lent", "lit", "put", "quit", "shot", "shone", "shut", "slid", "sank", "slung", "slit", "smelt", "sped", "spat", "split", "spread", "sprang", "stole", "stuck", "stung", "strode", "strung", "swept", "swam", "taught", "thrust", "trod", "wept", "wound", "wrung", "bade", "beat", "became", "bet", "bled", "bred", "burnt", "did", "ground", "learnt", "overtook", "overheard", "withdrew", "undid", "stank", "shrank", "spun", "squinted", "arose", "awoke", "beheld", "besought", "betook", "forbade", "forsook", "foresaw", "mistook", "smote", "spake", "stove", "upset", "withstood", "sewed", "showed", "undertook", "clad", "dove", "snuck", "shed", "rid", "wed", "underwent", "sold", "left", "lay", "stooped", "lived",
];

/// Words that end in `-ed` and are no past form.
pub(super) const NOT_PAST: &[&str] = &["red", "bed", "hundred", "sacred", "wicked", "naked", "indeed", "need", "seed", "speed", "breed", "feed", "weed", "deed", "beloved", "kindred", "ragged", "rugged", "crooked", "sled", "shed", "ted", "ned", "fred", "alfred", "mildred", "wretched"];

/// What the dead do.
pub(super) const DEATH_VERBS: &[&str] = &["died", "dies", "perished", "lay", "lies", "rested", "rests", "passed", "fell", "drowned", "expired", "succumbed", "bled", "haunted", "haunts"];

/// What outlasts its subject: told of the living and the dead alike.
pub(super) const LEGACY_VERBS: &[&str] = &[
    "taught", "left", "built", "wrote", "founded", "owned", "loved", "believed", "meant", "belonged", "lived", "married", "bore", "named", "deserved", "made", "used", "liked", "hated", "wanted", "knew", "bequeathed", "invented", "designed", "painted", "composed", "planted", "commissioned", "forged", "carved", "wished", "hoped", "intended", "feared", "seemed", "appeared", "remained", "became", "lost", "needed", "trusted", "served", "ruled", "reigned", "governed", "preferred", "kept", "possessed", "promised", "died", "warned", "began", "deserves", "means", "belongs", "wore", "carried", "called", "foretold", "predicted", "established", "discovered", "gave",
];

/// After `was`: the dead may be so.
pub(super) const PRESENT_STATES: &[&str] = &["awake", "asleep", "busy", "seated", "ready", "silent", "quiet", "furious", "delighted", "amused", "back", "here", "there", "first", "already", "up", "outside", "inside", "downstairs", "upstairs", "halfway", "breathless", "perched", "crouched", "bent", "hunched", "slumped", "late", "early", "hungry", "thirsty", "drunk", "sober", "angry", "cross", "impatient", "nervous", "restless", "tired", "weary", "sleepy", "pleased", "surprised", "startled", "puzzled", "bored", "alone", "halfway", "barefoot", "muddy", "soaked", "drenched", "red-faced", "in", "on"];

/// Places of the dead and likenesses.
pub(super) const GRAVES: &[&str] = &["grave", "graves", "tomb", "coffin", "casket", "heaven", "paradise", "ground", "earth", "portrait", "picture", "photograph", "photo", "painting", "statue", "frame", "urn", "churchyard", "cemetery", "crypt", "pyre", "morgue", "past", "memory", "story", "dream", "dreams", "history"];

/// Before the name, somewhere in the sentence: what follows is remembered, dreamt or supposed.
pub(super) const FRAME_BEFORE: &[&str] = &[
    "story", "stories", "tale", "tales", "song", "ballad", "myth", "saga", "believe", "believes", "knows", "medium", "guide", "guidebook", "if", "unless", "whether", "suppose", "supposing", "imagine", "imagined", "imagining", "imagines", "dream", "dreamed", "dreamt", "dreams", "dreaming", "remember", "remembered", "remembers", "remembering", "recall", "recalled", "recalls", "recalling", "recollected", "wished", "wish", "wishing", "hoped", "legend", "legends", "rumour", "rumor", "rumours", "rumors", "ghost", "spirit", "spectre", "specter", "phantom", "apparition", "vision", "hallucination", "memory", "memories", "ago", "used", "once", "wondered", "pretended", "pretending", "disguised", "impersonating", "forgotten", "forgot", "forget", "yesterday", "formerly", "previously", "childhood", "impostor", "imposter", "thought", "believed", "claimed", "reported", "according", "named", "supposedly", "allegedly", "testified", "testimony", "sworn", "actor", "actress", "perhaps", "maybe", "namesake", "fever", "delirium", "delirious", "trance", "seance", "séance", "planchette", "ouija", "hallucinated", "hallucinating", "mistook", "mistaken", "half-dreaming", "impersonated", "effigies", "reenactment", "re-enactment", "pictured", "envisioned", "nicknamed", "christened",
];

/// Likenesses, documents, stages: what is in them, on them or told by them is not here and now.
pub(super) const FRAME_NOUNS: &[&str] = &[
    "portrait", "picture", "photograph", "photo", "painting", "statue", "bust", "effigy", "letter", "diary", "journal", "memoir", "chronicle", "chronicles", "notebook", "play", "stage", "puppet", "film", "footage", "recording", "screen", "camera", "monitor", "video", "tape", "voicemail", "inscription", "epitaph", "obituary", "gravestone", "headstone", "tombstone", "plaque", "transcript", "screenplay", "costume", "pageant", "movie", "movies", "newsreel", "poster", "coin", "medal", "mural", "sketch", "drawing", "icon", "postcard", "telegram", "register", "dossier", "newspaper", "headline", "sermon", "poem", "verse", "hymnal", "margin", "album", "locket", "cartoon", "novel", "legend", "inquest", "report", "file", "files", "records", "waxwork", "tapestry", "fresco", "mosaic", "miniature", "snapshot", "slide", "broadcast", "cassette", "machine", "message", "script", "opera", "masque", "charade", "game",
];

/// Before such a noun: what is told is in it.
pub(super) const IN_FRAME: &[&str] = &["in", "on", "of", "from", "inside", "through", "across", "within", "by", "above", "into"];

/// After such a noun: it shows or tells.
pub(super) const FRAME_TELLS: &[&str] = &["showed", "shows", "showing", "of", "said", "says", "read", "had", "has", "depicting", "depicted", "played", "told", "tells", "recorded", "captured", "began", "listed", "named", "held", "went", "ran", "described", "stated", "claimed", "called", "clicked", "crackled", "where", "which", "that", "in", "about"];

/// After a name, behind `in`, `on` or `from`: it was a likeness.
pub(super) const LIKENESSES: &[&str] = &["portrait", "photograph", "photo", "painting", "statue", "film", "movie", "footage", "tape", "recording", "screen", "newsreel", "poster", "mural", "snapshot", "album", "canvas", "tapestry"];

/// Anywhere in the sentence: paint, stone or wax.
pub(super) const MATERIALS: &[&str] = &[" painted ", " oil paint", " in oils", " varnish", " bronze ", " in bronze", " in marble", " plaster ", "waxwork", "silver frame", "gilt frame", " gilded frame", " wax ", " embroidered ", " stuffed ", " papier", " cardboard ", " chalked ", " marble nose", " marble eyes", " marble hand", " marble face", " stone eyes", " stone face", " plinth", " pedestal", " pigeon droppings", " posters ", " billboard", " hoarding ", " playbill"];

/// In the sentence: not now.
pub(super) const FRAME_ANYWHERE: &[&str] = &[
    "century ago", "centuries ago", "months ago", "weeks ago", "days ago", "winters ago", "summers ago", "year ago", "month ago", "week ago", "decades ago", "generations ago", "in those years", "all his life", "all her life", "in his last years", "in her last years", "in his last days", "in her last days", "let us say", "night of the murder", "night of the fire", "day of the murder", "day he died", "day she died", "night he died", "night she died", "year he died", "year she died", "day of his death", "day of her death", "shut her eyes", "shut his eyes", "closed her eyes", "closed his eyes", "pressed play", "hit play", "pushed play", "could almost ", "could still see", "could still hear", "could still feel", "lives on in", "lived on in", "god rest", "rest his soul", "rest her soul", "half expected", "half-expected", "gramophone", "phonograph", "everyone knows", "everybody knows",     "in her mind", "in his mind", "in my mind", "mind's eye", "in her head", "in his head", "in her imagination", "in his imagination", "in her sleep", "in his sleep", "years ago", "long ago", "in those days", "back then", "in life", "when alive", "in his youth", "in her youth", "in the dream", "in his dream", "in her dream", "in my dream", "years before", "in the portrait", "in the photograph", "in the painting", "in the picture", "ghost", "in memory", "were still alive", "was still alive", "had still been alive", "had lived", "in the old days", "those days", "before his death", "before her death", "before he died", "before she died", "no longer", "never again", "the last time", "the night before", "the day before", "the week before", "the year before",
];

/// Parts of somebody that move only when they do.
pub(super) const BODY: &[&str] = &["thumb", "thumbs", "palm", "palms", "fingertips", "teeth", "chin", "nose", "tongue", "snoring", "snores", "snore", "whisper", "shout", "cry", "cough", "arm", "arms", "foot", "feet", "heel", "heels", "knee", "knees", "shadow", "tone", "stare", "glance", "grin", "frown", "stomach", "whistle", "humming", "scream", "sobs", "backside", "cheeks", "forehead", "nostrils", "eye", "ear", "ears", "fork", "spoon", "voice", "hand", "hands", "fingers", "finger", "eyes", "gaze", "lips", "mouth", "brow", "brows", "eyebrows", "fist", "fists", "footsteps", "laugh", "laughter", "shoulders", "head", "jaw", "grip", "face", "smile", "breath", "boots", "elbow", "knuckles"];

/// A part of somebody in somebody else's mind, or cold.
pub(super) const IN_MIND: &[&str] = &["mind", "memory", "echoed", "ears", "cold", "stiff", "dream", "dreams", "heart", "thoughts", "haunted", "had", "would", "could", "remembered", "faded", "still", "seemed", "lifeless", "pale", "dead", "photograph", "portrait", "nothing", "gramophone", "phonograph", "loudspeaker", "tape", "recording", "glassy", "unseeing", "sightless", "blindly", "blue", "peaceful", "waxen"];

/// Adverbs between subject and verb, besides `-ly`.
pub(super) const ADVERBS: &[&str] = &["then", "just", "still", "only", "now", "also", "soon", "again", "always", "often", "himself", "herself", "itself", "alone", "too", "even", "at", "last", "once", "never", "almost", "already", "merely", "both", "first", "next", "here", "there", "instead", "ever"];

/// Verbs that may stand before their subject: `By the fire sat Chen`.
pub(super) const INVERTS: &[&str] = &["leapt", "leaped", "reclined", "lounged", "danced", "rolled", "slid", "crept", "tumbled", "staggered", "swaggered", "sauntered", "bounded", "climbed", "flew", "dropped", "jumped", "squatted", "loitered", "dozed", "snored", "trotted", "galloped", "raced", "dashed", "swept", "slipped", "stalked", "shuffled", "wandered", "drifted", "bustled", "hobbled", "paced", "hovered", "lurked", "grinned", "smiled", "beamed", "glared", "laughed", "tottered", "clattered", "plodded", "toiled", "perched", "sprawled", "hopped", "skipped", "stood", "sat", "came", "knelt", "waited", "was", "strode", "walked", "rode", "stepped", "crouched", "leaned", "leant", "hung", "ran", "emerged", "appeared", "went", "limped", "loomed", "rose", "marched", "slept", "burst", "stumbled", "hurried", "sprang"];

/// Made by somebody, once.
pub(super) const MADE: &[&str] = &["written", "painted", "made", "built", "left", "taught", "given", "forged", "founded", "drawn", "carved", "composed", "signed", "owned", "bequeathed", "worn", "raised", "trained", "designed", "planted", "named", "sired", "begotten", "invented", "inspired", "commissioned", "established", "loved", "cursed", "used", "commanded", "led", "ruled", "possessed", "penned", "authored", "murdered", "killed", "haunted", "betrayed"];

/// Bare forms of what the dead do.
pub(super) const DIES: &[&str] = &["die", "perish", "fall", "drown", "expire", "succumb", "lie", "rest", "live", "leave", "teach", "love", "marry"];

/// Where somebody who is seen in such a posture holds it themselves.
pub(super) const POSTURES: &[&str] = &["bent", "hunched", "crouched", "perched", "seated", "stooped", "poised", "stationed"];

/// The sentence speaks of a death.
pub(super) const GONE: &[&str] = &["dead", "gone", "buried", "died", "killed", "slain", "murdered", "hanged", "drowned", "late", "death", "funeral", "grave", "coffin", "lifeless", "corpse", "body", "executed"];

/// What one begins for years.
pub(super) const BEGUN_FOR_LONG: &[&str] = &["build", "write", "teach", "paint", "work", "study", "collect", "drink", "fail", "die", "sicken", "decline", "forget", "rule", "love", "plan", "keep", "gather", "dream", "lose", "sink", "fade", "haunt", "live", "be", "grow", "take"];

/// What one loses in a moment.
pub(super) const LOST_AT_ONCE: &[&str] = &["temper", "patience", "balance", "footing", "nerve", "grip", "breath", "way", "place", "composure"];

/// What one gives in a moment.
pub(super) const GIVEN_AT_ONCE: &[&str] = &["laugh", "sigh", "nod", "shrug", "grin", "smile", "cry", "shout", "look", "start", "snort", "grunt", "glance", "wave", "bow", "whistle", "shake", "shudder", "yell", "groan", "chuckle", "wink"];

/// What one makes in a moment.
pub(super) const MADE_AT_ONCE: &[&str] = &["effort", "sound", "noise", "move", "face", "gesture", "attempt", "sign", "grab", "room", "way", "answer", "reply", "bow", "tea", "coffee", "breakfast", "lunch", "supper", "dinner", "sure"];

/// Units of time before `ago`.
pub(super) const TIME_UNITS: &[&str] = &["years", "year", "months", "month", "weeks", "week", "days", "day", "winters", "winter", "summers", "summer", "springs", "decades", "decade", "centuries", "generations", "hours", "night", "nights"];

/// Paragraphs that begin so begin a flashback or a dream.
pub(super) const FLASHBACK_HEAD: &[&str] = &["long ago", "once upon", "in those days", "back then", "in the dream", "in her dream", "in his dream", "he dreamed", "she dreamed", "he dreamt", "she dreamt", "i dreamt", "i dreamed", "in the memory", "in his memory", "in her memory", "as a boy", "as a girl", "as a child", "in her childhood", "in his childhood", "the memory", "flashback", "she remembered", "he remembered", "i remember"];

/// Paragraphs that begin so are back at now.
pub(super) const BACK_TO_NOW: &[&str] = &["now", "today", "tonight", "this morning", "he woke", "she woke", "i woke", "the memory faded", "the dream", "back in", "at present", "this evening"];

/// From such a sentence on, the rest of a paragraph is no plain report of now.
pub(super) const MEMORY_REST: &[&str] = &[
    "remember", "recalled", "recollect", "in those days", "back then", "long ago", "used to ", "closed her eyes.", "closed his eyes.", "shut her eyes.", "shut his eyes.", "dreamed", "dreamt", "dream ", "in the dream", "childhood", "memory", "memories", "ghost", "vision", "apparition", "the letter read", "the letter said", "the story went", "legend", "the play", "on the stage", "portrait", "statue", "photograph", "painting", "diary", "rumour", "rumor", "once,", "had once", "on the tape", "played the tape", "the tape again", "recording", "footage", "voicemail", "answering machine", "according to",
];

/// What announces a verse or a document.
pub(super) const DOCUMENTS: &[&str] = &["letter", "note", "poem", "verse", "song", "inscription", "epitaph", "read", "wrote", "follows", "diary", "ran", "thus", "sang"];

/// What somebody who is there could be doing, and is not.
pub(super) const COULD_BE: &[&str] = &["listening", "looking", "watching", "smiling", "laughing", "talking", "eating", "drinking", "paying", "joking", "sleeping", "working", "helping", "wearing", "holding"];

/// What a body does that nobody moves.
pub(super) const LIFELESS: &[&str] = &["lying", "dying", "bleeding", "rotting", "hanging", "swinging", "floating", "sprawling"];

/// What is heard of somebody who is there.
pub(super) const HEARD: &[&str] = &["voice", "footsteps", "footstep", "boots", "step", "steps", "laugh", "knock", "cough", "whistle", "tread"];

/// What is done with somebody who does it too.
pub(super) const TOGETHER: &[&str] = &["shared", "danced", "dancing", "argued", "arguing", "quarrelled", "quarreled", "quarrelling", "bickered", "bickering", "played", "playing", "walked", "walking", "talked", "talking", "drank", "drinking", "dined", "dining", "laughed", "laughing", "fought", "fighting", "wrestled", "wrestling", "chatted", "chatting", "waltzed", "waltzing", "raced", "racing", "haggled", "haggling", "strolled", "gossiped", "joked", "joking", "breakfasted", "lunched", "fenced", "sparred", "collided"];

/// After `followed Chen`: the way they both go.
pub(super) const WAYS: &[&str] = &["across", "down", "into", "out", "up", "through", "along", "over", "inside", "back", "past", "round", "around", "to", "in", "from", "onto", "upstairs", "downstairs", "outside", "home"];

/// What can only be done to somebody who is there.
pub(super) const DONE_TO_THE_LIVING: &[&str] = &["woke", "interrupted", "paid", "teased", "scolded", "joined", "tickled", "nudged", "elbowed", "kicked", "poked", "shushed", "silenced", "reassured", "startled", "tripped", "shoved", "hushed", "coaxed", "bribed", "hired", "outran", "slapped", "pinched", "sent", "introduced", "greeted", "jostled"];

/// Who somebody is before the sentence says it.
pub(super) const WHO: &[&str] = &["man", "woman", "figure", "one", "person", "rider", "boy", "girl", "speaker", "stranger", "newcomer", "visitor", "caller", "passenger", "driver", "voice", "guest", "customer", "lady", "gentleman", "fellow"];

/// It was none of it so.
pub(super) const UNDONE: &[&str] = &["and then he was a ", "and then she was a ", "it was only ", "it was a stranger", "it was just the ", "there was no one", "there was nobody", "no one was there", "nobody was there", "nothing was there", "there was nothing", "only a coat", "only the wind", "only a shadow", "a trick of the light", "the vision"];

/// Kept for a moment.
pub(super) const KEPT_AT_ONCE: &[&str] = &["watch", "guard", "silent", "quiet", "still", "pace", "count", "time", "going", "walking", "talking", "staring", "watching"];

/// Somebody else of that name.
pub(super) const NAMESAKES: &[&str] = &["grandson", "granddaughter", "nephew", "niece", "namesake", "son", "younger", "third", "second", "junior", "jr"];
