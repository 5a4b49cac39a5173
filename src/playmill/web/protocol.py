"""What browser and server say to each other. Whatever a browser sends is checked here before anybody looks at it."""

from __future__ import annotations

import json
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from playmill.texts import Lang, PlaymillError

#: The most characters of a message, and of a name.
LONGEST_MESSAGE, LONGEST_NAME = 2000, 24
#: Bytes of luck in a token or in the id of a table: 144 bits.
TOKEN_BYTES = 18


def clean_name(name: str) -> str:
    """A name as one line without what cannot be seen; letters of any writing may be in it."""
    kept = "".join(sign for sign in name if unicodedata.category(sign)[0] not in "CZ" or sign == " ")
    return " ".join(kept.split())[:LONGEST_NAME]


Token = Annotated[str, Field(min_length=20, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
MoveId = Annotated[str, Field(min_length=8, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(max_length=200), AfterValidator(clean_name)]
Count = Annotated[int, Field(ge=-1, le=2**31)]
Place = Annotated[int, Field(ge=0, le=99)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(_Message):
    """The first word of a connection: the tokens it holds, the last version it has, and its language."""

    kind: Literal["hello"]
    tokens: Annotated[list[Token], Field(max_length=8)] = []
    have: Count = -1
    lang: Lang = "en"


class Move(_Message):
    """A decision: under an id of its own, for the version that it was made at."""

    kind: Literal["move"]
    id: MoveId
    version: Count
    action: Annotated[int, Field(ge=0, le=2**31)]


class Undo(_Message):
    """The wish to take the last decision back."""

    kind: Literal["undo"]
    id: MoveId
    version: Count


class Sit(_Message):
    """Takes a free seat."""

    kind: Literal["sit"]
    id: MoveId
    seat: Place
    name: Name = ""


class Leave(_Message):
    """Gives one's seat up."""

    kind: Literal["leave"]
    id: MoveId


class Rename(_Message):
    """Another name for oneself."""

    kind: Literal["name"]
    id: MoveId
    name: Name


class Appoint(_Message):
    """The owner of a table seats an agent where nobody sits, or sends one away."""

    kind: Literal["appoint"]
    id: MoveId
    seat: Place
    agent: Annotated[str, Field(max_length=200)]


class Remove(_Message):
    """The owner of a table removes it for good."""

    kind: Literal["remove"]
    id: MoveId


class Ping(_Message):
    """Is anybody there?"""

    kind: Literal["ping"]


Message = Hello | Move | Undo | Sit | Leave | Rename | Appoint | Remove | Ping
_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])


def read(text: str) -> Message:
    """The message of a text; whatever is none is one sentence."""
    if len(text) > LONGEST_MESSAGE:
        raise PlaymillError("the message is too long", "сообщение слишком длинное")
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        mistake = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, mistake["loc"])) or "message"
        raise PlaymillError(f"{where}: {mistake['msg']}", f"{where}: {mistake['msg']}") from None


def said(kind: str, **rest: object) -> str:
    """A message to a browser."""
    return json.dumps({"kind": kind, **rest}, ensure_ascii=False)
