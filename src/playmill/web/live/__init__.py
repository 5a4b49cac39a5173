"""Tables that browsers are connected to: actors, seats, WebSockets."""
