//! A platform without CORS, such as a server.

use super::TestRuntime;

impl TestRuntime {
    /// Applies no CORS from now on.
    pub fn become_server(&self) {
        self.0.is_server.set(true);
    }
}
