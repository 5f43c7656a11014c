//! Paths that cannot be served side by side, found before the router would panic.

use crate::operation::PathTemplate;
use http::Method;

/// A path that is taken.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) template: PathTemplate,
    pub(crate) methods: Methods,
}

/// Which methods of a path are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Methods {
    /// One.
    One(Method),
    /// Some, but which is not known.
    Unknown,
}

/// The paths of routes and of the groups below them.
#[derive(Clone, Default)]
pub(crate) struct Paths {
    known: Vec<Known>,
    tree: matchit::Router<()>,
}

impl std::fmt::Debug for Paths {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(&self.known).finish()
    }
}

impl Paths {
    /// Takes a path.
    ///
    /// # Errors
    /// Why it cannot be served beside what is taken already.
    pub(crate) fn add(&mut self, template: PathTemplate, methods: Methods) -> Result<(), String> {
        if let Some(name) = template.doubled() {
            return Err(format!("the path parameter `{name}` stands twice in it; rename one of them"));
        }
        let shape = template.shape();
        let mut is_new = true;
        for known in self.known.iter().filter(|known| known.template.shape() == shape) {
            is_new = false;
            if known.template != template {
                return Err(format!(
                    "it matches the same as `{}`, whose parameters have other names; give them the same names",
                    known.template
                ));
            }
            if let Some(method) = overlap(&known.methods, &methods) {
                return Err(match method {
                    Some(method) => format!("{method} is served there already"),
                    None => "GET is served there already, and answers HEAD; leave one of them out".to_owned(),
                });
            }
        }
        if is_new && let Err(conflict) = self.tree.insert(template.as_str(), ()) {
            return Err(format!("it cannot be told apart from other paths: {conflict}"));
        }
        self.known.push(Known { template, methods });
        Ok(())
    }

    /// What is taken.
    pub(crate) fn known(&self) -> &[Known] {
        &self.known
    }

    /// The path that matches everything this one does, if one is taken.
    pub(crate) fn taken(&self, path: &str) -> Option<&PathTemplate> {
        let shape = PathTemplate::parse(path).ok()?.shape();
        self.known.iter().map(|known| &known.template).find(|template| template.shape() == shape)
    }
}

/// The method that both serve; `Some(None)` when one serves GET and the other HEAD.
fn overlap(one: &Methods, other: &Methods) -> Option<Option<Method>> {
    match (one, other) {
        (Methods::One(one), Methods::One(other)) if one == other => Some(Some(one.clone())),
        (Methods::One(one), Methods::One(other)) => {
            let pair = [one, other];
            (pair.contains(&&Method::GET) && pair.contains(&&Method::HEAD)).then_some(None)
        }
        // What is not known the router finds out.
        _ => None,
    }
}
