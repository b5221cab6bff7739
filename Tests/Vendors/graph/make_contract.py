# SPDX-License-Identifier: Apache-2.0
"""Derives contract.json from `msgraph-sdk`, which is generated from Graph's OpenAPI description.

usage: make_contract.py > contract.json  (needs msgraph-sdk, see VERSION)

Fields and their types come from `get_field_deserializers`, what may be sent from `serialize`,
values from the enumerations, comments from the attributes, and query options from the address
templates of the request builders. What the comments leave open is listed below with its source.
"""

import importlib
import importlib.metadata
import inspect
import json
import re
import sys

VERSION = "1.65.0"
ROOTS = [
    "event.Event",
    "calendar.Calendar",
    "calendar_group.CalendarGroup",
    "event_collection_response.EventCollectionResponse",
    "calendar_collection_response.CalendarCollectionResponse",
    "o_data_errors.o_data_error.ODataError",
]
# Types that no calendar request of the double carries; they are named, but have no fields here.
OPAQUE = {"attachment", "extension", "calendarPermission", "onlineMeetingInfo"}
BUILDERS = {
    "/me": "users.item.user_item_request_builder",
    "/me/calendar": "users.item.calendar.calendar_request_builder",
    "/me/calendar/events": "users.item.calendar.events.events_request_builder",
    "/me/calendar/events/delta": "users.item.calendar.events.delta.delta_request_builder",
    "/me/calendars": "users.item.calendars.calendars_request_builder",
    "/me/calendars/{calendar}": "users.item.calendars.item.calendar_item_request_builder",
    "/me/calendars/{calendar}/events": "users.item.calendars.item.events.events_request_builder",
    "/me/calendars/{calendar}/events/delta": "users.item.calendars.item.events.delta.delta_request_builder",
    "/me/calendars/{calendar}/events/{event}": "users.item.calendars.item.events.item.event_item_request_builder",
    "/me/calendars/{calendar}/events/{event}/instances": "users.item.calendars.item.events.item.instances.instances_request_builder",
    "/me/events": "users.item.events.events_request_builder",
    "/me/events/delta": "users.item.events.delta.delta_request_builder",
    "/me/events/{event}": "users.item.events.item.event_item_request_builder",
    "/me/events/{event}/instances": "users.item.events.item.instances.instances_request_builder",
}
SCALARS = {
    "get_str_value": {"type": "string"},
    "get_bool_value": {"type": "boolean"},
    "get_int_value": {"type": "integer", "format": "int32"},
    "get_float_value": {"type": "number"},
    "get_datetime_value": {"type": "string", "format": "date-time"},
    "get_date_value": {"type": "string", "format": "date"},
    "get_bytes_value": {"type": "string", "format": "byte"},
    "get_uuid_value": {"type": "string"},
    "get_time_value": {"type": "string"},
    "get_timedelta_value": {"type": "string"},
}
# What may be written. Sources: microsoft-graph-docs, api-reference/v1.0/api/event-update.md (table of
# properties), calendar-post-events.md, calendar-update.md, user-post-calendars.md,
# singlevaluelegacyextendedproperty-post-singlevalueextendedproperties.md; allowNewTimeProposals
# and transactionId: api-reference/v1.0/resources/event.md.
UPDATE = [
    "allowNewTimeProposals",
    "attendees",
    "body",
    "categories",
    "end",
    "hideAttendees",
    "importance",
    "isAllDay",
    "isOnlineMeeting",
    "isReminderOn",
    "location",
    "locations",
    "multiValueExtendedProperties",
    "onlineMeetingProvider",
    "recurrence",
    "reminderMinutesBeforeStart",
    "responseRequested",
    "sensitivity",
    "showAs",
    "singleValueExtendedProperties",
    "start",
    "subject",
]
WRITABLE = {
    "event": {"create": sorted([*UPDATE, "transactionId"]), "update": UPDATE},
    "calendar": {"create": ["color", "name"], "update": ["color", "isDefaultCalendar", "name"]},
}


class Recorder:
    """Stands for a parse node or a writer, and keeps the calls."""

    def __init__(self):
        """No calls."""
        self.calls = []

    def __getattr__(self, name):
        """A method that keeps its call."""

        def call(*arguments, **_):
            """Keeps a call."""
            self.calls.append((name, arguments))

        return call


