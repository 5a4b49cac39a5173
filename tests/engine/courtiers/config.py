"""The numbers of Courtiers."""

from pydantic import Field

from playmill.author import RuleConfig


class Config(RuleConfig):
    """Rules of Courtiers."""

    tokens: int = Field(default=2, ge=1, le=5, description="tokens that win")
    rounds: int = Field(default=9, ge=1, le=20, description="rounds after which nobody has won")
