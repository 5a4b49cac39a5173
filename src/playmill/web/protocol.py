"""What browser and server say to each other. Whatever a browser sends is checked here before anybody looks at it."""

from __future__ import annotations

import json
import unicodedata
import zlib
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from playmill.texts import Lang, PlaymillError
from playmill.web.ledger import LONGEST_GRACE

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
    """The first word of a connection: the tokens it holds, the last version and note it has, and its language.

    A browser that holds several seats says with whose eyes it looks, if somebody has lifted the curtain; one that wants
    the position in words says so, and so does one that can unpack what was compressed.
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
    """The wish to take the last decision back."""

    kind: Literal["undo"]
    id: MoveId
    version: Count


class Sit(_Message):
    """Takes a free seat; whoever is ready needs nothing more for the game to begin.

    The token that is to hold it may be chosen by whoever sits down: then she can ask again, should the answer be lost.
    """

    kind: Literal["sit"]
    id: MoveId
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22,64}$")] | None = None
    seat: Place
    name: Name = ""
    ready: bool = False


class Ready(_Message):
    """As far as this browser's people are concerned the game may begin; or not yet."""

    kind: Literal["ready"]
    id: MoveId
    ready: bool = True


class Lift(_Message):
    """Somebody says "it's me": from now on a browser that holds several seats sees with the eyes of this one."""

    kind: Literal["lift"]
    id: MoveId
    seat: Place


class Leave(_Message):
    """Gives a seat of one's own up."""

    kind: Literal["leave"]
    id: MoveId
    seat: Place | None = None


class Rename(_Message):
    """Another name for oneself."""

    kind: Literal["name"]
    id: MoveId
    name: Name
    seat: Place | None = None


class Grace(_Message):
    """The owner of a table says how many seconds somebody may be away before an agent stands in; 0 is for ever."""

    kind: Literal["grace"]
    id: MoveId
    seconds: Annotated[int, Field(ge=0, le=LONGEST_GRACE)]


class Appoint(_Message):
    """An agent is seated where nobody sits, or stands in for somebody; without a name, it leaves."""

    kind: Literal["appoint"]
    id: MoveId
    seat: Place
    agent: Annotated[str, Field(max_length=200)]


class Remove(_Message):
    """The owner of a table removes it for good."""

    kind: Literal["remove"]
    id: MoveId


class Hint(_Message):
    """The wish for a hint about the decision of a version."""

    kind: Literal["hint"]
    id: MoveId
    version: Count


class Look(_Message):
    """Asks how the table looked just after a moment."""

    kind: Literal["look"]
    id: MoveId
    version: Count


class Words(_Message):
    """Whether somebody wants the position in words, too."""

    kind: Literal["words"]
    id: MoveId
    wanted: bool


class Ping(_Message):
    """Is anybody there?"""

    kind: Literal["ping"]


Message = (
    Hello | Move | Undo | Sit | Ready | Lift | Leave | Rename | Grace | Appoint | Remove | Hint | Look | Words | Ping
)
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


def packed(text: str) -> bytes:
    """A long message as compressed bytes, once for all who get it: a line of its own would do that for each."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush()


def said(kind: str, **rest: object) -> str:
    """A message to a browser."""
    return json.dumps({"kind": kind, **rest}, ensure_ascii=False)
