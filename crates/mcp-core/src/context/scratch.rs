//! State of one call, by type.

use std::{
    any::{Any, TypeId},
    fmt,
    sync::{Mutex, PoisonError},
};

/// One value per type, empty at each call.
#[derive(Default)]
pub(crate) struct Scratch {
    values: Mutex<Vec<(TypeId, Box<dyn Any + Send + Sync>)>>,
}

impl Scratch {
    /// A copy of the value of type `T`.
    pub(crate) fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, value) = values.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        value.downcast_ref::<T>().cloned()
    }

    /// Puts the value of type `T`, in place of an earlier one, which is given back.
    pub(crate) fn put<T: Send + Sync + 'static>(&self, value: T) -> Option<T> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let boxed: Box<dyn Any + Send + Sync> = Box::new(value);
        let old = match values.iter_mut().find(|(id, _)| *id == TypeId::of::<T>()) {
            Some((_, slot)) => std::mem::replace(slot, boxed),
            None => {
                values.push((TypeId::of::<T>(), boxed));
                return None;
            }
        };
        old.downcast::<T>().ok().map(|old| *old)
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scratch").finish_non_exhaustive()
    }
}
