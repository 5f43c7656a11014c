//! The facade as its users meet it.

mod first_light;
