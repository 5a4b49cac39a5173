"""The documentation as a site: where its pages come from, and how it is built."""
