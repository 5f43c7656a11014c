//! The check of what a server advertises besides the protocol itself.

use crate::{card::CARDS, protocol::Extension, registry::Faults, skill::SKILLS};

/// Extensions that the server advertises by itself, each with what makes it do so.
const OWN: [(&str, &str); 3] = [
    ("io.modelcontextprotocol/tasks", "it is advertised as soon as a tool can run as a task"),
    (CARDS, "it is advertised as soon as a tool or a resource has to do with cards"),
    (SKILLS, "it is advertised as soon as there is a skill"),
];

/// Notes every extension whose identifier is none, is there twice, or belongs to the server.
pub(super) fn check_extensions(extensions: &[Extension], faults: &mut Faults) {
    for (position, extension) in extensions.iter().enumerate() {
        let identifier = extension.identifier();
        let subject = format!("extension `{identifier}`");
        if !extension.is_well_named() {
            faults.add(subject, "write a reversed domain name, `/` and a name, such as `com.example/ledger`");
        } else if let Some((_, reason)) = OWN.iter().find(|(own, _)| *own == identifier) {
            faults.add(subject, format!("the server offers it by itself: {reason}"));
        } else if extensions.iter().take(position).any(|earlier| earlier.identifier() == identifier) {
            faults.add(subject, "advertised twice; put its settings together");
        }
    }
}
