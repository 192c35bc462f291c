//! English words of the reading: closed classes, verbs the dead share with the living, and frames that excuse.

/// Before a noun.
pub(super) const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "these", "those", "each", "every", "either", "neither", "no", "some", "any", "another", "both", "all", "half", "several", "few", "many", "much", "such", "what", "which", "enough", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "dozen",
];

/// Determiners that may be a subject alone: `This surprised her`.
pub(super) const ALONE: &[&str] = &[
    "this", "these", "those", "each", "either", "neither", "some", "any", "another", "both", "all", "several", "few", "many", "such", "one", "two", "three", "four", "five", "six",
];

/// Possessives; `her` is settled by what follows.
pub(super) const POSSESSIVES: &[&str] = &[
    "his", "her", "their", "my", "our", "your", "its", "whose",
];

/// Pronouns that are always subjects.
pub(super) const SUBJECTS: &[&str] = &[
    "i", "he", "she", "they", "we",
];

/// Other pronouns.
pub(super) const PRONOUNS: &[&str] = &[
    "him", "them", "me", "us", "it", "you", "himself", "herself", "themselves", "myself", "yourself", "itself", "ourselves", "everyone", "everybody", "someone", "somebody", "anyone", "anybody", "nobody", "none", "something", "anything", "nothing", "everything", "others", "mine", "hers", "theirs", "there",
];

/// Prepositions.
pub(super) const PREPOSITIONS: &[&str] = &[
    "of", "with", "from", "by", "about", "like", "unlike", "on", "at", "in", "into", "upon", "over", "under", "near", "beside", "besides", "between", "among", "amongst", "against", "without", "toward", "towards", "through", "around", "round", "past", "across", "onto", "off", "concerning", "regarding", "except", "despite", "per", "via", "alongside", "opposite", "behind", "beyond", "beneath", "below", "above", "inside", "outside", "within", "amid", "amidst", "underneath", "during", "along", "atop", "astride", "up", "down", "for", "out", "aboard", "throughout",
];

/// Words that begin a dependent clause.
pub(super) const SUBORDINATORS: &[&str] = &[
    "when", "whenever", "while", "whilst", "as", "because", "since", "though", "although", "until", "till", "before", "after", "if", "unless", "whether", "where", "wherever", "why", "how", "lest", "whereas", "than", "whereupon",
];

/// Words that begin a relative or a reported clause.
pub(super) const RELATIVES: &[&str] = &[
    "who", "whom", "that", "whatever", "whoever", "whichever",
];

/// Words that join.
pub(super) const COORDINATORS: &[&str] = &[
    "and", "or", "nor", "but", "yet",
];

/// Forms of `be`.
pub(super) const BE: &[&str] = &[
    "am", "is", "are", "was", "were", "wasn", "weren", "isn", "aren",
];

/// Forms of `have`.
pub(super) const HAVE: &[&str] = &[
    "have", "has", "had", "hadn", "hasn", "haven",
];

/// Forms of `do`.
pub(super) const DO: &[&str] = &[
    "do", "does", "did", "didn", "don", "doesn",
];

/// Modal verbs.
pub(super) const MODALS: &[&str] = &[
    "can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought", "cannot", "can't", "won't", "needn't", "dare",
];

/// Adverbs, besides `-ly`.
pub(super) const ADVERBS: &[&str] = &[
    "then", "just", "still", "only", "now", "also", "soon", "again", "always", "often", "himself", "herself", "itself", "alone", "too", "even", "at", "last", "once", "never", "almost", "already", "merely", "both", "first", "next", "here", "there", "instead", "ever", "not", "so", "perhaps", "maybe", "suddenly", "however", "meanwhile", "afterwards", "afterward", "presently", "later", "today", "tonight", "upstairs", "downstairs", "overhead", "nearby", "thus", "therefore", "hence", "indeed", "quite", "rather", "very", "well", "together", "apart", "away", "back", "forward", "aside", "abroad", "ahead", "seldom", "sometimes", "twice", "thrice", "yet", "nevertheless", "nonetheless", "besides", "anyway", "outdoors", "indoors", "somewhere", "elsewhere", "everywhere", "nowhere", "halfway", "hardly", "barely", "scarcely", "simply", "yesterday",
];

/// Past forms that do not end in `-ed`.
pub(super) const IRREGULAR: &[&str] = &[
    "said", "went", "came", "took", "gave", "got", "made", "knew", "thought", "saw", "found", "told", "felt", "kept", "held", "brought", "began", "ran", "sat", "stood", "heard", "let", "meant", "set", "met", "paid", "spoke", "read", "spent", "grew", "lost", "fell", "sent", "built", "understood", "drew", "broke", "rose", "drove", "bought", "wore", "chose", "sought", "threw", "caught", "dealt", "won", "forgot", "fought", "hid", "shook", "struck", "sang", "slept", "swung", "swore", "tore", "woke", "wrote", "rode", "rang", "flew", "froze", "bent", "bit", "blew", "bound", "burst", "cast", "clung", "crept", "cut", "dug", "drank", "dreamt", "ate", "fed", "fled", "flung", "forgave", "hit", "hung", "hurt", "knelt", "laid", "led", "leant", "leapt", "lent", "lit", "put", "quit", "shot", "shone", "shut", "slid", "sank", "slung", "slit", "smelt", "sped", "spat", "split", "spread", "sprang", "stole", "stuck", "stung", "strode", "strung", "swept", "swam", "taught", "thrust", "trod", "wept", "wound", "wrung", "bade", "beat", "became", "bet", "bled", "bred", "burnt", "ground", "learnt", "overtook", "overheard", "withdrew", "undid", "stank", "shrank", "spun", "arose", "awoke", "beheld", "besought", "betook", "forbade", "forsook", "foresaw", "mistook", "smote", "spake", "withstood", "undertook", "snuck", "shed", "wed", "underwent", "sold", "left", "lay", "broadcast", "outdid", "overcame", "overran", "overslept", "partook", "rebuilt", "retold", "unwound", "withheld", "mown", "strove", "throve", "slew", "bore", "hewed", "spilt", "spoilt", "cost", "slunk", "sprung", "bespoke", "blest", "outran", "spelt",
];

/// Participles that are no past form.
pub(super) const PARTICIPLES: &[&str] = &[
    "seen", "taken", "given", "thrown", "broken", "shaken", "driven", "beaten", "drawn", "stolen", "bitten", "hidden", "written", "torn", "worn", "spoken", "chosen", "woken", "ridden", "sung", "rung", "begun", "done", "shown", "known", "forgiven", "gone", "come", "become", "eaten", "fallen", "frozen", "grown", "blown", "flown", "sworn", "swum", "drunk", "forgotten", "gotten", "risen", "sunk", "shrunk", "sprung", "stricken", "trodden", "woven", "awoken", "borne", "born", "forbidden", "forsaken", "mistaken", "overcome", "overthrown", "proven", "sewn", "slain", "sown", "strewn", "swollen", "undone", "withdrawn", "outgrown", "overtaken", "rebuilt",
];

