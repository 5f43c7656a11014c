//! How a check fails.

use mcp_core::ports::{StoreError, StoreLimit};
use std::fmt::Debug;

/// How many callers try an operation at once.
pub(super) const CALLERS: u8 = 16;

/// Unwraps an operation that must succeed.
#[track_caller]
#[expect(clippy::panic, reason = "a check of a test suite fails by panicking")]
pub(super) fn done<T>(result: Result<T, StoreError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("an operation that must succeed failed: {error:?}"),
    }
}

/// Checks that an operation ran into a limit.
#[track_caller]
pub(super) fn reached<T: Debug>(result: &Result<T, StoreError>, limit: StoreLimit) {
    let found = matches!(result, Err(StoreError::LimitReached { limit: found }) if *found == limit);
    assert!(found, "the limit of {limit} must be told, not {result:?}");
}

/// Checks that of several operations at once `some` succeeded, and all others ran into a limit.
#[track_caller]
pub(super) fn some_succeed<T: Debug>(results: Vec<Result<T, StoreError>>, some: usize, limit: StoreLimit) {
    let (succeeded, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!(succeeded.len(), some, "of many at once, as many succeed as the limit of {limit} allows");
    for result in failed {
        reached(&result, limit);
    }
}
