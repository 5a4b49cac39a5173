"""Six tiny games whose answers are known, chosen by one number of the rules, so that all share their kernels."""
