//! The tests of the stores, in one program.

#[cfg(test)]
mod broken;
#[cfg(test)]
mod memory;