/// Words that look like a verb form and are none.
pub(super) const NO_VERBS: &[&str] = &[
    "red", "bed", "hundred", "sacred", "wicked", "naked", "indeed", "need", "seed", "speed", "breed", "feed", "weed", "deed", "beloved", "kindred", "ragged", "rugged", "crooked", "sled", "shed", "ted", "ned", "fred", "alfred", "mildred", "wretched", "morning", "evening", "king", "thing", "ring", "wing", "ceiling", "building", "clearing", "landing", "crossing", "wedding", "string", "lightning", "railing", "spring", "something", "nothing", "sling", "bling", "viking", "shilling", "farthing", "pudding", "stocking", "duckling", "darling", "sibling", "earring", "herring", "inning", "ground", "wound", "steed", "reed", "family", "reply", "ugly", "lonely", "silly", "early", "holy", "belly", "jelly", "lily", "fly", "july", "italy", "bully", "ally", "rally", "assembly", "supply", "apply", "butterfly", "friendly", "lovely", "likely", "lively", "elderly", "deadly", "curly", "chilly", "hilly", "jolly", "melancholy", "anomaly", "folly", "homily", "doily", "gully", "dolly", "trolley",
];

/// Titles and words that belong to a name.
pub(super) const TITLES: &[&str] = &[
    "ser", "dom", "fra", "monsieur", "mademoiselle", "comrade", "skipper", "navigator", "pilot", "engineer", "ambassador", "envoy", "director", "trooper", "ranger", "cadet", "gunner", "mage", "khan", "sultan", "vizier", "pasha", "rabbi", "imam", "vicar", "canon", "deacon", "abbess", "prioress", "curate", "nan", "nana", "gran", "auntie", "papa", "mama", "tsar", "kaiser", "prefect", "consul", "tribune", "centurion", "warden", "keeper", "bailiff", "secretary", "minister", "magister", "archmage", "cardinal", "pope", "president", "mayor", "old", "young", "poor", "little", "dear", "good", "master", "mistress", "captain", "mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "father", "mother", "uncle", "aunt", "brother", "sister", "king", "queen", "prince", "princess", "general", "colonel", "major", "sergeant", "lieutenant", "inspector", "detective", "professor", "doctor", "commander", "admiral", "elder", "grandfather", "grandmother", "saint", "st", "big", "tall", "weary", "grim", "brave", "friend", "cousin", "nephew", "niece", "son", "daughter", "wife", "husband", "partner", "mentor", "teacher", "great-aunt", "great-uncle", "granny", "grandpa", "grandma", "widow", "reverend", "bishop", "abbot", "judge", "constable", "sheriff", "deputy", "chief", "corporal", "private", "ensign", "bosun", "duke", "duchess", "count", "countess", "baron", "baroness", "earl", "nurse", "gaffer", "squire", "matron", "parson", "governor", "senator", "agent", "officer",
];

/// People by trade and tie: `the gardener Chen` is one phrase.
pub(super) const PERSONS: &[&str] = &[
    "friend", "neighbour", "neighbor", "butler", "cook", "driver", "gardener", "miller", "smith", "blacksmith", "baker", "butcher", "clerk", "doctor", "lawyer", "priest", "monk", "nun", "guard", "soldier", "sailor", "boatman", "ferryman", "fisherman", "farmer", "groom", "maid", "servant", "steward", "valet", "porter", "page", "scribe", "scholar", "apprentice", "partner", "colleague", "boss", "rival", "lover", "fiance", "fiancee", "bride", "widow", "widower", "mate", "pal", "comrade", "guide", "captain", "pilot", "mechanic", "carpenter", "mason", "tailor", "innkeeper", "landlord", "landlady", "tutor", "governess", "pupil", "stepfather", "stepmother", "stepbrother", "stepsister", "half-brother", "half-sister", "brother-in-law", "sister-in-law", "godfather", "godmother", "twin", "boy", "girl", "man", "woman", "fellow",
];

/// Adjectives before such a word.
pub(super) const PLAIN_ADJECTIVES: &[&str] = &[
    "old", "young", "little", "big", "tall", "short", "fat", "thin", "good", "poor", "dear", "best", "elder", "eldest", "younger", "youngest", "older", "only", "own", "former", "new", "red-haired", "lame", "blind", "late", "dead",
];

/// Before a name: gone, or made.
pub(super) const DEAD_TITLES: &[&str] = &[
    "puppet", "wax", "bronze", "marble", "painted", "clay", "toy", "false", "sham", "stuffed", "wooden", "cardboard", "plaster", "gilded", "porcelain", "animatronic", "imaginary", "fictional", "late", "dead", "deceased", "lost", "murdered", "fallen", "slain", "departed", "another",
];

/// Somebody else of that name.
pub(super) const NAMESAKES: &[&str] = &[
    "grandson", "granddaughter", "nephew", "niece", "namesake", "son", "younger", "third", "second", "junior", "jr", "elder", "baby", "puppy", "kitten", "cat", "dog", "horse", "mare",
];

/// What the dead do.
pub(super) const DEATH_VERBS: &[&str] = &[
    "died", "dies", "perished", "lay", "lies", "rested", "rests", "passed", "fell", "drowned", "expired", "succumbed", "bled", "haunted", "haunts",
];

/// Bare forms of what the dead do.
pub(super) const DIES: &[&str] = &[
    "die", "perish", "fall", "drown", "expire", "succumb", "lie", "rest", "live", "leave", "teach", "love", "marry", "win", "survive", "come", "return", "exist", "own",
];

/// What outlasts its subject: told of the living and the dead alike.
pub(super) const LEGACY_VERBS: &[&str] = &[
    "taught", "left", "built", "wrote", "founded", "owned", "loved", "believed", "meant", "belonged", "lived", "married", "bore", "named", "deserved", "made", "liked", "hated", "wanted", "knew", "bequeathed", "invented", "designed", "painted", "composed", "planted", "commissioned", "forged", "carved", "wished", "hoped", "intended", "feared", "seemed", "appeared", "remained", "became", "lost", "needed", "trusted", "served", "ruled", "reigned", "governed", "preferred", "kept", "possessed", "promised", "warned", "began", "deserves", "means", "belongs", "wore", "carried", "called", "foretold", "predicted", "established", "discovered", "gave", "loves", "lives", "knows", "believes", "wants", "needs", "owns", "remains", "stays", "survived", "outlived", "inherited", "bred", "grew", "earned", "admired", "adored", "despised", "vowed", "resembled", "dreamed", "hailed", "published", "patented", "sculpted", "engraved", "authored", "endowed", "betrayed", "saved", "rescued",
];

/// The same in the bare form.
pub(super) const LEGACY_BASE: &[&str] = &[
    "love", "know", "believe", "want", "need", "own", "mean", "teach", "write", "build", "leave", "live", "like", "hate", "trust", "serve", "deserve", "have", "be", "seem",
];

/// After a verb of the living and the dead, the act of a moment.
pub(super) const KEPT_AT_ONCE: &[&str] = &[
    "watch", "guard", "silent", "quiet", "still", "pace", "count", "time", "going", "walking", "talking", "staring", "watching",
];

