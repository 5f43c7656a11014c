//! A serializer that refuses NaN and infinities, which JSON does not have.
//!
//! RFC 8259, section 6.

use serde::{
    Serialize,
    ser::{
        self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant, Serializer,
    },
};
use std::cell::Cell;

/// A value whose floats are checked wherever it is serialised.
struct Checked<'f, 'v, T: ?Sized> {
    value: &'v T,
    not_finite: &'f Cell<bool>,
}

impl<T: Serialize + ?Sized> Serialize for Checked<'_, '_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Finite { inner: serializer, not_finite: self.not_finite })
    }
}

/// A serializer, or the part of one that writes a compound value, that refuses floats that are not finite.
pub(super) struct Finite<'f, S> {
    inner: S,
    not_finite: &'f Cell<bool>,
}

impl<'f, S> Finite<'f, S> {
    /// A serializer that sets `not_finite` where it refuses a float.
    pub(super) fn new(inner: S, not_finite: &'f Cell<bool>) -> Self {
        Self { inner, not_finite }
    }

    fn check<'v, T: ?Sized>(&self, value: &'v T) -> Checked<'f, 'v, T> {
        Checked { value, not_finite: self.not_finite }
    }

    fn refuse<E: ser::Error>(&self) -> E {
        self.not_finite.set(true);
        E::custom("a number is not finite")
    }
}

/// Hands scalars on as they are.
macro_rules! hand_on {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        })*
    };
}

impl<'f, S: Serializer> Serializer for Finite<'f, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Finite<'f, S::SerializeSeq>;
    type SerializeTuple = Finite<'f, S::SerializeTuple>;
    type SerializeTupleStruct = Finite<'f, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Finite<'f, S::SerializeTupleVariant>;
    type SerializeMap = Finite<'f, S::SerializeMap>;
    type SerializeStruct = Finite<'f, S::SerializeStruct>;
    type SerializeStructVariant = Finite<'f, S::SerializeStructVariant>;

    hand_on! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_char: char,
        serialize_str: &str,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f32(value) } else { Err(self.refuse()) }
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f64(value) } else { Err(self.refuse()) }
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        let value = self.check(value);
        self.inner.serialize_some(&value)
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.check(value);
        self.inner.serialize_newtype_struct(name, &value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.check(value);
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        let not_finite = self.not_finite;
        self.inner.serialize_seq(len).map(|inner| Finite { inner, not_finite })
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        let not_finite = self.not_finite;
        self.inner.serialize_tuple(len).map(|inner| Finite { inner, not_finite })
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        let not_finite = self.not_finite;
        self.inner.serialize_tuple_struct(name, len).map(|inner| Finite { inner, not_finite })
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        let not_finite = self.not_finite;
        let inner = self.inner.serialize_tuple_variant(name, index, variant, len)?;
        Ok(Finite { inner, not_finite })
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        let not_finite = self.not_finite;
        self.inner.serialize_map(len).map(|inner| Finite { inner, not_finite })
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct, S::Error> {
        let not_finite = self.not_finite;
        self.inner.serialize_struct(name, len).map(|inner| Finite { inner, not_finite })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let not_finite = self.not_finite;
        let inner = self.inner.serialize_struct_variant(name, index, variant, len)?;
        Ok(Finite { inner, not_finite })
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// Implements a compound trait whose parts are unnamed.
macro_rules! unnamed_parts {
    ($($part:ident::$method:ident),* $(,)?) => {
        $(impl<S: $part> $part for Finite<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                let value = self.check(value);
                self.inner.$method(&value)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        })*
    };
}

unnamed_parts! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

/// Implements a compound trait whose parts have fixed names.
macro_rules! named_parts {
    ($($part:ident),* $(,)?) => {
        $(impl<S: $part> $part for Finite<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), S::Error> {
                let value = self.check(value);
                self.inner.serialize_field(name, &value)
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
                self.inner.skip_field(name)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        })*
    };
}

named_parts!(SerializeStruct, SerializeStructVariant);

impl<S: SerializeMap> SerializeMap for Finite<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        let key = self.check(key);
        self.inner.serialize_key(&key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        let value = self.check(value);
        self.inner.serialize_value(&value)
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), S::Error> {
        let (key, value) = (self.check(key), self.check(value));
        self.inner.serialize_entry(&key, &value)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}
