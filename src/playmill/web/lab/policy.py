"""What reports may do on a page of this server."""

#: A report brings its own style; of scripts it has ours alone, and only pages of this server may show it.
REPORT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "frame-ancestors 'self'"
)
#: The page around it.
FRAME_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-src 'self'; frame-ancestors 'none'"
)
#: Put before the end of a report, with what its tables offer.
SCRIPT = '<script type="module" src="/static/report.js" data-csv="{}"></script>\n</body>'