/// What one begins for years.
pub(super) const BEGUN_FOR_LONG: &[&str] = &[
    "build", "write", "teach", "paint", "work", "study", "collect", "drink", "fail", "die", "sicken", "decline", "forget", "rule", "love", "plan", "keep", "gather", "dream", "lose", "sink", "fade", "haunt", "live", "be", "grow", "take",
];

/// What one gives in a moment.
pub(super) const GIVEN_AT_ONCE: &[&str] = &[
    "laugh", "sigh", "nod", "shrug", "grin", "smile", "cry", "shout", "look", "start", "snort", "grunt", "glance", "wave", "bow", "whistle", "shake", "shudder", "yell", "groan", "chuckle", "wink", "salute", "cough", "whoop", "sniff", "yelp", "growl", "squeeze", "push", "tug", "smirk", "hiss", "gasp", "twitch", "curtsy", "turn", "pull", "kick", "tap", "pat", "rub", "twist", "wipe", "stir", "poke", "jerk", "wrench", "heave", "hug", "kiss", "sign", "answer", "reply", "hint", "indication", "order", "signal",
];

/// Verbs of the living and the dead, with words after them that make them the act of a moment.
pub(super) const MOMENTS: &[(&str, &[&str])] = &[
    ("lost", &["count", "hold", "track", "temper", "patience", "balance", "footing", "nerve", "grip", "breath", "way", "place", "composure", "thread"]),
    ("made", &["effort", "sound", "noise", "move", "face", "gesture", "attempt", "sign", "grab", "room", "way", "answer", "reply", "bow", "tea", "coffee", "breakfast", "lunch", "supper", "dinner", "sure", "fire", "bed", "toast", "note", "list", "joke", "fist", "pot", "grimace", "dash", "lunge", "show", "clucking"]),
    ("makes", &["effort", "sound", "noise", "move", "face", "gesture", "attempt", "sign", "grab", "room", "way", "answer", "reply", "bow", "tea", "coffee", "breakfast", "lunch", "supper", "dinner", "sure"]),
    ("knew", &["answer", "once", "face", "voice", "look"]),
    ("wore", &["now", "today", "morning", "evening", "tonight"]),
    ("painted", &["now"]),
    ("needed", &["moment", "minute", "hand"]),
    ("liked", &["that", "this"]),
    ("remained", &["standing", "seated", "sitting", "kneeling", "where"]),
    ("carved", &["roast", "joint", "meat", "bird", "goose", "turkey", "ham", "loaf", "slice", "slices"]),
    ("named", &["price", "figure", "sum", "terms"]),
    ("called", &["heel", "halt", "roll", "order"]),
    ("warned", &["off", "back", "gesture", "look"]),
    ("grew", &["impatient", "restless", "thoughtful", "still", "quiet", "silent", "serious", "pale", "red"]),
    ("became", &["aware", "conscious", "still", "quiet", "silent", "serious"]),
    ("wrote", &["down", "number", "something", "figure", "receipt", "address"]),
];

/// After `fell`: no death.
pub(super) const FELL_AND_LIVES: &[&str] = &[
    "asleep", "silent", "quiet", "to", "upon", "about", "over", "into", "in", "behind", "back",
];

/// After `looked`: a dead face.
pub(super) const LOOKS_OF_THE_DEAD: &[&str] = &[
    "peaceful", "asleep", "younger", "smaller", "small", "pale", "waxen", "dead", "like", "so", "as", "older", "natural", "calm", "serene", "young", "very",
];

/// What one tells on paper: no act in the present tense.
pub(super) const TELLS_ON_PAPER: &[&str] = &[
    "says", "writes", "describes", "tells", "notes", "records", "mentions", "explains", "claims", "recalls", "relates", "reports", "states", "argues", "appears",
];

/// What one is said not to do when one is there.
pub(super) const DENIED: &[&str] = &[
    "look", "turn", "flinch", "blink", "smile", "wait", "stop", "hesitate", "budge", "laugh", "nod", "shrug", "bother", "argue", "slow", "pause", "sit", "let", "take", "meet", "glance", "lift", "raise", "lower", "put", "join", "touch", "finish", "stand", "offer", "sound", "seem", "even", "trouble", "pretend", "mind", "get", "stay", "sleep", "notice", "ask", "try", "care", "drop", "follow", "hurry", "say", "press", "bow", "like", "want", "need",
];

/// With `could` and `can`.
pub(super) const SENSES: &[&str] = &[
    "see", "hear", "feel", "smell", "taste",
];

/// With `could not`.
pub(super) const COULD_NOT: &[&str] = &[
    "stop", "help", "sleep", "resist", "keep", "find", "see", "hear", "decide", "take", "bear", "believe", "sit", "hide", "tear", "contain", "quite", "suppress", "look", "speak", "move", "make",
];

/// With `would not`.
pub(super) const WOULD_NOT: &[&str] = &[
    "meet", "look", "budge", "sit", "stop", "say", "give", "let",
];

/// Parts of somebody that move only when they do.
pub(super) const BODY: &[&str] = &[
    "thumb", "thumbs", "palm", "palms", "fingertips", "teeth", "chin", "nose", "tongue", "snoring", "snores", "snore", "whisper", "shout", "cry", "cough", "arm", "arms", "foot", "feet", "heel", "heels", "knee", "knees", "shadow", "tone", "stare", "glance", "grin", "frown", "stomach", "whistle", "humming", "scream", "sobs", "backside", "cheeks", "forehead", "nostrils", "eye", "ear", "ears", "fork", "spoon", "voice", "hand", "hands", "fingers", "finger", "eyes", "gaze", "lips", "mouth", "brow", "brows", "eyebrows", "fist", "fists", "footsteps", "laugh", "laughter", "shoulders", "head", "jaw", "grip", "face", "smile", "breath", "boots", "elbow", "knuckles", "lap", "answer", "reply", "question", "nod", "shrug", "sigh", "chuckle", "silence", "pipe", "pen", "spectacles", "glasses", "hat", "moustache", "beard", "snort", "groan", "whispering", "muttering", "singing", "giggle", "grunt", "growl", "expression", "temper", "ankle", "ankles", "wrist", "wrists", "hip", "hips", "shoulder", "back", "spine", "neck", "throat", "chest", "belly", "toe", "toes", "lip", "cheek", "eyelid", "eyelids", "lids", "pulse", "breathing", "nail", "nails", "eyebrow", "scowl", "smirk", "wink", "yelp", "gasp", "hiss", "murmur", "yawn", "sneeze", "squeal", "roar", "shriek", "whimper", "hum", "drawl", "wheeze", "footfall", "footfalls", "tread", "leg", "legs", "thigh", "lashes", "features",
];

/// Limbs that are where they are held.
pub(super) const LIMBS: &[&str] = &[
    "finger", "thumb", "fingers", "knee", "boot", "heel", "fist", "elbow", "foot", "grip", "hand", "arm", "arms", "hands",
];

/// What colours.
pub(super) const FACES: &[&str] = &[
    "face", "cheeks", "ears", "expression", "knuckles", "lips", "eyes",
];

