//! The facade as its users meet it.

#[cfg(test)]
mod first_light;
