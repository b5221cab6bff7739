# A simple expander of rules with several readings of the RFC: see .ci/compare-recurrence.
#
# It tries every day (RFC 5545 §3.3.10). Each reading in READINGS is that of another program. A difference
# from a program is explained if the model with some of its readings has the same result.

import calendar
import datetime

ONE_DAY = datetime.timedelta(days=1)
# The maximum number of tried days and times.
MOST_STEPS = 30_000
# The maximum number of skipped hours, minutes or seconds.
MOST_MOVES = 1_500_000
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
READINGS = {
    "every-month": "YEARLY;BYMONTHDAY without BYMONTH means every month, not that of the start; the RFC's "
    "\"appropriate month would have been retrieved from DTSTART\" is for the start",
    "whole-week": "BYWEEKNO without BYDAY means all seven days, not the weekday of the start; the RFC is for "
    "the start: what a rule does not say comes from DTSTART",
    "calendar-years": "the sets and intervals of BYWEEKNO are those of calendar years, not of years of weeks; "
    "the RFC does not say, and numbers weeks over the end of a year",
    "both": "BYDAY=1FR,TH is what is both the first Friday and a Thursday, not what is either; the RFC is for "
    "either: a list of days",
    "first-week": "the first week of WEEKLY;BYSETPOS begins with the start; the RFC is for whole weeks: "
    "the set is that of the interval",
    "no-week-limit": "BYWEEKNO does not limit what BYYEARDAY or BYMONTHDAY choose; the RFC is for the limit",
    "no-day-limit": "BYYEARDAY is not limited by BYMONTH, BYMONTHDAY or BYWEEKNO; the RFC is for the limit",
    "edge-weeks": "days of a week that belongs to another year count only if BYWEEKNO says 1 or -1, or the number "
    "from the start; the RFC is for all of the week, however its number is written",
    "long-positions": "BYSETPOS means nothing in WEEKLY and shorter frequencies; the RFC is for BYSETPOS in all, "
    "by its table",
    "day-positions": "BYSETPOS counts days and takes all times of each; the RFC is for times: \"the nth occurrence "
    "within the set\"",
    "year-end": "the last three days of December are in no week of BYWEEKNO; the RFC has them in week 52, 53 or 1",
    "no-days-from-end": "negative days of BYMONTHDAY do not limit DAILY and shorter frequencies; the RFC is for "
    "the limit",
    "no-year-days-from-end": "negative days of BYYEARDAY do not count in DAILY and shorter frequencies; the RFC is for "
    "counting them",
    "sunday-weeks": "weeks begin on Sunday, whatever WKST; the RFC is for WKST, which is Monday without it",
    "start-cut": "BYSETPOS counts in the first period from the start on; the RFC is for the whole period",
}


