//! Catalogues put together from parts.

mod faults;
