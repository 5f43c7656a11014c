//! The tests that cross crates, in one binary; each module is one subject.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod legacy_sse;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod rmcp_client;
#[cfg(test)]
mod sessions;
