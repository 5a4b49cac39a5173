"""WebSocket messages between browser and server; everything a browser sends is validated here."""

from __future__ import annotations

import json
import unicodedata
import zlib
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from playmill.texts import Lang, PlaymillError
from playmill.web.table.store import LONGEST_GRACE

#: The most characters of a message, and of a name.
LONGEST_MESSAGE, LONGEST_NAME = 2000, 24
#: Random bytes in a token or in the id of a table: 144 bits.
TOKEN_BYTES = 18


def clean_name(name: str) -> str:
    """A name as one line of visible characters; letters of any script may be in it."""
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
    """The first message of a connection: its tokens, the last version and note it has, and its language.

    A browser that holds several seats names the one it shows, if a player has confirmed it; `words` asks for the
    position in words, `packed` for compressed messages.
    """

    kind: Literal["hello"]
    tokens: Annotated[list[Token], Field(max_length=8)] = []
    have: Count = -1
    noted: Count = 0
    lang: Lang = "en"
    seat: Place | None = None
    words: bool = False
    packed: bool = False


class Move(_Message):
    """A decision: under an id of its own, for the version that it was made at."""

    kind: Literal["move"]
    id: MoveId
    version: Count
    action: Annotated[int, Field(ge=0, le=2**31)]


class Undo(_Message):
    """Takes the last decision back."""

    kind: Literal["undo"]
    id: MoveId
    version: Count


class Sit(_Message):
    """Takes a free seat; whoever is ready needs nothing more for the game to begin.

    The browser may choose the token that is to hold it: then it can ask again, should the answer be lost.
    """

    kind: Literal["sit"]
    id: MoveId
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22,64}$")] | None = None
    seat: Place
    name: Name = ""
    ready: bool = False


class Ready(_Message):
    """The people at this browser agree that the game begins, or no longer do."""

    kind: Literal["ready"]
    id: MoveId
    ready: bool = True


class Lift(_Message):
    """A player confirms to be at the screen: a browser that holds several seats shows this one from now on."""

    kind: Literal["lift"]
    id: MoveId
    seat: Place


class Leave(_Message):
    """Gives up a seat."""

    kind: Literal["leave"]
    id: MoveId
    seat: Place | None = None


class Rename(_Message):
    """Changes the name of a player."""

    kind: Literal["name"]
    id: MoveId
    name: Name
    seat: Place | None = None


class Grace(_Message):
    """The owner sets how many seconds a player may be away before an agent stands in; 0 is for ever."""

    kind: Literal["grace"]
    id: MoveId
    seconds: Annotated[int, Field(ge=0, le=LONGEST_GRACE)]


class Appoint(_Message):
    """Seats an agent where nobody sits, or in place of a player; with an empty name, removes it."""

    kind: Literal["appoint"]
    id: MoveId
    seat: Place
    agent: Annotated[str, Field(max_length=200)]


class Remove(_Message):
    """The owner removes the table for good."""

    kind: Literal["remove"]
    id: MoveId


class Hint(_Message):
    """Asks for a hint about the decision of a version."""

    kind: Literal["hint"]
    id: MoveId
    version: Count


class Look(_Message):
    """Asks for the table just after a moment."""

    kind: Literal["look"]
    id: MoveId
    version: Count


class Words(_Message):
    """Switches the position in words on or off."""

    kind: Literal["words"]
    id: MoveId
    wanted: bool


class Ping(_Message):
    """Keeps the connection alive."""

    kind: Literal["ping"]


Message = (
    Hello | Move | Undo | Sit | Ready | Lift | Leave | Rename | Grace | Appoint | Remove | Hint | Look | Words | Ping
)
_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])


def read(text: str) -> Message:
    """Parses and validates a message; raises one sentence if it is invalid."""
    if len(text) > LONGEST_MESSAGE:
        raise PlaymillError("the message is too long", "сообщение слишком длинное")
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        mistake = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, mistake["loc"])) or "message"
        raise PlaymillError(f"{where}: {mistake['msg']}", f"{where}: {mistake['msg']}") from None


def compressed(text: str) -> bytes:
    """Compresses a message once for all who get it; a compressed connection would do that for each."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush()


def message_text(kind: str, **rest: object) -> str:
    """The JSON text of a message to a browser."""
    return json.dumps({"kind": kind, **rest}, ensure_ascii=False)