def type_name(cls):
    """The name of a model class in Graph."""
    return cls.__name__[0].lower() + cls.__name__[1:]


def enum_values(cls):
    """The values of an enumeration, which the generator may wrap in tuples."""
    return [member.value[0] if isinstance(member.value, tuple) else member.value for member in cls]


def comments(cls):
    """The comment above each attribute of a class and of its bases, by the attribute."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("msgraph"):
            for text, name in re.findall(r"    # (.*)\n    (\w+):", inspect.getsource(base)):
                found[name] = text
    return found


def field_schema(name, arguments, found):
    """The schema of a field by the reading call that the model makes for it."""
    cls = arguments[0] if arguments else None
    if name in SCALARS:
        return dict(SCALARS[name])
    if name == "get_collection_of_primitive_values":
        kinds = {str: "string", int: "integer", bool: "boolean"}
        return {"type": "array", "items": {"type": kinds.get(cls, "string")}}
    if "enum" in name:
        schema = {"type": "string", "enum": enum_values(cls)}
    else:
        found.append(cls)
        schema = {"$ref": type_name(cls)}
    return {"type": "array", "items": schema} if "collection" in name else schema


def describe(cls, found):
    """The schema of a model class; `found` collects classes that it refers to."""
    model = cls()
    texts = comments(cls)
    writer = Recorder()
    model.serialize(writer)
    sent = {arguments[0] for _, arguments in writer.calls if arguments and isinstance(arguments[0], str)}
    attributes = re.findall(
        r'"([^"]+)": lambda n : setattr\(self, \'(\w+)\'',
        "".join(
            inspect.getsource(base.get_field_deserializers)
            for base in cls.__mro__
            if "get_field_deserializers" in vars(base)
        ),
    )
    properties = {}
    for name, read in sorted(model.get_field_deserializers().items()):
        node = Recorder()
        read(node)
        call, arguments = node.calls[0]
        schema = field_schema(call, arguments, found)
        text = texts.get(dict(attributes).get(name), "")
        if "Read-only" in text or name not in sent:
            schema["readOnly"] = True
        if "Navigation property" in text:
            schema["navigation"] = True
        properties[name] = schema
    return {"type": "object", "properties": properties}


def find(path):
    """A class by the name of its module below `models` and its own."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"msgraph.generated.models.{module}"), name)


def schemas():
    """All schemas that the roots reach."""
    todo, done = [find(root) for root in ROOTS], {}
    while todo:
        cls = todo.pop()
        name = type_name(cls)
        if name in done:
            continue
        done[name] = {"type": "object", "properties": {}} if name in OPAQUE else describe(cls, todo)
    user = find("user.User")
    plain = describe(user, [])["properties"]
    wanted = ("@odata.type", "id", "displayName", "mail", "userPrincipalName", "givenName", "surname")
    done["user"] = {"type": "object", "properties": {name: plain[name] for name in wanted}}
    return dict(sorted(done.items()))


def operations():
    """Methods and query options of the addresses."""
    found = {}
    for path, module in BUILDERS.items():
        source = inspect.getsource(importlib.import_module(f"msgraph.generated.{module}"))
        template = re.search(r'super\(\).__init__\(request_adapter, "([^"]*)"', source).group(1)
        optional = re.search(r"\{[?&]([^}]*)\}", template)
        found[path] = {
            "methods": sorted(
                name.upper() for name in re.findall(r"async def (get|post|patch|delete)\(", source)
            ),
            "query": sorted(name.replace("%24", "$") for name in optional.group(1).split(",")),
            "given": re.findall(r"(\w+)=\{", template),
        }
    return found


def main():
    """Writes the contract."""
    installed = importlib.metadata.version("msgraph-sdk")
    if installed != VERSION:
        sys.exit(f"msgraph-sdk {VERSION} is expected, found {installed}")
    contract = {
        "source": f"msgraph-sdk {VERSION} (MIT, Microsoft), made by make_contract.py",
        "operations": operations(),
        "writable": WRITABLE,
        "schemas": schemas(),
    }
    json.dump(contract, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
