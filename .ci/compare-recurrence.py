# Compares instances of rules with those of python-dateutil and libical: see .ci/compare-recurrence.
#
#   compare-recurrence.py RULES LIBICAL
#
# A line of RULES contains a rule, its start and its first 20 instances, separated by tabs. LIBICAL is the
# program built from Benchmarks/peers/libical_instances.c. A difference is explained by the other program's
# reading of the RFC, if an independent expander with this reading has the same result, or by an evident
# error in the result. Any other difference is printed, and the exit status is 1.

import collections
import datetime
import itertools
import os
import signal
import subprocess
import sys

from dateutil import rrule

from recurrence_model import READINGS, Model

LIMIT = 20
SECONDS = 0.2
# The number of days that the model expands; some rules have one instance in centuries.
MOST_DAYS = 20_000


class TooSlow(Exception):
    pass


def alarm(*_):
    raise TooSlow


signal.signal(signal.SIGVTALRM, alarm)


def ask_dateutil(rule, start):
    """The instances, and what went wrong."""
    begin = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
    found = []
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        for instance in rrule.rrulestr(rule, dtstart=begin):
            found.append(instance.strftime("%Y%m%dT%H%M%S"))
            if len(found) == LIMIT:
                break
    except TooSlow:
        return found, "stopped"
    except (ValueError, IndexError) as error:
        # dateutil raises an error for a rule without instances.
        return found, "" if "generates an empty set" in str(error) else f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return found, ""


def ask_libical(program, lines):
    text = "".join(f"{rule}\t{start}\n" for rule, start, _ in lines)
    output = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        if line.startswith("refused"):
            yield [], line
        else:
            words = line.split()
            trouble = words.pop() if words and not words[-1][0].isdigit() else ""
            yield words, trouble


def horizon(start, *lists):
    """The day up to which the model looks: some years after the last instance, and not too far away."""
    days = [datetime.datetime.strptime(text[:8], "%Y%m%d").date() for text in [start, *itertools.chain(*lists)]]
    return datetime.date.fromordinal(min(max(days).toordinal() + 1500, days[0].toordinal() + MOST_DAYS, 3_600_000))


def is_same(rule, start, last, readings, found):
    """Whether the model gives what was found, as far as it looks."""
    model = Model(rule, start, last, readings)
    instances = model.instances(LIMIT)
    end = model.last.strftime("%Y%m%d")
    return [text for text in instances if text < end] == [text for text in found if text < end]


def readings_that_explain(rule, start, expected, found, candidates):
    """The fewest readings with which the model gives what was found, or None."""
    last = horizon(start, expected, found)
    for count in (1, 2):
        for readings in itertools.combinations(candidates, count):
            if is_same(rule, start, last, readings, found):
                return readings
    return None


def parts(rule):
    return dict(part.split("=") for part in rule.split(";"))


def fault_of_dateutil(rule, start, expected, found, trouble):
    if trouble == "stopped" and found == expected[:len(found)]:
        return f"it was stopped after {SECONDS} s; until then it found the same"
    if trouble.startswith("ValueError") and "60" in parts(rule).get("BYSECOND", "").split(","):
        return "it refuses BYSECOND=60; the RFC allows it, for leap seconds"
    if trouble.startswith("IndexError"):
        return "it fails with an IndexError; the RFC has no rule that may not be expanded"
    return None


OWN_PART = (
    "the values of BYHOUR in HOURLY, BYMINUTE in MINUTELY and BYSECOND in SECONDLY are gone through one after the "
    "other, the second one first, and INTERVAL means nothing beside them (so its next_unit, \"ignore the frequency and "
    "use the byrule data\"); the RFC lets them limit the times that INTERVAL gives, all of them and from the start on")
FIRST_VALUES = (
    "the interval of HOURLY and shorter is counted from the first hour and minute that the parts name, to which its "
    "iterator sets the start; the RFC is for the start itself: periods follow each other from there")
# Additional readings for these frequencies.
SHORT_READINGS = ("long-positions", "no-days-from-end", "no-year-days-from-end")


def fault_of_libical(rule, start, expected, found, trouble):
    p = parts(rule)
    if trouble == "crashed":
        return "it crashes (BYWEEKNO that a year does not have, and others)"
    if trouble == "stopped" and found == expected[:len(found)]:
        return "it was stopped after 0.2 s; until then it found the same"
    if trouble.startswith("refused"):
        return f"it refuses the rule ({trouble[9:]}); the RFC allows it"
    if "BYSECOND" in p and "60" in p["BYSECOND"].split(",") and found != expected:
        return "it takes BYSECOND=60 for the next minute; the RFC has it for leap seconds only"
    return None


WEEK_START = (
    "the weeks of INTERVAL are counted from another week than that of the start, if WKST is not Monday; the RFC is for "
    "the week of the start")
NO_WEEKS = "BYWEEKNO without other days gives days outside of the weeks; the RFC is for days in the weeks"
LONG_YEARS = (
    "negative weeks of BYWEEKNO are left out in years after one of 53 weeks; the RFC counts them from the end of "
    "every year")
OLD_WEEKS = (
    "for days in January the weeks of the year before are miscounted, so that some of its last week are left out; "
    "the RFC has all days of the week")


