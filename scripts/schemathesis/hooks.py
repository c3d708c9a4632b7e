"""What schemathesis is told beside Outdial's description, which is asked for as it stands."""

import json

import schemathesis


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The tester finds no text without control characters where they are named by their category."""
    text = json.dumps(raw_schema)
    raw_schema.update(json.loads(text.replace(r"\\p{Cc}", r"\\x00-\\x1f\\x7f-\\x9f")))


@schemathesis.serializer("application/x-ndjson")
def rows(context, value):
    """A list comes as it is: it is text in the description."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="replace")
