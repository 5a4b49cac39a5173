"""The GPU: backend, batch, arrays, and changes to the GPU compiler."""