/// A part of somebody in somebody else's mind, or cold.
pub(super) const IN_MIND: &[&str] = &[
    "mind", "memory", "echoed", "ears", "cold", "stiff", "dream", "dreams", "heart", "thoughts", "haunted", "had", "would", "could", "remembered", "faded", "still", "seemed", "lifeless", "pale", "dead", "photograph", "portrait", "nothing", "gramophone", "phonograph", "loudspeaker", "tape", "recording", "glassy", "unseeing", "sightless", "blindly", "blue", "peaceful", "waxen", "stone", "bronze", "marble", "canvas", "ashes", "name", "past", "years", "wall", "frame",
];

/// What is seen, heard or felt of somebody who is there: the word before, the part.
pub(super) const SENSED: &[(&[&str], &[&str])] = &[
    (&["heard"], &["voice", "footsteps", "footstep", "boots", "step", "steps", "laugh", "knock", "cough", "whistle", "tread", "snore", "snores", "snoring", "chuckle", "whistling", "singing"]),
    (&["felt"], &["breath", "gaze", "eyes", "stare", "grip", "hand", "fingers", "arm", "elbow", "shoulder"]),
    (&["met", "caught", "avoided"], &["eye", "eyes", "gaze", "glance", "look"]),
    (&["ignored", "dodged"], &["hand", "question", "look", "glare", "remark"]),
    (&["in", "from", "under", "beneath", "between"], &["palm", "fingertips", "grip", "grasp", "teeth", "heel", "thumb", "fist"]),
    (&["saw", "watched"], &["lips", "jaw", "eyes", "face", "shoulders", "smile", "fingers", "hand"]),
    (&["at"], &["nod", "signal", "nudge", "elbow", "whistle", "knock", "bidding"]),
    (&["shook", "took", "grasped", "gripped"], &["hand", "arm", "elbow"]),
    (&["followed"], &["gaze", "glance", "finger", "lead", "eyes"]),
    (&["interrupted", "echoed"], &["laughter", "laugh", "snoring", "flow"]),
];

/// What parts of the dead do too.
pub(super) const LIMP: &[&str] = &[
    "lolled", "dangled", "hung", "flopped", "trailed", "gaped", "drooped", "sagged", "cooled", "bled", "rotted",
];

/// Ends of nouns of people.
pub(super) const PERSON_ENDS: &[&str] = &[
    "man", "woman", "ist", "ian", "smith", "wright", "keeper", "monger", "master", "mistress", "maker", "eer", "herd", "ess", "boy", "girl", "er", "or", "ant",
];

/// Ships and beasts: a name after or before one is its own.
pub(super) const NAMED_THINGS: &[&str] = &[
    "ship", "boat", "schooner", "steamer", "cruiser", "freighter", "trawler", "liner", "tanker", "clipper", "cutter", "destroyer", "lugger", "whaler", "brig", "barge", "ferry", "yacht", "frigate", "sloop", "tug", "launch", "engine", "locomotive", "train", "car", "plane", "bomber", "shuttle", "tavern", "inn", "pub", "hotel", "theatre", "theater", "horse", "mare", "pony", "mule", "donkey", "dog", "cat", "puppy", "kitten", "parrot", "hound", "tower", "river",
];

/// Where somebody holds something.
pub(super) const HELD_IN: &[&str] = &[
    "in", "on", "over", "under", "between", "round", "around", "across", "against", "behind", "at", "to", "above",
];

/// After `was`: the dead may not be so.
pub(super) const PRESENT_STATES: &[&str] = &[
    "awake", "asleep", "busy", "seated", "ready", "silent", "quiet", "furious", "delighted", "amused", "back", "here", "there", "first", "already", "up", "outside", "inside", "downstairs", "upstairs", "halfway", "breathless", "perched", "crouched", "bent", "hunched", "slumped", "early", "hungry", "thirsty", "drunk", "sober", "angry", "cross", "impatient", "nervous", "restless", "tired", "weary", "sleepy", "pleased", "surprised", "startled", "puzzled", "bored", "alone", "barefoot", "muddy", "soaked", "drenched", "red-faced", "late", "relieved", "annoyed", "flustered", "indignant", "speechless", "fast", "wide", "unmoved", "unimpressed", "impressed", "convinced", "satisfied", "embarrassed", "confused", "baffled", "exhausted", "terrified", "frightened", "shocked", "stunned", "horrified", "curious", "excited", "irritated", "offended", "worried", "anxious", "uneasy", "bewildered", "astonished", "amazed", "alarmed", "appalled", "astride", "adamant", "insistent",
];

/// Of these, what somebody is not who is not there.
pub(super) const ABSENCES: &[&str] = &[
    "awake", "ready", "back", "here", "there", "first", "already", "up", "outside", "inside", "downstairs", "upstairs", "halfway", "early", "late", "hungry", "thirsty", "drunk", "sober", "tired", "weary",
];

/// After `was`: where somebody is.
pub(super) const WHERE: &[&str] = &[
    "at", "in", "on", "by", "beside", "behind", "among", "near", "with", "over", "under", "across", "atop", "astride", "between", "past", "off", "out", "up", "down", "against", "inside", "outside", "opposite", "aboard", "round", "around",
];

/// What somebody who is there could be doing, and is not.
pub(super) const COULD_BE: &[&str] = &[
    "listening", "looking", "watching", "smiling", "laughing", "talking", "eating", "drinking", "paying", "joking", "sleeping", "working", "helping", "wearing", "holding",
];

/// Done to a body.
pub(super) const DONE_TO_THE_DEAD: &[&str] = &[
    "buried", "carried", "lowered", "laid", "mourned", "burned", "burnt", "cremated", "washed", "prepared", "eulogised", "eulogized", "played", "portrayed", "unveiled", "dug", "autopsied", "embalmed", "borne", "missed", "remembered",
];

/// Of these verbs what follows may be of a moment: `gave her the map and told her to hurry`.
pub(super) const THEN_MORE: &[&str] = &[
    "gave", "gives", "knew", "knows", "wore", "warned", "called", "wanted",
];

/// Compared with somebody who is there.
pub(super) const COMPARED: &[&str] = &[
    "quicker", "faster", "nearer", "closer", "swifter", "sooner", "readier",
];

/// What a body does that nobody moves.
pub(super) const LIFELESS: &[&str] = &[
    "lying", "dying", "bleeding", "rotting", "hanging", "swinging", "floating", "sprawling", "missing", "resting", "mouldering", "being", "decomposing", "burning",
];

/// Forms in `-ing` that are no act.
pub(super) const NO_ACTS: &[&str] = &[
    "according", "having", "during", "being", "including", "concerning", "regarding", "notwithstanding", "owing",
];

/// Who came first, spoke or moved.
pub(super) const FIRST_TO: &[&str] = &[
    "speak", "move", "rise", "laugh", "answer", "spoke", "moved", "laughed", "loudest", "nearest", "closest", "break", "arrive", "come", "greet", "reach", "leave", "notice", "see", "stand",
];

