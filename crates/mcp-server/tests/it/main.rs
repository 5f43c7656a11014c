//! The facade, the examples and the binary as their users meet them.

#[cfg(test)]
mod binary;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod first_light;
#[cfg(test)]
mod post;
#[cfg(test)]
mod program;
#[cfg(test)]
mod readme;
