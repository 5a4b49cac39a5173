"""Who may connect and do what: owner key, security middleware, connection limits."""
