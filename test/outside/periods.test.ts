import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { dayPeriods, hourPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'

/** Days and hours of a zone by Python's zoneinfo: the starts of all of them, in seconds since 1970. */
const PYTHON = `
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

zone = ZoneInfo(sys.argv[1])
day, end = date(2024, 1, 1), date(2028, 1, 1)
while day < end:
    print('day', int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()))
    day += timedelta(days=1)
at = datetime(2023, 12, 30, tzinfo=timezone.utc)
while at < datetime(2028, 1, 3, tzinfo=timezone.utc):
    local = at.astimezone(zone)
    if local.minute == 0 and date(2024, 1, 1) <= local.date() < end:
        print('hour', int(at.timestamp()), local.strftime('%Y-%m-%dT%H:%M'))
    at += timedelta(minutes=15)
`

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
]

it.each(ZONES)('days and hours of %s are those of zoneinfo', (name) => {
  const lines = execFileSync('/usr/bin/python3', ['-c', PYTHON, name], {
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
  const span = {
    from: checkedInstant('2024-01-01T00:00:00Z'),
    to: checkedInstant('2027-12-31T00:00:00Z'),
  }
  const zone = zoneNamed(name) as Zone
  const made = [
    ...dayPeriods(span, zone).map(({ start }) => `day ${start / 1e6}`),
    ...hourPeriods(span, zone).map(
      ({ label, start }) => `hour ${start / 1e6} ${label.replace('/2', '')}`,
    ),
  ]
  expect(made.join('\n')).toBe(lines.trimEnd())
})