/// Postures: whoever is seen in one holds it.
pub(super) const POSTURES: &[&str] = &[
    "bent", "hunched", "crouched", "perched", "seated", "stooped", "poised", "stationed", "dressed", "wrapped", "curled", "propped", "huddled",
];

/// Past forms that are bare forms too: `let Chen put`.
pub(super) const BARE_PASTS: &[&str] = &[
    "put", "set", "let", "cut", "hit", "shut", "read", "run", "come", "spread", "burst", "cast", "hurt", "bet", "quit",
];

/// Verbs of perception and bringing about, before a bare verb too: `saw Chen turn`.
pub(super) const LETS: &[&str] = &[
    "saw", "see", "sees", "seen", "heard", "hear", "hears", "watched", "watch", "watches", "watching", "felt", "feel", "noticed", "observed", "let", "made", "make", "helped", "had", "bade", "seeing", "hearing", "noticing", "letting", "making", "helping", "lets", "helps", "makes", "glimpsed",
];

/// Such verbs before other forms alone: `found Chen waiting`.
pub(super) const PIVOTS: &[&str] = &[
    "found", "find", "finds", "spotted", "caught", "sent", "kept", "left", "brought", "showed", "finding", "met", "spied", "catching", "glimpsing", "leaving", "keeping", "spotting", "got",
];

/// What somebody wears and holds.
pub(super) const CLOTHES: &[&str] = &[
    "sleeves", "collar", "hat", "coat", "hood", "cap", "cuffs", "apron",
];

/// What somebody who begins it is heard or seen to do.
pub(super) const HEARD_OF: &[&str] = &[
    "snore", "cough", "laugh", "cry", "sing", "hum", "shake", "tremble", "whistle", "weep", "sob", "shout",
];

/// Verbs of giving something into a hand.
pub(super) const GIVES: &[&str] = &[
    "handed", "passed", "tossed", "threw", "gave", "offered", "poured", "slid", "lent", "paid", "served", "brought", "fed", "dealt", "shot", "flung", "cut", "slipped", "handing", "passing", "tossing", "giving", "offering", "pouring",
];

/// Verbs of giving with `to`.
pub(super) const HANDS_ON: &[&str] = &[
    "handed", "passed", "tossed", "slid", "threw", "flung", "handing", "passing", "tossing", "sliding", "throwing",
];

/// Verbs of setting somebody to do something.
pub(super) const SENDS: &[&str] = &[
    "helped", "sent", "got", "ordered", "allowed", "persuaded", "forced", "coaxed", "nudged", "helping",
];

/// What can only be done to somebody who is there.
pub(super) const DONE_TO_THE_LIVING: &[&str] = &[
    "woke", "interrupted", "paid", "teased", "scolded", "joined", "tickled", "nudged", "elbowed", "kicked", "poked", "shushed", "silenced", "reassured", "startled", "tripped", "shoved", "hushed", "coaxed", "bribed", "hired", "outran", "slapped", "pinched", "sent", "introduced", "greeted", "jostled", "overtook", "outbid", "corrected", "contradicted", "heckled", "beckoned", "summoned",
];

/// What is done with somebody who does it too.
pub(super) const TOGETHER: &[&str] = &[
    "shared", "danced", "dancing", "argued", "arguing", "quarrelled", "quarreled", "shook", "quarrelling", "bickered", "bickering", "played", "playing", "walked", "walking", "talked", "talking", "drank", "drinking", "dined", "dining", "laughed", "laughing", "fought", "fighting", "wrestled", "wrestling", "chatted", "chatting", "waltzed", "waltzing", "raced", "racing", "haggled", "haggling", "strolled", "gossiped", "joked", "joking", "breakfasted", "lunched", "fenced", "sparred", "collided", "bumped", "exchanged", "conferred", "traded", "swapped", "bargained",
];

/// After `followed Chen`: the way they both go.
pub(super) const WAYS: &[&str] = &[
    "across", "down", "into", "out", "up", "through", "along", "over", "inside", "back", "past", "round", "around", "to", "in", "from", "onto", "upstairs", "downstairs", "outside", "home",
];

/// One walks into somebody.
pub(super) const RUNS_INTO: &[&str] = &[
    "ran", "bumped", "walked", "crashed", "barged", "stumbled", "straight", "blundered", "cannoned",
];

/// Verbs that may stand before their subject.
pub(super) const INVERTS: &[&str] = &[
    "leapt", "leaped", "reclined", "lounged", "danced", "rolled", "slid", "crept", "tumbled", "staggered", "swaggered", "sauntered", "bounded", "climbed", "flew", "dropped", "jumped", "squatted", "loitered", "dozed", "snored", "trotted", "galloped", "raced", "dashed", "swept", "slipped", "stalked", "shuffled", "wandered", "drifted", "bustled", "hobbled", "paced", "hovered", "lurked", "grinned", "smiled", "beamed", "glared", "laughed", "tottered", "clattered", "plodded", "toiled", "perched", "sprawled", "hopped", "skipped", "stood", "sat", "came", "knelt", "waited", "strode", "walked", "rode", "stepped", "crouched", "leaned", "leant", "hung", "ran", "emerged", "appeared", "went", "limped", "loomed", "rose", "marched", "slept", "burst", "stumbled", "hurried", "sprang", "stands", "sits", "comes", "hurtled", "sailed", "followed", "rushed", "trudged", "swung", "got", "shambled", "waddled", "strolled",
];

/// Made by somebody, once.
pub(super) const MADE: &[&str] = &[
    "written", "painted", "made", "built", "left", "taught", "given", "forged", "founded", "drawn", "carved", "composed", "signed", "owned", "bequeathed", "worn", "raised", "trained", "designed", "planted", "named", "sired", "begotten", "invented", "inspired", "commissioned", "established", "loved", "cursed", "used", "commanded", "led", "ruled", "possessed", "penned", "authored", "murdered", "killed", "haunted", "betrayed", "taken", "buried", "mourned", "survived", "remembered", "inherited", "endowed",
];

/// Beside these words the other one is there.
pub(super) const NEAR: &[&str] = &[
    "for", "on", "upon", "over", "before", "round", "to", "at", "by", "with", "beside", "behind", "past", "into", "from", "toward", "towards", "against", "near", "next",
];

/// People who are there.
pub(super) const OTHERS: &[&str] = &[
    "his", "her", "their", "my", "our", "him", "them", "me", "us", "the", "it",
];

/// Where one is beside somebody.
pub(super) const BESIDE: &[&str] = &[
    "side", "heels", "elbow", "head", "heel", "shoulder", "back", "rear", "wheel", "helm", "tiller", "oars", "reins", "lead", "front", "table", "window", "door", "left", "right", "tail",
];

/// Who somebody is before the sentence says it.
pub(super) const WHO: &[&str] = &[
    "man", "woman", "figure", "one", "person", "rider", "boy", "girl", "speaker", "stranger", "newcomer", "visitor", "caller", "passenger", "driver", "voice", "guest", "customer", "lady", "gentleman", "fellow", "rest", "first", "last", "players", "other",
];

