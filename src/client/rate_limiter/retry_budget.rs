//! Limits retries. Each retry spends a part of the budget. A call that succeeds refunds its retries and a little more, so that
//! the budget stops retries only when hardly any request succeeds.

/// Size of the budget.
const BUDGET: u32 = 500;

/// Cost of a retry.
const RETRY_COST: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct RetryBudget {
    spent: u32,
}

impl RetryBudget {
    /// Takes a retry from the budget. Returns false if the budget is exhausted.
    pub(super) fn take_retry(&mut self) -> bool {
        let spent = self.spent + RETRY_COST;
        let is_left = spent <= BUDGET;
        if is_left {
            self.spent = spent;
        }
        is_left
    }

    /// Refunds the retries of a call that succeeded, and a little more.
    pub(super) fn refund(&mut self, retries: u32) {
        self.spent = self.spent.saturating_sub(retries * RETRY_COST + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_succeed_refund_their_retries_and_a_fifth_of_another() {
        let mut budget = RetryBudget::default();
        assert_eq!((0..200).filter(|_| budget.take_retry()).count(), 100);
        budget.refund(3);
        assert_eq!((0..200).filter(|_| budget.take_retry()).count(), 3);
        (0..5).for_each(|_| budget.refund(0));
        assert_eq!((0..200).filter(|_| budget.take_retry()).count(), 1);
    }
}
