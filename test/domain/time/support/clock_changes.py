"""Prints when the clocks of every zone of a folder of TZif files change, by Python's own reading of them, as JSON.

clock_changes.py FOLDER FROM TO    (seconds since 1970)
"""

import json
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo, available_timezones, reset_tzpath

# No clock changes and changes back within it.
STEP = 12 * 3600


def offset(zone, at):
    return int(datetime.fromtimestamp(at, timezone.utc).astimezone(zone).utcoffset().total_seconds())


def changes(zone, start, end):
    found = []
    before = offset(zone, start)
    for at in range(start, end, STEP):
        after = offset(zone, at + STEP)
        if after == before:
            continue
        low, high = at, at + STEP
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == before:
                low = middle
            else:
                high = middle
        found.append([high, after])
        before = after
    return found


folder, start, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
reset_tzpath([folder])
zones = {name: ZoneInfo(name) for name in sorted(available_timezones())}
json.dump({name: [offset(zone, start), changes(zone, start, end)] for name, zone in zones.items()}, sys.stdout)