class Model:
    def __init__(self, rule, start, last, readings=()):
        """The last day is that up to which instances are looked for; it may come out earlier."""
        self.last = last
        self.steps = 0
        self.parts = dict(part.split("=") for part in rule.split(";"))
        self.start = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")
        self.readings = set(readings)
        self.freq = self.parts["FREQ"]
        self.interval = int(self.parts.get("INTERVAL", "1"))
        self.wkst = WEEKDAYS.index(self.parts.get("WKST", "MO"))
        self.months = self.numbers("BYMONTH")
        self.month_days = self.numbers("BYMONTHDAY")
        self.year_days = self.numbers("BYYEARDAY")
        self.weeks = self.numbers("BYWEEKNO")
        self.positions = self.numbers("BYSETPOS")
        days = [d for d in self.parts.get("BYDAY", "").split(",") if d]
        self.plain = {WEEKDAYS.index(d) for d in days if len(d) == 2}
        self.numbered = {(WEEKDAYS.index(d[-2:]), int(d[:-2])) for d in days if len(d) > 2}
        if "long-positions" in readings and self.freq not in ("YEARLY", "MONTHLY"):
            self.positions = []
        if "sunday-weeks" in readings and self.freq == "WEEKLY":
            self.wkst = 6
        if "no-days-from-end" in readings and self.freq in ("DAILY", "HOURLY", "MINUTELY", "SECONDLY"):
            self.month_days = [day for day in self.month_days if day > 0] or self.month_days and [99]
        if "no-year-days-from-end" in readings and self.freq in ("DAILY", "HOURLY", "MINUTELY", "SECONDLY"):
            self.year_days = [day for day in self.year_days if day > 0] or self.year_days and [999]
        self.add_defaults()

    def numbers(self, name):
        return [int(n) for n in self.parts[name].split(",")] if name in self.parts else []

    def add_defaults(self):
        date = self.start.date()
        has_days = bool(self.plain or self.numbered)
        if self.freq == "WEEKLY" and not has_days:
            self.plain = {date.weekday()}
        if self.freq == "MONTHLY" and not has_days and not self.month_days:
            self.month_days = [date.day]
        if self.freq == "YEARLY" and not self.year_days:
            if not self.months and not self.weeks and (self.month_days or not has_days):
                if not (self.month_days and "every-month" in self.readings):
                    self.months = [date.month]
            if not self.month_days and not has_days:
                if not self.weeks:
                    self.month_days = [date.day]
                elif "whole-week" not in self.readings:
                    self.plain = {date.weekday()}

    # Days.

    def week(self, date):
        """The year that a week belongs to, its number, and how many weeks that year has."""
        def middle(day):
            return day - datetime.timedelta((day.weekday() - self.wkst) % 7) + 3 * ONE_DAY
        def first(year):
            return middle(datetime.date(year, 1, 4))
        day = middle(date)
        count = (first(day.year + 1) - first(day.year)).days // 7
        return day.year, (day - first(day.year)).days // 7 + 1, count

    def matches(self, date):
        length = 366 if calendar.isleap(date.year) else 365
        day_of_year = date.timetuple().tm_yday
        month_length = calendar.monthrange(date.year, date.month)[1]
        by_year_day = not self.year_days or any(
            day_of_year in (n, length + 1 + n) for n in self.year_days)
        is_free = self.year_days and "no-day-limit" in self.readings
        if self.months and not is_free and date.month not in self.months:
            return False
        if self.weeks and not is_free:
            is_limit = self.month_days or self.year_days
            if not (is_limit and "no-week-limit" in self.readings):
                year, number, count = self.week(date)
                if "year-end" in self.readings and (date.month, date.day) > (12, 28):
                    return False
                if year != date.year and "edge-weeks" in self.readings:
                    named = {1} if year > date.year else {number, -1}
                    if not named & set(self.weeks):
                        return False
                elif number not in self.weeks and number - count - 1 not in self.weeks:
                    return False
        if not by_year_day:
            return False
        if self.month_days and not is_free and not any(
                date.day in (n, month_length + 1 + n) for n in self.month_days):
            return False
        if not self.plain and not self.numbered:
            return True
        in_month = self.freq == "MONTHLY" or "BYMONTH" in self.parts
        place, whole = (date.day, month_length) if in_month else (day_of_year, length)
        is_plain = date.weekday() in self.plain
        is_numbered = any(
            date.weekday() == weekday and n in ((place - 1) // 7 + 1, -((whole - place) // 7 + 1))
            for weekday, n in self.numbered)
        if self.plain and self.numbered and "both" in self.readings:
            return is_plain and is_numbered
        return is_plain or is_numbered

    def period(self, date):
        if self.freq == "YEARLY":
            if self.weeks and "calendar-years" not in self.readings:
                return self.week(date)[0]
            return date.year
        if self.freq == "MONTHLY":
            return date.year * 12 + date.month
        return (date.toordinal() - 1 - self.wkst) // 7

    # Times.

    def times(self, hours=None, minutes=None, seconds=None):
        def choose(name, otherwise):
            return sorted(set(self.numbers(name))) or otherwise
        start = self.start
        hours = hours or choose("BYHOUR", [start.hour])
        minutes = minutes or choose("BYMINUTE", [start.minute])
        seconds = seconds or [s for s in choose("BYSECOND", [start.second]) if s < 60]
        return [datetime.time(h, m, s) for h in hours for m in minutes for s in seconds]

    def pick(self, times):
        if not self.positions:
            return [time for day in times for time in day] if times and isinstance(times[0], list) else times
        places = {p - 1 if p > 0 else len(times) + p for p in self.positions}
        chosen = [time for place, time in enumerate(times) if place in places]
        return [time for day in chosen for time in day] if chosen and isinstance(chosen[0], list) else chosen

    def sets(self):
        """The instances, a period or a part of a day at a time."""
        if self.freq in ("YEARLY", "MONTHLY", "WEEKLY"):
            yield from self.long_periods()
        elif self.freq == "DAILY":
            times = self.pick(self.times())
            for date in self.days(self.start.date()):
                if (date - self.start.date()).days % self.interval == 0 and self.matches(date):
                    yield [datetime.datetime.combine(date, time) for time in times]
        else:
            yield from self.short_periods()

    def days(self, date):
        while date < self.last:
            self.steps += 1
            if self.steps > MOST_STEPS:
                self.last = date
                return
            yield date
            date += ONE_DAY

    def long_periods(self):
        date = self.start.date()
        first = self.period(date)
        begin = date
        if not (self.freq == "WEEKLY" and "first-week" in self.readings):
            begin = max(date - datetime.timedelta(380), datetime.date(1, 1, 8))
        number, found, times = None, [], self.times()
        for date in self.days(begin):
            period = self.period(date)
            if period != number:
                yield self.pick(found)
                number, found = period, []
            if period >= first and (period - first) % self.interval == 0 and self.matches(date):
                moments = [datetime.datetime.combine(date, time) for time in times]
                if "day-positions" in self.readings:
                    moments = [moments]
                elif "start-cut" in self.readings:
                    moments = [moment for moment in moments if moment >= self.start]
                found += moments
        yield self.pick(found)

    def short_periods(self):
        unit = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}[self.freq]
        step = unit * self.interval
        start = self.start.toordinal() * 86400
        start += (self.start.hour * 3600 + self.start.minute * 60 + self.start.second) // unit * unit
        hours, minutes, seconds = (set(self.numbers(n)) for n in ("BYHOUR", "BYMINUTE", "BYSECOND"))
        for date in self.days(self.start.date()):
            if not self.matches(date):
                continue
            for hour in sorted(hours) or range(24):
                begin = date.toordinal() * 86400 + hour * 3600
                first = max(start, begin + (start - begin) % step) - begin
                for second in range(first, 3600, step):
                    minute = second // 60
                    self.steps += 1
                    if unit < 3600 and minutes and minute not in minutes:
                        continue
                    if unit == 1 and seconds and second % 60 not in seconds:
                        continue
                    times = self.times(
                        [hour], [minute] if unit < 3600 else None, [second % 60] if unit == 1 else None)
                    yield [datetime.datetime.combine(date, time) for time in self.pick(times)]

    def allows(self, text):
        """Whether all parts that choose let a time through, whatever the interval, positions and ends are."""
        moment = datetime.datetime.strptime(text, "%Y%m%dT%H%M%S")
        return moment >= self.start and self.matches(moment.date()) and all(
            number in (self.numbers(part) or [otherwise])
            for part, number, otherwise in (
                ("BYHOUR", moment.hour, moment.hour),
                ("BYMINUTE", moment.minute, moment.minute if self.freq != "HOURLY" else self.start.minute),
                ("BYSECOND", moment.second, moment.second if self.freq == "SECONDLY" else self.start.second)))

    def stepped(self, limit):
        """The first instances of HOURLY and shorter, if they are found as libical finds them.

        It sets the units but its own to the first values of their parts and goes on from there.
        Where the frequency has a part of its own, it goes through its values, the second one first, and then on to
        the next longer unit by one; elsewhere it adds the interval. What is before the start, or what a part does
        not let through, is passed over.
        """
        own = {"HOURLY": "BYHOUR", "MINUTELY": "BYMINUTE", "SECONDLY": "BYSECOND"}[self.freq]
        longer = {"BYHOUR": ONE_DAY, "BYMINUTE": ONE_DAY / 24, "BYSECOND": ONE_DAY / 1440}[own]
        fields = {"BYHOUR": "hour", "BYMINUTE": "minute", "BYSECOND": "second"}
        lists = {name: sorted(n for n in set(self.numbers(name)) if n < 60) for name in fields}
        values = {fields[name]: numbers[0] for name, numbers in lists.items() if name != own and numbers}
        moment = self.start.replace(**values)
        names = list(fields)
        inner = names[names.index(own) + 1:]
        outer = [name for name in names[:names.index(own) + 1] if lists[name]]
        until = self.parts.get("UNTIL")
        last = datetime.datetime.strptime(until, "%Y%m%dT%H%M%S") if until else datetime.datetime.max
        count = min(limit, int(self.parts.get("COUNT", limit)))
        found, index, days = [], 0, {}
        for _ in range(MOST_MOVES):
            date = moment.date()
            if date not in days:
                days[date] = self.matches(date)
            if days[date] and all(getattr(moment, fields[name]) in lists[name] for name in outer):
                moments = [moment]
                for name in inner:
                    moments = [m.replace(**{fields[name]: n}) for m in moments for n in lists[name]] or moments
                found += [m for m in moments if self.start <= m <= last]
            if moment > last or len(found) >= count:
                break
            if lists[own]:
                index = (index + 1) % len(lists[own])
                moment = (moment + (ONE_DAY * 0 if index else longer)).replace(**{fields[own]: lists[own][index]})
            else:
                moment += {"hour": ONE_DAY / 24, "minute": ONE_DAY / 1440, "second": ONE_DAY / 86400}[
                    fields[own]] * self.interval
        return [moment.strftime("%Y%m%dT%H%M%S") for moment in found[:count]]

    def instances(self, limit):
        """The first instances, as they are written."""
        count = int(self.parts.get("COUNT", limit))
        until = self.parts.get("UNTIL")
        last = datetime.datetime.strptime(until, "%Y%m%dT%H%M%S") if until else datetime.datetime.max
        found = []
        for moments in self.sets():
            for moment in moments:
                if moment < self.start:
                    continue
                if moment > last or len(found) == min(limit, count):
                    return [moment.strftime("%Y%m%dT%H%M%S") for moment in found]
                found.append(moment)
        return [moment.strftime("%Y%m%dT%H%M%S") for moment in found]
