"""HTTP responses of the laboratory: reports in a frame with their security policy, and downloads."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

from playmill.report.html.page import POLICY, sentence_page
from playmill.texts import Lang, Text
from playmill.web.lab.phrases import LAB

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
_SCRIPT = '<script type="module" src="/static/report.js" data-csv="{}"></script>\n</body>'


def report_answer(page: str, lang: Lang) -> HTMLResponse:
    """A report as `--html` writes it, whose tables can be sorted and taken away here."""
    script = _SCRIPT.format(escape(LAB["take_table"].of(lang)))
    text = page.replace(POLICY, "", 1).replace("</body>", script, 1)
    return HTMLResponse(text, headers={"Content-Security-Policy": REPORT_POLICY})


def trouble_answer(trouble: Text, lang: Lang) -> HTMLResponse:
    """Why there is no report, where it would stand."""
    page = sentence_page(trouble.of(lang), lang).replace(POLICY, "", 1)
    return HTMLResponse(page, headers={"Content-Security-Policy": REPORT_POLICY})


def download(text: str, name: str) -> Response:
    """A file of JSON to be taken away."""
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"},
    )
