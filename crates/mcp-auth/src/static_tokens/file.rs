//! The text form of a token list.

use super::{
    StaticTokens, TokenFault, TokenFileFault,
    builder::{StaticTokensBuilder, is_short},
};
use mcp_core::principal::Principal;

pub(super) fn parse(text: &str) -> Result<StaticTokens, TokenFileFault> {
    let mut tokens = StaticTokensBuilder::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, content) in (1..).zip(text.lines()) {
        let mut words = content.split_whitespace();
        let Some(token) = words.next().filter(|word| !word.starts_with('#')) else { continue };
        let added = match words.next() {
            Some(subject) => tokens.add(token, Principal::new(subject).with_scopes(words)),
            None => Err(TokenFault::EmptySubject),
        };
        added.map_err(|fault| TokenFileFault { line, fault })?;
        if is_short(token) {
            tracing::warn!(
                line,
                "a static token is shorter than {} bytes and may be guessed",
                StaticTokensBuilder::STRONG_TOKEN_BYTES
            );
        }
    }
    Ok(tokens.build())
}