/// Before `of`: somebody in person.
pub(super) const COMPANY: &[&str] = &[
    "person", "company", "curls", "beard", "knees", "lap", "hair", "side", "form", "figure", "sight", "care",
];

/// Somebody has come, or shown a face.
pub(super) const SHOWN: &[&str] = &[
    "hat", "hood", "mask", "veil", "cap", "helmet", "scarf", "door", "knock", "knocked", "figure", "stranger", "turned", "voice", "hand", "shoulder", "footsteps", "rider", "phone", "telephone", "rang", "curtain",
];

/// After a name: comes into view.
pub(super) const ARRIVES: &[&str] = &[
    "back", "home", "returned", "come", "fresh", "asleep", "awake", "up", "out", "still",
];

/// Time words.
pub(super) const TIME_UNITS: &[&str] = &[
    "years", "year", "months", "month", "weeks", "week", "days", "day", "winters", "winter", "summers", "summer", "springs", "decades", "decade", "centuries", "generations", "night", "nights", "spring", "autumn", "autumns", "century", "morning", "evening", "afternoon", "time", "term",
];

/// Days of the week.
pub(super) const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

/// Words of time that front a clause.
pub(super) const TIME_NOUNS: &[&str] = &[
    "noon", "dawn", "dusk", "midnight", "midday", "moment", "minute", "minutes", "hour", "hours", "instant", "second", "seconds", "breakfast", "lunch", "dinner", "supper", "tea", "sunrise", "sunset", "nightfall", "daybreak", "today", "tonight",
];

/// What is done again and again.
pub(super) const HABITS: &[&str] = &[
    "never", "always", "often", "usually", "generally", "invariably", "seldom", "rarely", "sometimes",
];

/// Done up to a moment, at which something else happens: `had reached the gate when`.
pub(super) const REACHED: &[&str] = &[
    "gone", "reached", "got", "finished", "turned", "started", "begun", "opened", "closed", "crossed", "climbed", "counted",
];

/// Brings a pluperfect up to now.
pub(super) const JUST_NOW: &[&str] = &[
    "just", "barely", "hardly", "scarcely", "only", "not", "almost", "nearly", "already", "yet", "no",
];

/// The sentence speaks of a death.
pub(super) const GONE: &[&str] = &[
    "dead", "gone", "buried", "died", "killed", "slain", "murdered", "hanged", "drowned", "late", "death", "funeral", "grave", "coffin", "lifeless", "corpse", "body", "executed", "autopsy", "mourners", "wake", "memorial", "headstone", "shroud", "pall", "pallbearers", "undertaker", "ashes",
];

/// Places of the dead and likenesses.
pub(super) const GRAVES: &[&str] = &[
    "grave", "graves", "tomb", "coffin", "casket", "portrait", "photograph", "photo", "painting", "statue", "urn", "churchyard", "cemetery", "crypt", "pyre", "morgue", "memory", "dream", "dreams", "headstone", "gravestone", "tombstone", "hearse", "shroud", "slab", "bier", "ashes", "mortuary", "yew", "turf", "picture",
];

/// Where a body may lie.
pub(super) const LIES_THERE: &[&str] = &[
    "heaven", "paradise", "ground", "earth", "frame", "past", "story", "history", "picture", "peace", "rest", "god", "thoughts", "mind", "lips", "heart", "hell", "altar", "memorial", "shrine", "vault", "mantelpiece", "floor", "river", "bottom", "well", "ditch", "sea", "lake", "water", "list", "wall", "stones",
];

/// What is told and untrue or long past.
pub(super) const STORIES: &[&str] = &[
    "account", "telling", "recollection", "opinion", "act", "scene", "play", "version", "retelling", "story", "stories", "tale", "tales", "song", "ballad", "legend", "joke", "anecdote", "fable", "fairy-tale", "saga", "myth", "parable",
];

/// Nouns of telling, before a colon.
pub(super) const TELLINGS: &[&str] = &[
    "lie", "lies", "news", "version", "theory", "word", "message", "plan", "prophecy", "explanation",
];

/// Governs what is known or asked.
pub(super) const KNOWS: &[&str] = &[
    "knew", "know", "known", "knows", "knowing", "asked", "told", "learned", "learnt", "showed", "understood", "discovered", "guessed", "see", "saw", "imagine", "explained", "found", "of", "about", "tell", "learn", "heart", "wondered", "realised", "realized", "remembered", "sure",
];

/// What one notices is so.
pub(super) const NOTICES: &[&str] = &[
    "saw", "noticed", "realised", "realized", "found", "see", "discovered",
];

/// Telling.
pub(super) const SAYS: &[&str] = &[
    "said", "told", "says", "tells", "heard", "swore", "insisted", "reported", "agreed", "maintained", "admitted", "confirmed", "concluded", "claimed", "explained", "recalled", "reckoned", "wrote", "testified", "believed", "supposed", "story", "stories", "tale", "tales", "rumour", "rumor", "rumours", "rumors", "song", "ballad", "legend", "legends", "whispered", "sing", "sings", "tell", "say", "knew", "know", "knows", "believe", "believes", "maintain", "swear", "sang", "went", "lied",
];

/// What is in somebody's mind.
pub(super) const MINDS: &[&str] = &[
    "remember", "remembered", "remembers", "remembering", "recall", "recalled", "recalls", "recalling", "recollected", "wished", "wish", "wishing", "hoped", "hope", "hoping", "wondered", "thought", "thinking", "think", "believed", "forgotten", "forgot", "forget", "pretended", "pretending", "disguised", "impersonating", "impersonated", "mistook", "mistaken", "missed", "missing", "expected", "expecting", "pictured", "envisioned", "waited", "waiting", "feared", "dreaded", "used", "named", "nicknamed", "christened",
];

/// Of these, what brings somebody back whom one remembers.
pub(super) const RECALLS: &[&str] = &[
    "remember", "remembered", "remembers", "remembering", "recall", "recalled", "recalls", "recalling", "recollected", "pictured", "envisioned", "named", "nicknamed", "christened",
];

/// Dreams, ghosts, stages: nothing there is here and now.
pub(super) const DREAMS: &[&str] = &[
    "dream", "dreamed", "dreamt", "dreams", "dreaming", "nightmare", "nightmares", "imagine", "imagined", "imagining", "imagines", "imagination", "half-dreaming", "hallucination", "hallucinated", "hallucinating", "vision", "visions", "trance", "delirium", "delirious", "seance", "séance", "planchette", "ouija", "medium", "ghost", "ghosts", "spirit", "spectre", "specter", "phantom", "apparition", "memory", "memories", "flashback", "legend", "myth", "saga", "impostor", "imposter", "actor", "actress", "namesake", "effigies", "reenactment", "re-enactment", "childhood", "yesterday", "formerly", "previously", "supposedly", "allegedly", "testimony", "guidebook", "conjured",
];

/// Supposing.
pub(super) const SUPPOSES: &[&str] = &[
    "suppose", "supposing", "perhaps", "maybe", "whether", "unless",
];

