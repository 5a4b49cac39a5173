"""The fuzzer: what people, programs and bad luck could put in, and a judge of what comes out (see `tools/fuzz.py`)."""
