import { EXIT } from '../../contract/error.js'
import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  parseInstant,
} from '../../contract/instant.js'
import {
  describePeriods,
  type PeriodList,
  type PeriodsResult,
  periodsText,
} from '../../periods/list.js'
import {
  businessDays,
  clockPeriods,
  type DayRange,
  dayPeriods,
  everyPeriods,
  fitsClock,
  hourPeriods,
  monthPeriods,
  type Origins,
  WEEKDAYS,
  weekPeriods,
  withOrigins,
} from '../../periods/make.js'
import { openHolidays, openPeriods, openSessions } from '../../periods/read.js'
import { parseSteps } from '../../periods/steps.js'
import { type Zone, zoneNamed } from '../../periods/zone.js'
import { type ArgumentsOf, command } from '../command.js'
import {
  aNumber,
  assertWithout,
  checkOutput,
  choice,
  FORMAT,
  flag,
  positive,
  text,
  textOr,
  usage,
} from '../options.js'
import { writeTable } from '../table-output.js'
import { grouped, pluralize, twoColumns } from '../wording.js'
import { interruptible } from '../work.js'

const options = {
  format: FORMAT,
  file: text('List to check, instead of writing one'),
  every: text('Periods of one length: 15m, 1h, 1d; in UTC, or by the clock of the zone'),
  hours: flag('Hours by the clock of the zone'),
  days: flag('Days by the clock of the zone'),
  'business-days': flag('Days from Monday to Friday by the clock of the zone'),
  holidays: text('With --business-days: a file with the dates to leave out'),
  weeks: choice(WEEKDAYS, 'Weeks by the clock of the zone, starting on this day'),
  months: flag('Months by the clock of the zone'),
  quarters: flag('Quarters of a year by the clock of the zone'),
  sessions: text('Sessions of a market: a table with the columns session, open, close'),
  zone: textOr('UTC', 'Time zone, such as Europe/Berlin'),
  from: text('First day by the clock of the zone'),
  to: text('Last day by the clock of the zone, included'),
  origins: text('Make every Nth period an origin (24), or those that end at a time (12:00)'),
  phase: { ...aNumber('Periods to skip before the first origin'), default: 0 },
  steps: text('Steps of every origin: 1-24, or tomorrow for all periods of the next day'),
  out: text('File to write (default, and with -: standard output)'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '[file]',
  examples: {
    'foreproof periods --hours --zone Europe/Berlin --from 2026-01-01 --to 2026-12-31': '',
    'foreproof periods --every 15m --zone Europe/Berlin --from 2026-01-01 --to 2026-12-31':
      'Quarters of an hour by the clock: 92 or 100 on the days when it is changed',
    'foreproof periods --weeks sunday --zone America/New_York --from 2026-01-01 --to 2027-12-31 --out periods.csv':
      '',
    'foreproof periods --business-days --holidays holidays.csv --zone Europe/London --from 2026-01-01 --to 2026-12-31':
      '',
    'foreproof periods periods.csv': 'Check a list, and print what a protocol needs',
  },
  options,
  run: async (args, context) => {
    const checks = args.file !== undefined
    const read = await interruptible('Nothing was written.', () => createPeriodList(args))
    if (!read.ok || checks) {
      const file = args.file ?? args.sessions ?? args.holidays ?? ''
      const facts = read.ok ? describePeriods(read.periods) : null
      return await context.report({
        findings: read.ok ? [] : read.findings,
        checked: [file],
        figures: { periods: facts },
        headline: read.ok
          ? file
          : `${file} is not a list of ${args.holidays === undefined ? 'periods' : 'holidays'}`,
        ...(read.ok && { body: factsTable(read.periods) }),
      })
    }
    const file = args.out === '-' ? undefined : args.out
    checkOutput(
      file,
      [args.sessions, args.holidays].filter((input) => input !== undefined),
    )
    await writeTable(inOnePiece(periodsText(read.periods)), file, context)
    context.stderr.write(`${factsTable(read.periods, read.holidays)}\n`)
    return EXIT.holds
  },
})

/** A list, and what was done with the holidays. */
type MadeList = PeriodsResult & { readonly holidays?: string }

/** The requested list: read, or made. */
async function createPeriodList(args: Arguments): Promise<MadeList> {
  const kinds = ['file', ...MADE, 'sessions'] as const
  if (kinds.filter((kind) => args[kind] !== undefined && args[kind] !== false).length !== 1) {
    throw usage(
      'one list of periods at a time',
      'Name a file to check, or give one of --every, --hours, --days, --business-days, --weeks, --months, --quarters and --sessions.',
    )
  }
  if (!args['business-days']) {
    const help = 'Other lists have no holidays; a list may also be written by hand.'
    assertWithout(args, ['holidays'], 'needs --business-days', help)
  }
  if (args.file !== undefined) return await openPeriods(args.file)
  const zone = zoneNamed(args.zone)
  if (zone === undefined) {
    throw usage(`--zone ${args.zone}: no such time zone`, 'Use a name such as Europe/Berlin.')
  }
  const made =
    args.sessions === undefined ? await madeList(args, zone) : await openSessions(args.sessions)
  const origins = parseOrigins(args)
  if (!made.ok || origins === undefined) return made
  const periods = withOrigins(made.periods, origins, zone)
  if (periods.some(({ origin }) => origin)) return { ...made, periods }
  throw usage(
    'no period of this list is such an origin',
    'Every target of an origin lies in the list too: make the list longer, or the steps fewer.',
  )
}