/// Likenesses, documents, stages: what is in them, on them or told by them is not here and now.
pub(super) const FRAME_NOUNS: &[&str] = &[
    "portrait", "picture", "photograph", "photo", "painting", "statue", "bust", "effigy", "letter", "diary", "journal", "memoir", "chronicle", "chronicles", "notebook", "stage", "puppet", "film", "footage", "recording", "screen", "camera", "monitor", "video", "tape", "voicemail", "inscription", "epitaph", "obituary", "gravestone", "headstone", "tombstone", "plaque", "transcript", "screenplay", "costume", "pageant", "movie", "movies", "newsreel", "poster", "coin", "medal", "mural", "sketch", "drawing", "icon", "postcard", "telegram", "register", "dossier", "newspaper", "headline", "poem", "verse", "hymnal", "margin", "album", "locket", "cartoon", "novel", "legend", "inquest", "report", "files", "records", "waxwork", "tapestry", "fresco", "mosaic", "miniature", "snapshot", "broadcast", "cassette", "message", "opera", "masque", "charade", "minutes", "ledger", "log", "memoirs", "papers", "page", "pages", "print", "chapter", "memo", "deposition", "statement", "biography", "record", "needle", "historian", "biographer", "chronicler", "novelist", "playwright", "encyclopaedia", "projection", "hologram", "simulation", "archive", "waxworks", "playbill", "engraving", "woodcut", "etching", "lithograph", "caricature", "illustration", "daguerreotype", "tintype", "carving", "doll", "tattoo", "joke", "rehearsal", "matinee", "footlights", "canvas", "frieze", "statues", "portraits", "photographs", "prophecy", "scroll", "marble", "tapestries", "sculpture", "gramophone", "phonograph", "reel", "clip", "slideshow", "yearbook", "recorder", "playback", "guidebook",
];

/// Before such a noun: what is told is in it.
pub(super) const IN_FRAME: &[&str] = &[
    "in", "on", "of", "from", "inside", "through", "across", "within", "by", "above", "into", "under", "beneath",
];

/// After such a noun: it shows or tells.
pub(super) const FRAME_TELLS: &[&str] = &[
    "showed", "shows", "showing", "of", "said", "says", "read", "had", "has", "depicting", "depicted", "played", "told", "tells", "recorded", "captured", "began", "listed", "named", "held", "went", "ran", "described", "stated", "claimed", "called", "clicked", "crackled", "where", "which", "that", "in", "about", "record", "jumped", "stuck", "skipped", "hissed", "flickered", "depicts", "shown", "claims", "states", "reported", "reports", "insisted", "implied", "suggested", "suggests", "reads",
];

/// After a name, behind `in`, `on` or `from`: it was a likeness.
pub(super) const LIKENESSES: &[&str] = &[
    "portrait", "photograph", "photo", "painting", "statue", "film", "movie", "footage", "tape", "recording", "screen", "newsreel", "poster", "mural", "snapshot", "album", "canvas", "tapestry", "newsprint", "frame", "wall", "mantelpiece", "newspaper", "page", "print", "picture", "locket", "stage", "coin", "banknote", "stained-glass", "fresco", "pages", "gramophone", "phonograph",
];

/// Anywhere in the sentence: paint, stone or wax.
pub(super) const MATERIALS: &[&str] = &[
    " oil paint ", " in oils ", " in bronze ", " in marble ", " waxwork ", " silver frame ", " gilt frame ", " gilded frame ", " papier ", " chalked ", " marble nose ", " marble eyes ", " marble hand ", " marble face ", " stone eyes ", " stone face ", " plinth ", " pedestal ", " pigeon droppings ", " posters ", " billboard ", " playbill ", " the painter's ", " the sculptor ", " the mantel ", " brushwork ", " brushstrokes ", " on the lid ", " stained glass ", " the bronze ", " of bronze ", " a painted ", " the painted ", " of wax ",
];

/// In the sentence: not now.
pub(super) const FRAME_ANYWHERE: &[&str] = &[
    " in those years ", " all his life ", " all her life ", " in his last years ", " in her last years ", " in his last days ", " in her last days ", " let us say ", " night of the murder ", " night of the fire ", " day of the murder ", " day he died ", " day she died ", " night he died ", " night she died ", " year he died ", " year she died ", " day of his death ", " day of her death ", " lives on in ", " lived on in ", " god rest ", " rest his soul ", " rest her soul ", " mind's eye ", " in her imagination ", " in his imagination ", " long ago ", " in those days ", " back then ", " in life ", " when alive ", " in his youth ", " in her youth ", " years before ", " in the portrait ", " in the photograph ", " in the painting ", " in the picture ", " in memory ", " were still alive ", " was still alive ", " had still been alive ", " had lived ", " in the old days ", " before his death ", " before her death ", " before he died ", " before she died ", " of those days ", " the ghost ", " ghost of ", " ghosts ", " once upon ", " as a boy ", " as a girl ", " as a child ", " as a young man ", " as a young woman ", " when he was alive ", " when she was alive ", " when they were young ", " in her childhood ", " in his childhood ", " in his lifetime ", " in her lifetime ", " in his prime ", " in her prime ", " in his day ", " in her day ", " in better days ", " in happier days ", " to this day ", " in her dreams ", " in his dreams ", " in my dreams ", " or so they said ", " or so it was said ", " the story goes ", " the story went ", " the tale goes ", " the tale went ", " legend has it ", " legend had it ", " rumour had it ", " rumor had it ", " ballad has it ", " it was said ", " word had it ", " so the story ", " it is said ", " of that year ", " last illness ", " until the accident ", " until the war ", " rest in peace ", " in death ", " night of the wreck ", " night of the storm ", " night of the crash ", " night of the accident ", " night of the killing ", " night of the flood ", " day of the accident ", " day of the battle ", " in the year of ", " it is recorded ", " it was recorded ", " it is written ", " it is told ", " if you believe ",
];

/// Before the name: what follows is in somebody's mind.
pub(super) const FRAME_IN_FRONT: &[&str] = &[
    " shut her eyes ", " shut his eyes ", " closed her eyes ", " closed his eyes ", " pressed play ", " hit play ", " pushed play ", " could almost ", " could still see ", " could still hear ", " could still feel ", " half expected ", " half-expected ", " everyone knows ", " everybody knows ", " in her sleep ", " in his sleep ", " in the dream ", " in his dream ", " in her dream ", " in my dream ", " people said ", " they say ", " they said ", " it was said ", " it is said ", " some say ", " some said ", " men say ", " the day of ", " on the day ", " saw it again ", " she was sure ", " he was sure ", " i was sure ", " she felt sure ", " he felt sure ", " for all she knew ", " for all he knew ", " saw again ", " no sign of ", " for a moment she thought ", " for a moment he thought ", " for an instant she thought ", " in her mind ", " in his mind ", " in my mind ", " in her head ", " in his head ", " in the time of ", " brought it all back ", " it all came back ", " brought back ", " must have been ", " went over it ", " ran through it ", " went through it again ",
];

