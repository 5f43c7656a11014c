//! Reads a form query by name, in any order.

use super::{
    super::{octets::decode, variables::Value},
    part::{QueryKey, QueryPart},
    reach::Meter,
};

/// Puts the pairs of a query into their variables' slots.
///
/// Gives nothing when a pair belongs to no variable, a variable comes twice, or a text does not decode. `q` and `q=`
/// both are the empty text, and empty pairs are passed over. `+` stays what it is: RFC 6570 writes spaces as `%20`.
pub(super) fn fill(
    part: &QueryPart,
    query: &str,
    slots: &mut [Option<Value>],
    meter: &mut impl Meter,
) -> Option<()> {
    let mut rest = Vec::new();
    let mut only_own_name = true;
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        pair.bytes().for_each(|_| meter.step());
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, text) = (decode(key)?, decode(text)?.into_owned());
        match (part.keys.iter().find(|known| *known.key == *key), &part.rest) {
            (Some(QueryKey { slot, .. }), _) => {
                let slot = slots.get_mut(*slot)?;
                if slot.replace(Value::Text(text)).is_some() {
                    return None;
                }
            }
            (None, Some(own)) => {
                only_own_name &= *own.key == *key;
                rest.push((key.into_owned(), text));
            }
            (None, None) => return None,
        }
    }
    if let Some(QueryKey { slot, .. }) = &part.rest
        && !rest.is_empty()
    {
        *slots.get_mut(*slot)? = Some(if only_own_name {
            Value::List(rest.into_iter().map(|(_, text)| text).collect())
        } else {
            Value::Pairs(rest)
        });
    }
    Some(())
}
