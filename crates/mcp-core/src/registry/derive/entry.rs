//! From derivations to what is published, and to entries of a catalogue.

use super::{
    Derivation, DerivedTool,
    apply::apply,
    derivation::Problems,
    surface::Surface,
    tool::Place,
    translation::{Derived, Translation},
};
use crate::{
    header::annotated_params,
    registry::{Faults, Rules, ToolEntry, name::check_name},
    schema::{ArgumentSchema, authored_input},
};
use std::sync::Arc;

/// A tool derived from one of a catalogue, and the place of the one that goes for it.
pub(crate) struct DerivedEntry {
    pub(crate) entry: Arc<ToolEntry>,
    pub(crate) instead_of: Option<usize>,
}

impl DerivedTool {
    /// Derives from one of the tools of a catalogue; what is wrong is noted.
    pub(crate) fn compile<'e>(
        self,
        mut tools: impl Iterator<Item = &'e Arc<ToolEntry>> + Clone,
        rules: &Rules,
        faults: &mut Faults,
    ) -> Option<DerivedEntry> {
        let labels = tools.clone().map(|tool| (&*tool.name, tool.definition.version.as_ref()));
        let Some(at) = self.place_of(labels) else {
            let known = tools.map(|tool| (&*tool.name, tool.version()));
            faults.add(self.subject(), self.nothing_to_derive_from(known));
            return None;
        };
        let original = tools.nth(at)?;
        let name = match self.called(&original.name) {
            Ok(name) => name,
            Err(problem) => {
                faults.add(self.subject(), problem);
                return None;
            }
        };
        let subject = format!("tool `{name}`");
        check_name("tool", &name, rules.names, faults);
        let mut definition = original.definition.clone();
        self.looks.apply(&mut definition);
        definition.check(&subject, rules, faults);
        let known = original.derived.as_ref().map(Derived::translation);
        let (input, derived) = published(
            &subject,
            original.input.clone(),
            known.map(|known| (known, original.handled())),
            std::slice::from_ref(&self.derivation),
            rules,
            faults,
        )?;
        let headers = match annotated_params(input.published().value()) {
            Ok(headers) => headers,
            Err(problems) => {
                problems.iter().for_each(|problem| faults.add(&*subject, problem));
                return None;
            }
        };
        let entry = Arc::new(ToolEntry {
            name,
            origin: original.origin.clone(),
            definition,
            input,
            output: original.output.clone(),
            headers,
            handler: Arc::clone(&original.handler),
            derived: Some(derived),
        });
        Some(DerivedEntry { entry, instead_of: (self.place == Place::Instead).then_some(at) })
    }
}

/// What a tool publishes and how its arguments are read, once its derivations have been applied to what it published
/// before. `known` is how that was derived from an original, with the original's schema.
///
/// `None` when something is wrong, which is noted.
pub(in crate::registry) fn published(
    subject: &str,
    before: ArgumentSchema,
    known: Option<(&Translation, &ArgumentSchema)>,
    derivations: &[Derivation],
    rules: &Rules,
    faults: &mut Faults,
) -> Option<(ArgumentSchema, Derived)> {
    let original = known.map_or_else(|| before.clone(), |(_, original)| original.clone());
    if derivations.iter().all(Derivation::is_empty) {
        let translation = match known {
            Some((known, _)) => known.clone(),
            None => Surface::of(before.published().value(), None)
                .map(|surface| surface.finish().1)
                .unwrap_or_default(),
        };
        let derived = Derived::new(original, &before, translation);
        return Some((before, derived));
    }
    let of = derivations.first().map_or("", |derivation| &derivation.of);
    let mut problems = Problems { subject, of, faults, any: false };
    let mut surface = match Surface::of(before.published().value(), known.map(|(known, _)| known)) {
        Ok(surface) => surface,
        Err(problem) => {
            problems.whole(problem);
            return None;
        }
    };
    for derivation in derivations {
        problems.of = &derivation.of;
        apply(&mut surface, derivation, &mut problems);
        if problems.any {
            return None;
        }
    }
    let (schema, translation) = surface.finish();
    let published = authored_input(schema, &rules.bounds).and_then(ArgumentSchema::new);
    match published {
        Ok(published) => {
            let derived = Derived::new(original, &published, translation);
            Some((published, derived))
        }
        Err(fault) => {
            problems.whole(fault);
            None
        }
    }
}
