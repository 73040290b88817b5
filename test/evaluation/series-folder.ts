import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Instant, MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan, SeriesProtocol } from '../../src/contract/types.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import { importFiles } from '../../src/history/import/import-files.js'
import type { SealOptions } from '../../src/history/seal.js'
import { dayPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { draftPlan } from '../../src/registration/template.js'
import type { SeriesScale } from '../../src/scoring/scales.js'
import { importTruth } from '../../src/truth/import.js'
import { readTruth } from '../../src/truth/releases-vintage.js'
import { writeVintage } from '../../src/truth/vintage-files.js'
import { documentOf } from '../protocol/sample.js'
import { exampleDraft } from '../registration/series-examples.js'
import { temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { standard } from '../support/standard.js'
import { seriesBasis } from './series-world.js'
import { seal, stampRegistration, type Witnesses } from './stamped-world.js'
import { at, pathsIn, type World } from './world.js'

const FIRST = at('2023-12-12T00:00:00Z')
const LEAD_IN = 60
/** Days of last year, of which values are drawn apart. */
const EARLY = 20
export const DAYS = dayPeriods(
  { from: FIRST, to: at('2024-06-30T00:00:00Z') },
  zoneNamed('UTC') as Zone,
)
const REGISTERED = at('2024-02-05T00:00:00Z')

export interface SeriesFolderOptions {
  readonly protocol?: Partial<SeriesProtocol>
  readonly plan?: Partial<Plan>
  /** Another registration of the same models, entered before. */
  readonly before?: Partial<Plan>
  /** Scales of a protocol that scales, as they are registered, and their instant; those of the values unless said otherwise. */
  readonly scales?: readonly [scales: readonly SeriesScale[], at?: Instant | undefined]
  /** Origins of the window; 60 unless said otherwise. */
  readonly origins?: number
  /** Changes a line of the table of forecasts; undefined leaves it out. */
  readonly line?: (cells: string[], key: string) => readonly string[] | undefined
  /** Seals day by day, an hour before forecasts are due; without it all come at once. */
  readonly by?: Witnesses
  /** Hours by which the forecasts of a key come later; NaN for never. */
  readonly delay?: (key: string) => number
  readonly cosigning?: (day: number) => Pick<SealOptions, 'key' | 'witnesses'>
}

/** Losses on several transforms, each divided by the scale of its series. */
export const SCALED: SeriesFolderOptions = {
  protocol: {
    scaling: { kind: 'seasonal_naive', period_steps: 7 },
    scores: [
      {
        id: 'wis',
        kind: 'weighted_interval',
        primary: true,
        transform: { kind: 'log_shift', offset: '1' },
      },
      { id: 'error', kind: 'absolute_error', transform: { kind: 'sqrt' } },
      { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
    ],
  },
}

export const HEADER = 'series,origin,horizon,model,value,q0.1,q0.9,generated_at'
export const dueOf = (origin: number): Instant => DAYS[origin]!.end + 6 * MICROS_PER_HOUR
const utc = (instant: Instant) => new Date(instant / 1000).toISOString()

/** Two daily series, forecast one and two days ahead, by six in the morning; all that scoring needs, in a folder. */
export async function makeSeriesFolder(options: SeriesFolderOptions = {}): Promise<World> {
  const { by, origins = 60, delay = () => 0, cosigning } = options
  const folder = temporaryFolder()
  const protocols = join(folder, 'protocols')
  const now = at('2024-01-20T00:00:00Z')
  const draft = documentOf({ ...PROTOCOL, ...options.protocol })
  const frozen = freezeProtocol(draft, { folder: protocols, now, periods: DAYS })
  const protocol = frozen.protocol as SeriesProtocol
  const values = await writeTruth(folder, protocol)
  const ends = { from: DAYS[LEAD_IN]!.label, to: DAYS[LEAD_IN + origins - 1]!.label }
  const plan = { ...PLAN, window: ends, ...options.plan }
  if (options.before !== undefined) {
    const other = { ...plan, ...options.before }
    const earlier = createRegistration(other, compileRules(protocol, DAYS), REGISTERED, DAYS)
    enterRegistration(earlier, join(folder, 'earlier.json'), ledgerPath(protocols))
  }
  const vintage = readTruth(join(folder, 'vintage'), protocol)
  const basis = seriesBasis({ protocol, periods: DAYS, vintage }, plan, REGISTERED)
  const [scales, scaledAt] = options.scales ?? [basis.registration.scales]
  const scaled = scales.length > 0 ? { scales, at: scaledAt ?? REGISTERED } : undefined
  const registration = createRegistration(
    plan,
    compileRules(protocol, DAYS),
    REGISTERED,
    DAYS,
    scaled,
  )
  enterRegistration(registration, join(folder, 'registration.json'), ledgerPath(protocols))
  const paths = pathsIn(folder)
  const world = { folder, paths, protocol: protocol as never }
  const coming = forecasts(protocol, values, origins, options.line).map((row) => ({
    ...row,
    at: dueOf(row.origin) + (delay(row.key) - 2) * MICROS_PER_HOUR,
  }))
  const load = async (lines: readonly string[]) => {
    const file = join(folder, 'forecasts.csv')
    writeFileSync(file, `${HEADER}\n${lines.join('\n')}\n`)
    const series = { protocol, periods: DAYS }
    const { findings } = await importFiles(paths.history, [file], { now, series, asIs: true })
    if (findings.some(({ severity }) => severity === 'error'))
      throw new Error(JSON.stringify(findings))
  }
  if (by === undefined) {
    await load(coming.map(({ line }) => line))
    return world
  }
  by.now = REGISTERED + MICROS_PER_HOUR
  await stampRegistration(world, by)
  const registrations = [readLedgerFile(ledgerPath(protocols))!.lines.at(-1)!.entry.entry_sha256]
  if (cosigning !== undefined) {
    await load([`a,${DAYS[LEAD_IN - 4]!.label},1,earlier,1,1,1,${utc(REGISTERED)}`])
    await seal(paths.history, by, undefined, { ...cosigning(-1), registrations })
  }
  const until = LEAD_IN + origins + 4
  for (let day = LEAD_IN; day < until; day++) {
    by.now = dueOf(day) - MICROS_PER_HOUR
    const due = coming.filter((row) => row.at <= by.now && row.at > by.now - MICROS_PER_DAY)
    if (due.length > 0) await load(due.map(({ line }) => line))
    await seal(paths.history, by, undefined, cosigning?.(day - LEAD_IN))
  }
  return world
}

/** Values as they become public twelve hours after the day, whole a day later. */
async function writeTruth(folder: string, protocol: SeriesProtocol) {
  const [early, next] = [numbers(4), numbers(3)]
  const lines = ['series,period,value,as_of']
  const values = new Map<string, readonly number[]>()
  for (const { id } of protocol.series) {
    let level = 100
    const own = DAYS.map(({ label, end }, day) => {
      if (day === EARLY) level = 100
      level += 4 * ((day < EARLY ? early : next)() - 0.5) + 0.02 * (100 - level)
      const value = Number(level.toFixed(3))
      lines.push(`${id},${label},${value},${utc(end + 12 * MICROS_PER_HOUR)}`)
      return value
    })
    values.set(id, own)
  }
  mkdirSync(folder, { recursive: true })
  await importLines(folder, protocol, lines)
  return values
}

export const truthLines = ({ folder }: Pick<World, 'folder'>): string[] =>
  readFileSync(join(folder, 'truth.csv'), 'utf8').trim().split('\n')

/** Other outcomes in the place of those of a world. */
export async function replaceTruth(
  { folder, protocol }: World,
  lines: readonly string[],
): Promise<void> {
  rmSync(join(folder, 'vintage'), { recursive: true })
  await importLines(folder, protocol as never, lines)
}

/** The lines of a table of outcomes, header first, as truth.csv and as the vintage of the folder. */
async function importLines(
  folder: string,
  protocol: SeriesProtocol,
  lines: readonly string[],
): Promise<void> {
  const file = join(folder, 'truth.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const now = at('2025-01-01T00:00:00Z')
  const read = await importTruth(file, { protocol, periods: DAYS, now, source: 'made' })
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  writeVintage(join(folder, 'vintage'), read.manifest, read.releases)
}

/** Forecasts that know most of the way. Their keys are `series origin horizon`, origins from 0 on. */
function forecasts(
  { series, horizons }: SeriesProtocol,
  values: ReadonlyMap<string, readonly number[]>,
  origins: number,
  change: SeriesFolderOptions['line'] = (cells) => cells,
) {
  const rows: { origin: number; key: string; line: string }[] = []
  for (let origin = LEAD_IN; origin < LEAD_IN + origins; origin++) {
    for (const { id } of series) {
      for (const horizon of horizons) {
        const own = values.get(id)!
        const point = 0.2 * own[origin - 1]! + 0.8 * own[origin + horizon]!
        const made = utc(dueOf(origin) - 3 * MICROS_PER_HOUR)
        const numbersOf = [point, point - 2, point + 2].map(String)
        const key = `${id} ${origin - LEAD_IN} ${horizon}`
        const cells = [id, DAYS[origin]!.label, String(horizon), 'mine', ...numbersOf, made]
        const line = change(cells, key)?.join(',')
        if (line !== undefined) rows.push({ origin, key, line })
      }
    }
  }
  return rows
}

/** The daily example with what is smaller here, in UTC, without scales. */
export const PROTOCOL = {
  ...exampleDraft('daily'),
  protocol_version: 'daily-1',
  series: ['a', 'b'].map((id) => ({ id, unit: 'units', source: 'made', group: `g${id}` })),
  zone: 'UTC',
  periods: { made_by: 'a test' },
  horizons: [1, 2],
  origins: { due: { anchor: 'end', offset: 'PT6H' } },
  outcome: {
    over: 'end',
    known: { anchor: 'end', offset: 'PT12H' },
    release: { rule: 'first', wait: 'P2D' },
  },
  forecast: { point: 'median', levels: ['0.1', '0.5', '0.9'], minimum: '0', integer: false },
  scores: [
    { id: 'wis', kind: 'weighted_interval', primary: true },
    { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
  ],
  scaling: { kind: 'none' },
  ...standard({ seasons: ['week'], errors: { window: 60, minimum: 20 }, last: 'last_day' }),
  dependence: { block_origins: 5, minimum_blocks: 10, minimum_pairs: 50 },
}

export const PLAN: Plan = {
  ...draftPlan({ mode: 'prospective', window: { from: '', to: '' }, source: 'made' }),
  name: 'made days',
  candidates: ['mine'],
}
