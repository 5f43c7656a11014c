//! One field: a value parsed from its text.

use super::{
    FieldText,
    fault::{FieldFault, FieldProblem},
};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, SeqAccess, VariantAccess, Visitor,
    value::{BorrowedStrDeserializer, MapDeserializer},
};

#[derive(Clone, Copy)]
pub(super) struct Scalar<'a> {
    pub(super) name: &'a str,
    pub(super) text: FieldText<'a>,
}

impl<'a> Scalar<'a> {
    /// Reads the value and names this field in whatever goes wrong.
    pub(super) fn read<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, FieldFault> {
        seed.deserialize(self).map_err(|fault| fault.within(self.name))
    }

    fn one(self) -> Result<&'a str, FieldFault> {
        match self.text {
            FieldText::Text(text) => Ok(text),
            FieldText::Absent => Err(self.fault(FieldProblem::Missing)),
            FieldText::List(_) | FieldText::Pairs(_) => Err(self.fault(FieldProblem::Several)),
        }
    }

    fn fault(self, problem: FieldProblem) -> FieldFault {
        FieldFault::of(self.name, problem)
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident $kind:literal;)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
            match self.one()?.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(self.fault(FieldProblem::NotA($kind))),
            }
        }
    )*};
}

impl<'a> Deserializer<'a> for Scalar<'a> {
    type Error = FieldFault;

    parsed! {
        deserialize_bool visit_bool "`true` or `false`";
        deserialize_i8 visit_i8 "an integer from -128 to 127";
        deserialize_i16 visit_i16 "an integer from -32768 to 32767";
        deserialize_i32 visit_i32 "an integer from -2147483648 to 2147483647";
        deserialize_i64 visit_i64 "an integer of at most 64 bits";
        deserialize_i128 visit_i128 "an integer of at most 128 bits";
        deserialize_u8 visit_u8 "an integer from 0 to 255";
        deserialize_u16 visit_u16 "an integer from 0 to 65535";
        deserialize_u32 visit_u32 "an integer from 0 to 4294967295";
        deserialize_u64 visit_u64 "an integer from 0 of at most 64 bits";
        deserialize_u128 visit_u128 "an integer from 0 of at most 128 bits";
        deserialize_char visit_char "one character";
    }

    fn deserialize_f32<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        match self.one()?.parse::<f32>() {
            Ok(value) if value.is_finite() => visitor.visit_f32(value),
            _ => Err(self.fault(FieldProblem::NotA("a number"))),
        }
    }

    fn deserialize_f64<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        match self.one()?.parse::<f64>() {
            Ok(value) if value.is_finite() => visitor.visit_f64(value),
            _ => Err(self.fault(FieldProblem::NotA("a number"))),
        }
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        match self.text {
            FieldText::Absent => visitor.visit_none(),
            FieldText::Text(text) => visitor.visit_borrowed_str(text),
            FieldText::List(_) => self.deserialize_seq(visitor),
            FieldText::Pairs(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        visitor.visit_borrowed_str(self.one()?)
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        visitor.visit_borrowed_bytes(self.one()?.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        match self.text {
            FieldText::Absent => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, _visitor: V) -> Result<V::Value, FieldFault> {
        Err(self.fault(FieldProblem::Nested))
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        let items = match self.text {
            FieldText::List(items) => Items::List(items.iter()),
            FieldText::Pairs(pairs) => Items::Pairs(pairs.iter()),
            FieldText::Absent => return Err(self.fault(FieldProblem::Missing)),
            FieldText::Text(_) => return Err(self.fault(FieldProblem::NotA("a list"))),
        };
        visitor.visit_seq(Sequence { name: self.name, items })
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, _length: usize, visitor: V) -> Result<V::Value, FieldFault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        match self.text {
            FieldText::Pairs(pairs) => visitor.visit_map(MapDeserializer::new(
                pairs.iter().map(|(name, text)| (&**name, Self { name, text: FieldText::Text(text) })),
            )),
            // An exploded variable that only met its own name.
            FieldText::List(items) => visitor.visit_map(MapDeserializer::new(
                items.iter().map(|text| (self.name, Self { name: self.name, text: FieldText::Text(text) })),
            )),
            FieldText::Absent => Err(self.fault(FieldProblem::Missing)),
            FieldText::Text(_) => Err(self.fault(FieldProblem::Nested)),
        }
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldFault> {
        visitor.visit_enum(Variant { name: self.name, text: self.one()? })
    }

    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, FieldFault> {
        visitor.visit_unit()
    }
}

impl<'a> IntoDeserializer<'a, FieldFault> for Scalar<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

enum Items<'a> {
    List(std::slice::Iter<'a, String>),
    Pairs(std::slice::Iter<'a, (String, String)>),
}

struct Sequence<'a> {
    name: &'a str,
    items: Items<'a>,
}

impl<'a> SeqAccess<'a> for Sequence<'a> {
    type Error = FieldFault;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, FieldFault> {
        let text = match &mut self.items {
            Items::List(items) => items.next(),
            Items::Pairs(pairs) => pairs.find(|(name, _)| name == self.name).map(|(_, text)| text),
        };
        text.map(|text| Scalar { name: self.name, text: FieldText::Text(text) }.read(seed)).transpose()
    }
}

/// An enum whose variants are named by the text.
struct Variant<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = FieldFault;
    type Variant = UnitOnly;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, UnitOnly), FieldFault> {
        let variant = seed
            .deserialize(BorrowedStrDeserializer::new(self.text))
            .map_err(|fault: FieldFault| fault.within(self.name))?;
        Ok((variant, UnitOnly))
    }
}

struct UnitOnly;

impl<'a> VariantAccess<'a> for UnitOnly {
    type Error = FieldFault;

    fn unit_variant(self) -> Result<(), FieldFault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, _seed: T) -> Result<T::Value, FieldFault> {
        Err(FieldFault::whole(FieldProblem::Nested))
    }

    fn tuple_variant<V: Visitor<'a>>(self, _length: usize, _visitor: V) -> Result<V::Value, FieldFault> {
        Err(FieldFault::whole(FieldProblem::Nested))
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, FieldFault> {
        Err(FieldFault::whole(FieldProblem::Nested))
    }
}