/// It was none of it so.
pub(super) const UNDONE: &[&str] = &[
    "and then he was a ", "and then she was a ", "it was only ", "it was a stranger", "it was just the ", "there was no one", "there was nobody", "no one was there", "nobody was there", "nothing was there", "there was nothing", "only a coat", "only the wind", "only a shadow", "a trick of the light", "the vision", "then she woke", "then he woke", "she woke up", "he woke up", "woke with a start, alone", "and then she woke", "and then he woke", "the dream", "and then it was a ", "and then it was the ", "it was a coat", "was only a trick", "there was only the ", "there was only a ", "as they had left ", "as we had left ", "as he had been left", "as she had been left",
];

/// Later in the paragraph: it was told, written or played, or long past.
pub(super) const REVEALS: &[&str] = &[
    "so ran ", "so went ", "so read ", "so ended ", "so began ", "closed the book", "closed the novel", "the novel", "the manuscript", "the author", "put down the book", "turned the page", "the curtain fell", "the curtain came", "the credits", "the lights came up", "the lights went up", "the audience", "the prompter", "the tape ", "the reel", "the film", "years on ", "years later ", "years afterwards", "decades later", "it had all been", "it had been a dream", "none of it", "the passage", "so the ballad", "the ballad", "the storyteller", "the last line", "on the picture", "the beep", "the recording", "picture broke",
];

/// The paragraph has somebody dead in it.
pub(super) const LAID_OUT: &[&str] = &[
    "slab", "corpse", "coffin", "pyre", "shroud", "bier", "tomb", "grave", "dead", "body", "morgue", "crypt", "necromancer", "resurrection", "rune", "revive", "revived",
];

/// Beside a name elsewhere in the paragraph: they are dead.
pub(super) const DEAD_ALREADY: &[&str] = &[
    "dead", "died", "drowned", "killed", "buried", "murdered", "hanged", "slain", "grave", "deceased", "widow", "ashes", "funeral", "late",
];

/// Looks, before `from`.
pub(super) const GAZES: &[&str] = &[
    "smiled", "stared", "gazed", "looked", "glared", "beamed", "frowned", "grinned", "scowled", "watched", "glowered", "peered", "simpered", "leered", "squinted",
];

/// Where people look from.
pub(super) const PERCHES: &[&str] = &[
    "doorway", "door", "window", "windows", "balcony", "bed", "chair", "across", "behind", "stairs", "stair", "landing", "saddle", "seat", "side", "corner", "bench", "roof", "top", "bank", "shore", "deck", "back", "end", "floor", "kitchen", "room", "porch", "steps", "step", "gallery", "pulpit", "shadows", "shadow", "table", "counter", "bar", "bridge", "rail", "tower", "ladder", "threshold", "hall", "gate", "crowd", "street", "edge", "couch", "sofa", "hammock", "carriage", "cart", "wagon", "car", "boat", "bunk", "cell", "bars", "far", "other", "depths", "ranks",
];

/// What a likeness is made of.
pub(super) const STONES: &[&str] = &[
    "bronze", "marble", "granite", "plaster", "wax", "alabaster", "limestone", "sandstone", "porcelain", "terracotta", "plywood", "cardboard", "papier-mâché",
];

/// In the sentence beside: a likeness is spoken of.
pub(super) const ART: &[&str] = &[
    "plinth", "pedestal", "brushstroke", "brushwork", "the sculptor", "gilt frame", "the projector", "the newsreel", "the mason had", "the painter", "chimney-piece", "the engraver", "the portraitist", "waxwork", "the statue", "scarecrow", "effigies", "snowman", "mannequin", "marionette", "android", "to answer in",
];

/// Things of somebody that stand about without them.
pub(super) const WORN: &[&str] = &[
    "boots", "footsteps", "shadow", "pipe", "pen", "spectacles", "glasses", "fork", "spoon", "hat", "teeth",
];

/// What such a thing does when they are there.
pub(super) const MOVES: &[&str] = &[
    "came", "went", "moved", "clumped", "crunched", "thudded", "scraped", "tapped", "hammered", "scratched", "stopped", "paused", "rattled", "bobbed", "appeared", "descended", "flashed", "jumped", "crossed", "fell", "rang", "sounded", "approached", "followed", "hovered", "trembled", "flew", "dug", "traced", "bobbed",
];

/// Where somebody else is heard or seen again.
pub(super) const ECHOES: &[&str] = &[
    "laugh", "voice", "face", "eyes", "smile", "walk", "gait", "hands", "features", "laughter", "words", "tone", "chin",
];

/// Words after a verb that belong to it.
pub(super) const PARTICLES: &[&str] = &[
    "out", "up", "down", "in", "on", "off", "over", "away", "round", "around", "through", "by", "past",
];

/// Paragraphs that begin so begin a flashback or a dream.
pub(super) const FLASHBACK_HEAD: &[&str] = &[
    "long ago", "once upon", "in those days", "back then", "in the dream", "in her dream", "in his dream", "he dreamed", "she dreamed", "he dreamt", "she dreamt", "i dreamt", "i dreamed", "in the memory", "in his memory", "in her memory", "as a boy", "as a girl", "as a child", "in her childhood", "in his childhood", "the memory", "flashback", "she remembered", "he remembered", "i remember",
];

/// Paragraphs that begin so are back at now.
pub(super) const BACK_TO_NOW: &[&str] = &[
    "now", "today", "tonight", "this morning", "he woke", "she woke", "i woke", "the memory faded", "the dream", "back in", "at present", "this evening",
];

/// From such a sentence on, the rest of a paragraph is no plain report of now.
pub(super) const MEMORY_REST: &[&str] = &[
    "remember", "recalled", "recollect", "in those days", "back then", "long ago", "used to ", "closed her eyes.", "closed his eyes.", "shut her eyes.", "shut his eyes.", "dreamed", "dreamt", "in the dream", "childhood", "memory", "memories", "ghost", "vision", "apparition", "the letter read", "the letter said", "the story went", "legend", "the play", "on the stage", "portrait", "statue", "photograph", "painting", "diary", "rumour", "rumor", "once,", "had once", "on the tape", "played the tape", "the tape again", "recording", "footage", "voicemail", "answering machine", "according to", "dreaming", "the mural", "the fresco", "the album", "an album", "newsreel", "saved message", "home movie", "the film ", "the film.", "the reel", "the tapestry", "the clip", "the projector", "slideshow", "hologram", "the woodcut", "the engraving", "the coin", "mind went", "thoughts went", "mind drifted", "thoughts drifted", "mind strayed", "mind slid", "thought back", "that was the year", "that was the summer", "that was the winter", "that was the spring", "that was the autumn", "medium", "seance", "séance", "pressed play", "hit play", "rewound", "the tape", " dream", "were not there", "was not really there", "weren't really there", "delirium", "delirious", "hallucinat", "raving", "in the fever", "in his fever", "in her fever", "day of the fever", "night of the fever", "rehears", "imitat", "mimick", "impersonat", "report put", "report said", "report ran", "the sim ", "simulation", "transmission",
];

/// What announces a verse or a document.
pub(super) const DOCUMENTS: &[&str] = &[
    "letter", "note", "poem", "verse", "song", "inscription", "epitaph", "read", "wrote", "follows", "diary", "ran", "thus", "sang",
];
