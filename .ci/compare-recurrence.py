# Compares instances of rules with those of python-dateutil: see .ci/compare-recurrence.
#
# A line of the file is a rule, its start and its first 20 instances, with tabs between them. Each
# difference is counted under the reason that explains it; those without a reason are shown.

import collections
import datetime
import signal
import sys

from dateutil import rrule

LIMIT = 20
SECONDS = 0.5


class TooSlow(Exception):
    pass


def alarm(*_):
    raise TooSlow


signal.signal(signal.SIGVTALRM, alarm)


def parts(rule):
    return dict(part.split("=") for part in rule.split(";"))


def ask_dateutil(rule, start, found):
    begin = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
    for instance in rrule.rrulestr(rule, dtstart=begin):
        found.append(instance.strftime("%Y%m%dT%H%M%S"))
        if len(found) == LIMIT:
            break


def has_numbers(value):
    return any(day[0] in "-123456789" for day in value.split(","))


def dateutil_reason(rule, start):
    p = parts(rule)
    yearly = p["FREQ"] == "YEARLY"
    days = p.get("BYDAY", "").split(",")
    if yearly and "BYMONTHDAY" in p and "BYMONTH" not in p and "BYYEARDAY" not in p:
        return "YEARLY;BYMONTHDAY without BYMONTH: dateutil takes every month, not that of the start"
    if yearly and "BYWEEKNO" in p and "BYDAY" not in p:
        return "BYWEEKNO without BYDAY: dateutil takes all seven days, not the weekday of the start"
    if yearly and "BYWEEKNO" in p and ("INTERVAL" in p or "BYSETPOS" in p):
        return "BYWEEKNO with INTERVAL or BYSETPOS: dateutil counts calendar years, not those of weeks"
    if any(d[0] in "-123456789" for d in days if d) and any(d[0].isalpha() for d in days if d):
        return "BYDAY=1FR,TH: dateutil takes what is both, not what is either"
    if yearly and "BYDAY" in p and has_numbers(p["BYDAY"]) and "BYMONTH" in p:
        if "BYYEARDAY" in p or "BYMONTHDAY" in p:
            return "numbers of BYDAY beside other days: dateutil counts them elsewhere"
    if p["FREQ"] == "WEEKLY" and "BYSETPOS" in p:
        return "WEEKLY;BYSETPOS: the first week of dateutil begins at the start"
    if "60" in p.get("BYSECOND", "").split(","):
        return "BYSECOND=60: dateutil refuses it"
    if "BYSETPOS" in p and p["FREQ"] in ("DAILY", "HOURLY", "MINUTELY", "SECONDLY"):
        return "BYSETPOS in days and less: dateutil leaves out a set that is limited away elsewhere"
    return None


def compare(name, ask, reason, lines):
    same, reasons, unknown = 0, collections.Counter(), []
    for rule, start, expected in lines:
        found = []
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            ask(rule, start, found)
        except TooSlow:
            if found == expected[:len(found)]:
                reasons[f"{name} was stopped after {SECONDS} s; until then it found the same"] += 1
                continue
        except (ValueError, IndexError) as error:
            found = [f"{type(error).__name__}: {error}"]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if found and "generates an empty set" in found[0]:
            found = []  # dateutil says it with an error
        if found == expected:
            same += 1
        elif found and found[0].startswith("IndexError"):
            reasons[f"{name} fails with an IndexError"] += 1
        elif why := reason(rule, start):
            reasons[why] += 1
        else:
            unknown.append((rule, start, expected[:4], found[:4]))
    print(f"{name}: {same} of {len(lines)} rules have the same instances")
    for why, count in reasons.most_common():
        print(f"  {count:5} {why}")
    for rule, start, expected, found in unknown[:20]:
        print(f"  no reason: {rule} from {start}\n    here  {expected}\n    there {found}")
    return not unknown


def main(path):
    lines = []
    for line in open(path, encoding="ascii"):
        rule, start, instances = line.rstrip("\n").split("\t")
        lines.append((rule, start, instances.split()))
    is_explained = compare("dateutil", ask_dateutil, dateutil_reason, lines)
    sys.exit(0 if is_explained else 1)


main(sys.argv[1])
