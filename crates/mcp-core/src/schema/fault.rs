//! What can be wrong with a schema when a server is built.

use super::root::RootKind;

/// A reason why a schema is refused when a server is built.
///
/// The text says what to write instead; the caller adds which tool or prompt it is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFault {
    /// The arguments' type does not describe a JSON object.
    #[error("arguments must be a JSON object, but this type is {found}: {}", found.instead())]
    NotAnObject {
        /// What the type describes.
        found: RootKind,
    },
    /// Two sources of arguments declare one name.
    #[error("the argument `{name}` is declared twice: rename one of the two")]
    DuplicateArgument {
        /// The name declared twice.
        name: String,
    },
    /// An argument's name is empty.
    #[error("an argument has an empty name: give it one")]
    UnnamedArgument,
    /// A description was given for an argument that does not exist.
    #[error("`{name}` is described but is no argument: correct the name or remove the description")]
    UnknownArgument {
        /// The name that no source declares.
        name: String,
    },
    /// A struct that refuses or collects unknown fields shares its object with other arguments.
    #[error(
        "a type that denies or collects unknown fields must be the only source of arguments: \
         remove `deny_unknown_fields` or the flattened map, or move the other arguments into the type"
    )]
    NotShareable,
    /// A default value does not fit the schema that it stands in.
    #[error("the default at `{path}` does not fit its own schema: change the default or the constraint")]
    DefaultDoesNotFit {
        /// JSON Pointer to the schema that holds the default.
        path: String,
    },
    /// A `$ref` leads nowhere.
    #[error("the reference `{reference}` leads nowhere: declare it under `$defs`")]
    DanglingReference {
        /// The reference as written.
        reference: String,
    },
    /// A `$ref` leads out of the document.
    #[error("the reference `{reference}` leaves the schema: copy what it names under `$defs`")]
    ExternalReference {
        /// The reference as written.
        reference: String,
    },
    /// The declared dialect is not supported.
    #[error("the dialect `{dialect}` is not supported: use https://json-schema.org/draft/2020-12/schema")]
    UnsupportedDialect {
        /// The value of `$schema`.
        dialect: String,
    },
    /// A schema written by hand has no object as its root.
    #[error("the root of the schema must be an object schema with \"type\": \"object\"")]
    RootType,
    /// The schema is not a valid JSON Schema.
    #[error("the schema is not valid: {reason}")]
    Invalid {
        /// What the validator says about it.
        reason: String,
    },
    /// The schema nests too deeply, or its types contain themselves without a level between.
    #[error("the schema nests deeper than {limit} levels: flatten it")]
    TooDeep {
        /// The most levels allowed.
        limit: usize,
    },
    /// The schema has too many parts.
    #[error("the schema has more than {limit} subschemas: divide it among several tools")]
    TooManySubschemas {
        /// The most subschemas allowed.
        limit: usize,
    },
    /// The schema's text is too long.
    #[error("the schema is longer than {limit} bytes: shorten descriptions or divide it")]
    TooLarge {
        /// The most bytes allowed.
        limit: usize,
    },
}