/** Lists that need a first and last day. */
const MADE = ['every', 'hours', 'days', 'business-days', 'weeks', 'months', 'quarters'] as const

async function madeList(args: Arguments, zone: Zone): Promise<MadeList> {
  const days: DayRange = { from: dayOption('from', args.from), to: dayOption('to', args.to) }
  if (days.from > days.to) throw usage('--from is later than --to', 'Swap the two.')
  const length = args.every === undefined ? undefined : parseLength(args.every, zone)
  const shortest = length ?? (args.hours ? MICROS_PER_HOUR : MICROS_PER_DAY)
  if ((days.to - days.from) / shortest > MOST_PERIODS) {
    throw usage('more than 4,000,000 periods', 'Make the span shorter, or the periods longer.')
  }
  const made: MadeList = args['business-days']
    ? await businessDayList(args.holidays, days, zone)
    : { ok: true, periods: byClock(args, length, days, zone) }
  if (!made.ok || made.periods.length > 0) return made
  throw usage('no such period begins between --from and --to', 'Make the span longer.')
}

function byClock(
  args: Arguments,
  length: number | undefined,
  days: DayRange,
  zone: Zone,
): PeriodList {
  if (args.weeks !== undefined) return weekPeriods(days, args.weeks, zone)
  if (args.months) return monthPeriods(days, 'month', zone)
  if (args.quarters) return monthPeriods(days, 'quarter', zone)
  if (length === undefined) return args.days ? dayPeriods(days, zone) : hourPeriods(days, zone)
  return isUtc(zone) ? everyPeriods(days, length) : clockPeriods(days, length, zone)
}

const isUtc = ({ name }: Zone) => name === 'UTC'

async function businessDayList(
  file: string | undefined,
  days: DayRange,
  zone: Zone,
): Promise<MadeList> {
  const read = file === undefined ? undefined : await openHolidays(file)
  if (read?.ok === false) return read
  const { periods, leftOut } = businessDays(days, read?.dates ?? new Set(), zone)
  const last = leftOut.at(-1)
  const message =
    last === undefined ? 'none of them is a business day of this span' : `the last is ${last}`
  return { ok: true, periods, ...(read && { holidays: `${leftOut.length} left out, ${message}` }) }
}

function dayOption(name: string, value: string | undefined): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value ?? '')
    ? parseInstant(`${value}T00:00:00Z`)
    : undefined
  if (day !== undefined) return day
  const message = value === undefined ? `--${name} is missing` : `--${name} ${value} is not a date`
  throw usage(message, 'Write it like 2026-01-31.')
}

/** The same limit as for rows of outcomes; more do not fit into the memory of a process. */
const MOST_PERIODS = 4_000_000

const UNITS = { m: MICROS_PER_MINUTE, h: MICROS_PER_HOUR, d: MICROS_PER_DAY } as const

function parseLength(text: string, zone: Zone): number {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  if (count === undefined)
    throw usage(`--every ${text} is no length`, 'Write it like 15m, 1h or 1d.')
  const length = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (isUtc(zone) || fitsClock(length)) return length
  throw usage(
    `--every ${text}: a day by the clock of ${zone.name} cannot be divided into such periods`,
    'Give a length that divides 24 hours, or leave --zone out to count in UTC.',
  )
}

function parseOrigins({ origins, phase, steps: asked }: Arguments): Origins | undefined {
  const steps = asked === undefined || asked === 'tomorrow' ? asked : parseSteps(asked)
  if (asked !== undefined && steps === undefined) {
    throw usage(`--steps ${asked}: the steps do not ascend`, 'Write them like 1-24 or 1,2,5.')
  }
  if (origins === undefined) {
    if (asked === undefined && phase === 0) return undefined
    throw usage(
      'steps and phase are those of origins',
      'Give --origins too; --origins 1 makes every period an origin.',
    )
  }
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(origins) ?? []
  if (hours !== undefined) {
    const clock = Number(hours) * MICROS_PER_HOUR + Number(minutes) * MICROS_PER_MINUTE
    return { at: { clock }, steps }
  }
  if (phase !== 0) positive(phase, 'phase')
  return { at: { every: positive(Number(origins), 'origins'), phase }, steps }
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}

/** The facts of a list for a protocol, and those to check first. */
function factsTable(periods: PeriodList, holidays?: string): string {
  const { sha256, count, first, last } = describePeriods(periods)
  const origins = periods.filter(({ origin = true }) => origin)
  const targets = origins.reduce((sum, { steps }) => sum + (steps?.length ?? 0), 0)
  const lengths = new Map<number, number>()
  for (const { start, end } of periods) {
    lengths.set(end - start, (lengths.get(end - start) ?? 0) + 1)
  }
  const common = [...lengths].sort(([a, many], [b, more]) => more - many || a - b)
  const shown = common
    .slice(0, 4)
    .map(([length, many]) => `${grouped(many)} of ${spanText(length)}`)
  const beyond = common.length - shown.length
  return twoColumns([
    ['periods', `${grouped(count)}, from ${first} to ${last}`],
    ['lengths', [...shown, ...(beyond > 0 ? [pluralize(beyond, 'other length')] : [])].join(', ')],
    ['holidays', holidays],
    ['origins', grouped(origins.length)],
    ['targets', targets > 0 ? grouped(targets) : undefined],
    ['sha256', sha256],
  ])
}

function spanText(length: number): string {
  const hours = length / MICROS_PER_HOUR
  return hours % 24 === 0 ? `${hours / 24} d` : hours >= 1 ? `${hours} h` : `${hours * 60} min`
}