def last_resort_of_libical(rule, start, expected, found, trouble):
    """What the times themselves show to be a fault of stepping."""
    p = parts(rule)
    own = {"HOURLY": "BYHOUR", "MINUTELY": "BYMINUTE", "SECONDLY": "BYSECOND"}.get(p["FREQ"])
    if own:
        stepped = Model(rule, start, datetime.date.max, SHORT_READINGS).stepped(LIMIT)
        # A stopped program printed only its first instances.
        is_same = (stepped[:len(found)] if trouble == "stopped" else stepped) == found
        return (OWN_PART if own in p else FIRST_VALUES) if is_same else None
    if not found:
        return None
    is_allowed = all(map(Model(rule, start, datetime.date.max).allows, found))
    if p["FREQ"] == "WEEKLY" and "INTERVAL" in p and "WKST" in p and is_allowed:
        return WEEK_START
    if "BYWEEKNO" in p and not p.keys() & {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} and not is_allowed:
        return NO_WEEKS
    if are_weeks_after_long_years(rule, start, expected, found):
        return LONG_YEARS
    return None


def missing_instances(rule, start, expected, found):
    """What is missing, and the model that says so; nothing if there is something too much as well."""
    endless = ";".join(part for part in rule.split(";") if not part.startswith("COUNT="))
    model = Model(endless, start, horizon(start, expected, found))
    instances = model.instances(400)
    end = min(model.last.strftime("%Y%m%d"), found[-1] if found else "9")
    found = {text for text in found if text <= end}
    return ({text for text in instances if text <= end} - found if found <= set(instances) else set()), model


def last_resort_of_dateutil(rule, start, expected, found, trouble):
    """Whether all that is missing lies in January, in a week of the year before."""
    if "BYWEEKNO" not in parts(rule):
        return None
    missing, _ = missing_instances(rule, start, expected, found)
    is_old = all(text[4:6] == "01" and int(text[6:8]) <= 3 for text in missing)
    return OLD_WEEKS if missing and is_old else None


def are_weeks_after_long_years(rule, start, expected, found):
    """Whether all that is missing lies in a year after one of 53 weeks."""
    if "-" not in parts(rule).get("BYWEEKNO", ""):
        return False
    missing, model = missing_instances(rule, start, expected, found)
    years = {int(text[:4]) for text in missing}
    return bool(years) and all(model.week(datetime.date(year - 1, 6, 1))[2] == 53 for year in years)


def compare(name, answers, fault, candidates, last_resort, lines):
    same, reasons, examples, unknown = 0, collections.Counter(), {}, []
    for (rule, start, expected), (found, trouble) in zip(lines, answers, strict=True):
        if found == expected and not trouble:
            same += 1
            continue
        why = fault(rule, start, expected, found, trouble)
        if why is None and not trouble:
            readings = readings_that_explain(rule, start, expected, found, candidates)
            why = readings and " — and ".join(READINGS[reading] for reading in readings)
        why = why or last_resort(rule, start, expected, found, trouble)
        if why:
            reasons[why] += 1
            examples.setdefault(why, f"{rule} from {start}")
        else:
            unknown.append((rule, start, expected, found, trouble))
    print(f"{name}: {same} of {len(lines)} rules have the same instances")
    for why, count in reasons.most_common():
        print(f"  {count:5} {why}\n        {examples[why]}")
    for rule, start, expected, found, trouble in unknown[:SHOWN]:
        print(f"  no reason: {rule} from {start}\n    here  {expected[:6]}\n    there {found[:6]} {trouble}")
    if unknown:
        print(f"  {len(unknown)} differences have no reason")
    return not unknown


SHOWN = 20


def check_model(lines):
    """The model itself has to agree with what is compared, or it explains nothing."""
    wrong = [
        (rule, start) for rule, start, expected in lines
        if not is_same(rule, start, horizon(start, expected), (), expected)]
    print(f"the expander of this script: {len(lines) - len(wrong)} of {len(lines)} rules have the same instances")
    for rule, start in wrong[:SHOWN]:
        print(f"  differs: {rule} from {start}")
    return not wrong


def main(path, program):
    lines = []
    for line in open(path, encoding="ascii"):
        rule, start, instances = line.rstrip("\n").split("\t")
        lines.append((rule, start, instances.split()))
    dateutil = ["every-month", "whole-week", "calendar-years", "both", "first-week", "edge-weeks"]
    libical = ["long-positions", "day-positions", "year-end", "sunday-weeks", "no-days-from-end", "no-year-days-from-end", "calendar-years", "whole-week", "every-month", "no-week-limit", "no-day-limit", "start-cut", "first-week"]
    answers = [ask_dateutil(rule, start) for rule, start, _ in lines]
    results = [check_model(lines), compare("dateutil", answers, fault_of_dateutil, dateutil, last_resort_of_dateutil, lines)]
    if os.path.exists(program):
        answers = list(ask_libical(program, lines))
        results.append(compare("libical", answers, fault_of_libical, libical, last_resort_of_libical, lines))
    sys.exit(0 if all(results) else 1)


main(*sys.argv[1:])
