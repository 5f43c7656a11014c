//! The fields as a whole: a map, a sequence, or the only value.

use super::{
    FieldText,
    fault::{FieldFault, FieldProblem},
    scalar::Scalar,
};
use serde::{
    de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor, value::BorrowedStrDeserializer},
    forward_to_deserialize_any,
};

pub(super) struct Fields<'a> {
    fields: Vec<(&'a str, FieldText<'a>)>,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(fields: Vec<(&'a str, FieldText<'a>)>) -> Self {
        Self { fields }
    }

    fn only(&self) -> Result<Scalar<'a>, FieldFault> {
        match self.fields.as_slice() {
            [(name, text)] => Ok(Scalar { name, text: *text }),
            others => Err(FieldFault::whole(FieldProblem::Count { wanted: 1, found: others.len() })),
        }
    }
}

macro_rules! only_value {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
            self.only()?.$method(visitor)
        }
    )*};
}

impl<'a> Deserializer<'a> for Fields<'a> {
    type Error = FieldFault;

    only_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf
    }

    forward_to_deserialize_any! { <V: Visitor<'a>> map identifier ignored_any }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        visitor.visit_map(Named { fields: self.fields.into_iter(), value: None })
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.deserialize_any(visitor)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        // One list variable read as a list means its items.
        match self.fields.as_slice() {
            [(name, text @ (FieldText::List(_) | FieldText::Pairs(_)))] => {
                Scalar { name, text: *text }.deserialize_seq(visitor)
            }
            _ => visitor.visit_seq(InOrder { fields: self.fields.into_iter() }),
        }
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, length: usize, visitor: V) -> Result<V::Value, FieldFault> {
        if self.fields.len() != length {
            return Err(FieldFault::whole(FieldProblem::Count { wanted: length, found: self.fields.len() }));
        }
        visitor.visit_seq(InOrder { fields: self.fields.into_iter() })
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        if self.fields.iter().all(|(_, text)| *text == FieldText::Absent) {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        visitor.visit_unit()
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.only()?.deserialize_enum(name, variants, visitor)
    }
}

struct Named<'a> {
    fields: std::vec::IntoIter<(&'a str, FieldText<'a>)>,
    value: Option<Scalar<'a>>,
}

impl<'a> MapAccess<'a> for Named<'a> {
    type Error = FieldFault;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, FieldFault> {
        let Some((name, text)) = self.fields.find(|(_, text)| *text != FieldText::Absent) else {
            return Ok(None);
        };
        self.value = Some(Scalar { name, text });
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, FieldFault> {
        let value = self.value.take().ok_or(FieldFault::whole(FieldProblem::Missing))?;
        value.read(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.fields.size_hint().1
    }
}

struct InOrder<'a> {
    fields: std::vec::IntoIter<(&'a str, FieldText<'a>)>,
}

impl<'a> SeqAccess<'a> for InOrder<'a> {
    type Error = FieldFault;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, FieldFault> {
        match self.fields.next() {
            Some((name, text)) => Scalar { name, text }.read(seed).map(Some),
            None => Ok(None),
        }
    }
}
