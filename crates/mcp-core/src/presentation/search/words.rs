//! Text cut into the words it is found by.

use bm25::Tokenizer;

/// Cuts text at everything that is no letter or digit and where a capital begins a new word, folds case, and leaves
/// of English words their stems, roughly.
///
/// Scripts that write no spaces are cut into pairs of characters. The same text gives the same words everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words;

/// Words that say nothing about what is looked for.
const EMPTY: [&str; 32] = [
    "a", "all", "an", "and", "are", "as", "at", "be", "by", "can", "do", "for", "from", "how", "i", "in",
    "is", "it", "its", "me", "my", "of", "on", "or", "our", "that", "the", "their", "this", "to", "we",
    "with",
];

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for run in text.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty()) {
            cut(run, &mut words);
        }
        words
    }
}

/// Cuts letters and digits that are not apart: `getHTTPUrl` is three words.
fn cut(run: &str, words: &mut Vec<String>) {
    let characters: Vec<char> = run.chars().collect();
    let mut from = 0;
    for (at, pair) in (1..).zip(characters.windows(2)) {
        let [before, here] = pair else { continue };
        // The last capital of several begins a word when a small letter follows it.
        let small_follows = characters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = here.is_uppercase() && (!before.is_uppercase() || small_follows);
        if begins || is_spaceless(*before) != is_spaceless(*here) {
            add(characters.get(from..at).unwrap_or_default(), words);
            from = at;
        }
    }
    add(characters.get(from..).unwrap_or_default(), words);
}

fn add(word: &[char], words: &mut Vec<String>) {
    if word.first().copied().is_some_and(is_spaceless) {
        match word {
            [one] => words.push(one.to_string()),
            all => words.extend(all.windows(2).map(|pair| pair.iter().collect())),
        }
        return;
    }
    let word = stem(word.iter().flat_map(|character| character.to_lowercase()).collect());
    if !EMPTY.contains(&&*word) {
        words.push(word);
    }
}

/// Tells whether a character belongs to a script whose words are not set apart.
fn is_spaceless(character: char) -> bool {
    matches!(u32::from(character), 0x0E00..=0x0EFF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0x20000..=0x3FFFF)
}

/// Takes from an English word the endings that its forms differ by: orders, ordered and ordering are one word.
fn stem(word: String) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    let singular = singular(&word);
    let ending = ["ions", "ion", "ings", "ing", "ed", "e"].into_iter().find(|ending| {
        singular.strip_suffix(ending).is_some_and(|rest| rest.len() >= 3 && rest.contains(is_vowel))
    });
    let mut stem = ending.and_then(|ending| singular.strip_suffix(ending)).unwrap_or(&singular);
    // validate, validation; cancel, cancellation.
    if ending.is_some()
        && let Some(rest) = stem.strip_suffix("at").filter(|rest| rest.len() >= 4)
    {
        stem = rest;
    }
    // plan, planned; cancel, cancelled.
    let mut ends = stem.chars().rev();
    if let (Some(last), Some(before)) = (ends.next(), ends.next())
        && last == before
        && !is_vowel(last)
        && last != 's'
        && (stem.len() > 4 || (stem.len() > 3 && ending.is_some() && last != 'l'))
    {
        stem = &stem[..stem.len() - 1];
    }
    match stem.strip_suffix('y') {
        Some(rest) => format!("{rest}i"),
        None => stem.trim_end_matches('e').to_owned(),
    }
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let cut = match word {
        _ if ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end)) => 2,
        _ if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) => 0,
        _ => usize::from(word.ends_with('s')),
    };
    word[..word.len() - cut].to_owned()
}

fn is_vowel(character: char) -> bool {
    matches!(character, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        Words.tokenize(text)
    }

    #[test]
    fn names_are_cut_where_their_words_meet() {
        let expected = ["get", "user", "nam"];
        for name in ["get_user_name", "get-user.name", "getUserName", "GetUserName", "GET/USER NAME"] {
            assert_eq!(words(name), expected, "{name}");
        }
        assert_eq!(words("parseHTTPUrl2"), ["pars", "http", "url2"]);
        assert_eq!(words("s3:listÄpfel"), ["s3", "list", "äpfel"]);
        assert!(words("the — of ...").is_empty());
    }

    #[test]
    fn forms_of_one_word_are_one_word() {
        for forms in [
            ["order", "orders", "ordered", "ordering"],
            ["create", "creates", "created", "creation"],
            ["plan", "plans", "planned", "planning"],
            ["query", "queries", "queried", "query"],
            ["delete", "deletes", "deleting", "deletion"],
            ["cancel", "cancels", "cancelled", "cancellation"],
            ["validate", "validates", "validating", "validations"],
            ["ship", "ships", "shipped", "shipping"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| words(form)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{forms:?} {stems:?}");
        }
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_pairs() {
        assert_eq!(words("注文を検索api"), ["注文", "文を", "を検", "検索", "api"]);
        assert_eq!(words("図"), ["図"]);
    }
}
