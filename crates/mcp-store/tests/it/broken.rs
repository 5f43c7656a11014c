//! The contract catches stores that break it.
