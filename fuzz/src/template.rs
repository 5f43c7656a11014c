//! URI templates: any template against any URI, and what matched written out again.

use mcp_core::uri::{AbsoluteUri, UriTemplate};

/// Reads a template, a line feed and a URI; without a line feed one text is both.
///
/// # Panics
/// Where a template is not read as it was written, a match names other variables than the template does, or the
/// variables of a match make no URI, or one that has others.
pub fn template(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (template, uri) = text.split_once('\n').unwrap_or((text, text));
    if let Ok(absolute) = AbsoluteUri::parse(uri) {
        let key = absolute.lookup_key().into_owned();
        assert_eq!(AbsoluteUri::normalize_lookup(&key), key, "normalising twice changes nothing");
    }
    let template = match UriTemplate::parse(template) {
        Ok(template) => template,
        Err(fault) => {
            assert!(fault.at() <= template.len());
            return;
        }
    };
    assert_eq!(UriTemplate::parse(template.as_str()).as_ref(), Ok(&template));
    let Some(variables) = template.matches(uri) else { return };
    assert!(variables.iter().all(|(name, _)| template.variable_names().any(|known| known == name)));
    match template.expand(&variables) {
        Ok(expanded) => {
            let again = template.matches(&expanded).expect("what a match makes matches");
            assert_eq!(again, variables, "{template}: {uri} and {expanded}");
        }
        // Only a literal that is escaped itself can be told from a value in no way that is tried.
        Err(fault) => assert!(template.as_str().contains('%'), "{template}: {uri}: {fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn templates_with_their_uris_and_their_fragments_pass_the_target() {
        for text in [
            "test://s/{id}{?q,page}\ntest://s/7?page=2&q=a%20b",
            "test://f/{+path}\ntest://f/a/b%2Fc.txt",
            "test://x{/seg*}{?k*}\ntest://x/a/b?k=1&k=2&z%25=3",
            "a:{x,y}{.z*}{#f}\na:1,2.c.d#e/?",
            "users://{id}\nusers://%61%C3%A9",
            "{+x}a{+y}\nbacad",
            "a:b?c={d}{&e,f*}\na:b?c=1&e=&f=2",
            "{+x}a{+y}\nb%61cad",
            "{x}{.y*}\na%2eb.c.d",
            "{+x}\n%41b:c",
            "A{x}.{+y}\nAb%2e.c%3Ad",
            "t:/{/x*}/end{+y}\nt://a/%65nd/endz",
        ] {
            for (end, _) in text.char_indices() {
                template(&text.as_bytes()[..end]);
                let mut broken = text.as_bytes().to_vec();
                broken[end] ^= 0x01;
                template(&broken);
            }
            template(text.as_bytes());
        }
    }
}
