//! Icons of everything that has some.

use super::Faults;
use crate::protocol::Icon;

/// The most characters of an icon's URI that a fault repeats.
const SHOWN_CHARS: usize = 60;

/// Refuses icons that clients drop.
pub(crate) fn check_icons(subject: &str, icons: &[Icon], faults: &mut Faults) {
    for icon in icons {
        let Some(problem) = icon.problem() else { continue };
        let src: String = icon.src.chars().take(SHOWN_CHARS).collect();
        faults.add(subject, format!("the icon `{src}` {problem}"));
    }
}
