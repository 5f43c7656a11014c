//! Sealed state: tokens nobody sealed, plaintext nobody wrote, arguments written in two ways.

use bytes::Bytes;
use mcp_core::{
    ask::state::hostile::{digest, opens, survives},
    json::{Document, JsonLimits, Kind, Node},
};
use std::fmt::Write as _;

/// Reads `input` as a token, as what a token seals, and as arguments.
///
/// # Panics
/// Where the token opens, a state changes when it is sealed and opened, or the digest depends on the spelling.
pub fn state(input: &[u8]) {
    assert_ne!(survives(input), Some(false), "a state changes on its way");
    if let Ok(text) = std::str::from_utf8(input) {
        assert!(!opens(text), "nobody sealed this");
    }
    let Ok(document) = Document::parse(Bytes::copy_from_slice(input), &JsonLimits::default()) else { return };
    let mut text = String::new();
    respell(document.root(), &mut text);
    let limits = JsonLimits { document_bytes: 1 << 30, number_chars: 10_000, ..JsonLimits::default() };
    let respelled = Document::parse(text.into(), &limits).expect("the same values are valid again");
    assert_eq!(digest(document.root()), digest(respelled.root()));
}

/// Writes a value with its members backwards, its strings escaped and its numbers with another exponent.
fn respell(node: Node<'_>, out: &mut String) {
    match node.kind() {
        Kind::Null | Kind::Bool => out.push_str(node.raw()),
        Kind::Number => number(node.raw(), out),
        Kind::String => string(&node.as_str().expect("a string has text"), out),
        Kind::Array => {
            out.push('[');
            for (index, element) in node.elements().enumerate() {
                out.push_str(if index > 0 { " ," } else { "" });
                respell(element, out);
            }
            out.push(']');
        }
        Kind::Object => {
            let mut members: Vec<_> = node.members().collect();
            members.reverse();
            out.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "" });
                string(&name.text(), out);
                out.push_str(" : ");
                respell(member, out);
            }
            out.push('}');
        }
    }
}

/// Writes a number that has no exponent with three more digits and one that takes them back.
fn number(raw: &str, out: &mut String) {
    out.push_str(raw);
    if !raw.contains(['.', 'e', 'E']) && raw.trim_start_matches('-') != "0" {
        out.push_str("000E-3");
    } else if !raw.contains(['e', 'E']) {
        out.push_str(if raw.contains('.') { "00" } else { ".0e+7" });
    }
}

fn string(text: &str, out: &mut String) {
    out.push('"');
    for unit in text.encode_utf16() {
        let _ = write!(out, "\\u{unit:04X}");
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{state, survives};

    /// What a token seals: a state with something in every part.
    fn plaintext() -> Vec<u8> {
        let text = |text: &str| [&u32::try_from(text.len()).unwrap().to_be_bytes(), text.as_bytes()].concat();
        let one = 1_u32.to_be_bytes().to_vec();
        let fixed = [&[1][..], &[0; 4], &1_800_000_000_u64.to_be_bytes(), &[0; 4]].concat();
        let issued = [one.clone(), text("seat"), vec![7; 32]].concat();
        let clashes = [one.clone(), text("row")].concat();
        let answers = [one.clone(), text("meal"), vec![9; 32], text(r#"{"action":"cancel"}"#)].concat();
        let values = [one, text("hold"), text("[1e400,\"é\"]")].concat();
        [fixed, text("op"), issued, clashes, answers, values].concat()
    }

    #[test]
    fn a_state_and_its_fragments_pass_the_target() {
        let plaintext = plaintext();
        assert_eq!(survives(&plaintext), Some(true));
        for at in 0..plaintext.len() {
            state(&plaintext[..at]);
            for flip in [0x01, 0x21, 0x80, 0xFF] {
                let mut changed = plaintext.clone();
                changed[at] ^= flip;
                state(&changed);
            }
        }
    }

    #[test]
    fn tokens_and_arguments_pass_the_target() {
        let token = "v1.rk_jRg.ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7C2MTTekmccEIQzrapqohPO8FAcI6YXI25";
        let arguments =
            r#"{"b":[-0,0,10,0.50,-7e2,1E400,"\ud83d\ude00\/"],"\u0061":{"":null,"é":true},"c":"a\"\\"}"#;
        for text in
            [token, "v1.AAAAAA.AAAA", "v1..", "v2.owBS8g.ZGVm", arguments, "[[{}],{}]", "null", "-0.0"]
        {
            for (end, _) in text.char_indices() {
                state(&text.as_bytes()[..end]);
            }
            state(text.as_bytes());
        }
    }
}
