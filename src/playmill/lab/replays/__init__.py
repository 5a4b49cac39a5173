"""Replays: recording, checking, narrating and drawing single games; win chances; the rulebook with pictures."""
