//! Loans: who has which book, and for how long.

use super::Library;
use crate::problem::Problem;
use schemars::JsonSchema;
use serde::Serialize;

/// The longest that a book is lent for.
const MOST_DAYS: u8 = 28;

/// A book that someone has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Loan {
    /// The number of the book
    pub(crate) book: u32,
    pub(crate) title: String,
    /// In how many days it has to be back
    pub(crate) days: u8,
}

impl Library {
    /// Lends a book.
    pub(crate) fn lend(&self, member: &str, book: u32, days: u8) -> Result<Loan, Problem> {
        if !(1..=MOST_DAYS).contains(&days) {
            return Err(Problem::Days);
        }
        let mut inventory = self.lock();
        let title = inventory.books.get(&book).ok_or(Problem::NoBook(book))?.title.clone();
        if let Some((_, loan)) = inventory.loans.get(&book) {
            return Err(Problem::Lent(book, loan.days));
        }
        let loan = Loan { book, title, days };
        inventory.loans.insert(book, (member.into(), loan.clone()));
        Ok(loan)
    }

    /// What someone has.
    pub(crate) fn loans_of(&self, member: &str) -> Vec<Loan> {
        let inventory = self.lock();
        let own = inventory.loans.values().filter(|(holder, _)| **holder == *member);
        own.map(|(_, loan)| loan.clone()).collect()
    }

    /// Takes a book back from whoever has it.
    pub(crate) fn take_back(&self, member: &str, book: u32) -> Result<(), Problem> {
        let mut inventory = self.lock();
        match inventory.loans.get(&book) {
            Some((holder, _)) if **holder == *member => {
                inventory.loans.remove(&book);
                Ok(())
            }
            _ => Err(Problem::NotYours(book)),
        }
    }
}
