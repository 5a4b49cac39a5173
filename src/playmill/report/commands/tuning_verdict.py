"""The result of `tune` in sentences: what is better, what is not reached, and how much was tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.report.commands.tuning_data import ShownGoal, TuningReport
from playmill.report.model.among import among_names
from playmill.report.model.tables import Estimate
from playmill.report.number_format import decimal, estimate_digits, estimate_parts, percentage
from playmill.report.terminal.report_printer import setting_text
from playmill.texts import LANGUAGES, Lang, Text

PLAIN = Text("the rules as they are", "правила как есть")


def start_name(found: TuningReport, rules: Text, agents: Text) -> Text:
    """Returns how a sentence calls what the search began with: the rules, or agents as they are."""
    return agents if found.of_agents else rules


def changes_text(setting: Mapping[str, Any], lang: Lang) -> str:
    """Returns a setting in words."""
    return ", ".join(f"{path} = {setting_text(value)}" for path, value in setting.items()) or PLAIN.of(lang)


def both_texts(setting: Mapping[str, Any], plain: Text) -> Text:
    return Text(*(changes_text(setting, lang) for lang in LANGUAGES)) if setting else plain


def _value_text(value: Estimate, *, percent: bool) -> Text:
    digits = estimate_digits(value, percent=percent)
    return Text(*(" ".join(estimate_parts(value, digits, percent=percent, lang=lang)) for lang in LANGUAGES))


def verdict(found: TuningReport, lang: Lang) -> list[str]:
    """Returns the result in a few sentences."""
    if found.front:
        return [_front_text(found, lang)]
    if not found.better:
        return [missed_goals(found, lang) + _nothing(found, lang)]
    best = {one.path: one.best for one in found.numbers}
    than = start_name(
        found, Text("Better than the rules", "Лучше правил"), Text("Better than now", "Лучше, чем сейчас")
    )
    first = Text(f"{than.en}: {changes_text(best, lang)}.", f"{than.ru}: {changes_text(best, lang)}.")
    lines = [Text(*(f"{missed_goals(found, lang)}{first.of(lang)}{_bounds(found, lang)}",) * 2)]
    for goal in found.goals:
        if goal.best is not None:
            before, after = (_value_text(one, percent=goal.percent).of(lang) for one in (goal.rules, goal.best))
            message = Text("", "")
            if goal.search is not None:
                searched = _value_text(goal.search, percent=goal.percent)
                message = Text(f" (the search said {searched.en})", f" (поиск обещал {searched.ru})")
            lines.append(
                Text(
                    f"{goal.text.en}: the {goal.unit.en} was {before}, it is {after} on fresh games{message.en}.",
                    f"{goal.text.ru}: {goal.unit.ru} — было {before}, на новых партиях стало {after}{message.ru}.",
                )
            )
    return [text.of(lang) for text in lines] + [_smallest_text(found, lang)]


def missed_goals(found: TuningReport, lang: Lang) -> str:
    """Returns the goals that are not reached; empty if all are."""
    goals = "; ".join(_missed_text(goal, lang) for goal in found.goals if goal.reached is False)
    return Text(f"Not reached: {goals}. ", f"Не достигнуто: {goals}. ").of(lang) if goals else ""


def _missed_text(goal: ShownGoal, lang: Lang) -> str:
    """Returns a goal that is not reached, and among whom, if that is not among all."""
    missing = [one.who for one in goal.among if one.reached is False]
    if not missing or len(missing) == len(goal.among):
        return goal.text.of(lang)
    return f"{goal.text.of(lang)} ({Text('among', 'среди').of(lang)} {among_names(missing, lang)})"


def _bounds(found: TuningReport, lang: Lang) -> str:
    """Returns the numbers at the bound of their range; empty if there are none."""
    if not found.at_bound:
        return ""
    message = changes_text(found.at_bound, lang)
    return Text(f" At the bound of its range: {message}.", f" На границе своего диапазона: {message}.").of(lang)


def _smallest_text(found: TuningReport, lang: Lang) -> str:
    kept = {one.path: one.smallest for one in found.numbers if one.smallest != one.rules}
    share = percentage(found.nearly, 0, lang)
    if len(found.numbers) == 1 and found.nearly_shown is None:
        return Text(
            "It is one number, and less of it is not as good.", "Это одно число, и меньшего сдвига не хватит."
        ).of(lang)
    if found.nearly_shown is None:
        return Text(
            f"No smaller change surely keeps all but {share} of the gain.",
            f"Меньшего изменения, которое наверняка теряет не больше {share} выигрыша, не нашлось.",
        ).of(lang)
    changes = changes_text(kept, lang)
    if found.nearly_shown:
        return Text(
            f"The smallest change that is nearly as good: {changes}. It loses less than {share} of the gain.",
            f"Наименьшее изменение, которое почти не хуже: {changes}. Теряется меньше {share} выигрыша.",
        ).of(lang)
    return Text(
        f"The smallest change that seems nearly as good: {changes}; fresh games do not quite show that it loses less"
        f" than {share} of the gain.",
        f"Наименьшее изменение, которое, похоже, почти не хуже: {changes}; но новые партии не вполне подтверждают, что"
        f" теряется меньше {share} выигрыша.",
    ).of(lang)


def _nothing(found: TuningReport, lang: Lang) -> str:
    more = Text("", "")
    if len(found.trials) == 1 and found.complaint is not None:
        more = Text(
            f" The config allowed none of those proposed: {found.complaint.en}.",
            f" Ни одна из предложенных не допускается: {found.complaint.ru}.",
        )
    than = start_name(found, Text("the rules", "правил"), Text("now", "нынешнего"))
    sentence = Text(
        "Nothing better than {than} was found among {n} {n:setting|settings}, as far as fresh games tell.{more}",
        "Ничего лучше {than} не нашлось (перебрано настроек: {n}); так говорят новые партии.{more}",
    )
    return sentence.format(n=len(found.trials) - 1, than=than, more=more).of(lang)


def _front_text(found: TuningReport, lang: Lang) -> str:
    kept = [one for one in found.ran if not one.out]
    sentence = Text(
        "{n} {n:setting|settings} of which none is better than another in every goal; the table has them by the first.",
        "Настроек, из которых ни одна не лучше другой по всем целям сразу: {n}; в таблице — по первой цели.",
    )
    return sentence.format(n=len(kept)).of(lang)


def effort(found: TuningReport, lang: Lang) -> str:
    """Returns what was tried, in one sentence."""
    cut = sum(hopeless for _, hopeless in found.trials)
    start = start_name(found, Text("the rules", "правил"), Text("that of now", "нынешней"))
    sentence = Text(
        "{n} {n:setting was|settings were} tried beside {start}, {cut} of them cut short as hopeless",
        "Кроме {start} испытано настроек: {n}, из них безнадёжных, снятых досрочно: {cut}",
    )
    message = sentence.format(n=len(found.trials) - 1, start=start, cut=cut).of(lang)
    if found.refused:
        left = Text(
            "; {n} {n:was|were} left out, since the config does not allow {n:it|them}", "; пропущено недопустимых: {n}"
        )
        message += left.format(n=found.refused).of(lang)
    if found.whole:
        message += Text("; these are all there are", "; других нет").of(lang)
    return f"{message}."


def unused_answers(found: TuningReport, lang: Lang) -> str:
    """Returns warnings about unusable answers; empty if there were none."""
    if not found.unused:
        return ""
    return Text(
        f"{decimal(found.unused, 0, 'en')} answers of agents could not be used, and a legal action was taken instead.",
        f"Ответов агентов, которые нельзя было использовать: {decimal(found.unused, 0, 'ru')}; вместо них сделан"
        " допустимый ход.",
    ).of(lang)
