//! "Did you mean": the known name that a mistyped one is near to.

use super::got::QUOTED;

/// Finds the one of `known` that is within two edits of `name`, and no more than a third of it away.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let letters: Vec<char> = name.chars().take(QUOTED + 1).collect();
    if letters.len() > QUOTED {
        return None;
    }
    let allowed = (letters.len() / 3).clamp(1, 2);
    known
        .iter()
        .map(|known| (distance(&letters, known), *known))
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known)
}

/// Counts the insertions, removals and replacements between two words; case does not count.
fn distance(one: &[char], other: &str) -> usize {
    let same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (line, letter) in other.chars().take(2 * QUOTED).enumerate() {
        let mut next = vec![line + 1];
        let mut left = line + 1;
        for (pair, own) in row.windows(2).zip(one) {
            let [diagonal, above] = pair else { continue };
            left = (left + 1).min(above + 1).min(diagonal + usize::from(!same(*own, letter)));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
