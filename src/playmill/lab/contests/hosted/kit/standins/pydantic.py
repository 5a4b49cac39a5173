"""Config models without validation, for the referee of a starter kit: Playmill has validated the config beforehand."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, ClassVar

_MISSING: Any = object()


class FieldInfo:
    """A field's default."""

    def __init__(self, default: Any = _MISSING, *, default_factory: Callable[[], Any] | None = None, **_: Any) -> None:
        self.default, self.default_factory = default, default_factory

    def get_default(self, **_: Any) -> Any:
        """The default, a copy of its own."""
        return self.default_factory() if self.default_factory is not None else copy.deepcopy(self.default)


def Field(default: Any = _MISSING, **more: Any) -> Any:
    """A field of a model."""
    return FieldInfo(default, **more)


class BaseModel:
    """A record of fields: those that a class annotates."""

    model_fields: ClassVar[dict[str, FieldInfo]] = {}
    model_extra: ClassVar[None] = None

    def __init_subclass__(cls, **_: Any) -> None:
        own = {
            name: (found if isinstance(found := vars(cls).get(name, _MISSING), FieldInfo) else FieldInfo(found))
            for name, kind in vars(cls).get("__annotations__", {}).items()
            if not str(kind).startswith("ClassVar") and not name.startswith("_") and name != "model_config"
        }
        cls.model_fields = {**cls.model_fields, **own}

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __init__(self, **values: Any) -> None:
        made = {name: info.get_default() for name, info in self.model_fields.items() if name not in values}
        vars(self).update({**made, **values})

    @classmethod
    def model_construct(cls, _fields_set: Any = None, **values: Any) -> Any:
        """A model of these values."""
        return cls(**values)

    def model_copy(self, *, update: dict[str, Any] | None = None, deep: bool = False) -> Any:
        """A copy, with some values changed."""
        made = object.__new__(type(self))
        vars(made).update({**(copy.deepcopy(vars(self)) if deep else vars(self)), **(update or {})})
        return made

    def model_dump(self, **_: Any) -> dict[str, Any]:
        """Its fields by name."""
        return {name: _dumped(getattr(self, name)) for name in self.model_fields}

    def model_dump_json(self, **_: Any) -> str:
        """The same as JSON."""
        return json.dumps(self.model_dump(), ensure_ascii=False, default=str)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self).__name__, len(vars(self))))


def _dumped(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, (list, tuple)):
        return [_dumped(one) for one in value]
    return {key: _dumped(one) for key, one in value.items()} if isinstance(value, dict) else value


class Nothing:
    """Stands for whatever only validation uses: it can be called, subscribed, and put before a function."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __call__(self, *args: Any, **_: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class ValidationError(ValueError):
    """Never raised here."""


def TypeAliasType(name: str, value: Any, **_: Any) -> Any:
    """A name for a type."""
    return value


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing
