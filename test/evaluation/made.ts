import {
  formatStored,
  formatUtc,
  type Instant,
  MICROS_PER_HOUR,
} from '../../src/contract/instant.js'
import { PAIR } from '../../src/contract/limits.js'
import type { Plan, Protocol, Registration } from '../../src/contract/types.js'
import type { EvaluateOptions } from '../../src/evaluation/pair.js'
import type { HourlyBasis } from '../../src/evaluation/plan.js'
import type { EvaluationTask } from '../../src/evaluation/reading/sealed-result.js'
import type {
  CandidateDisposition,
  CellLine,
  Reading,
  Result,
} from '../../src/evaluation/result/result.js'
import type { RunMetadata } from '../../src/evaluation/result/shared.js'
import { decide, infer, sumSeries } from '../../src/evaluation/steps.js'
import { hourlyTask } from '../../src/evaluation/task.js'
import { NO_FORECAST, type PairingRow } from '../../src/forecast/row.js'
import { countOriginsADay, type OriginsADay } from '../../src/inference/days.js'
import { bindPlan } from '../../src/protocol/rules/bind.js'
import { compileRules, rulesData, rulesOver } from '../../src/protocol/rules/compile.js'
import { findTooLax } from '../../src/protocol/rules/lax.js'
import { levelNames } from '../../src/registration/strata.js'
import type { Vintage } from '../../src/truth/closes/vintage.js'
import { createVintage } from '../../src/truth/closes/vintage.js'
import { frozen } from '../registration/made.js'
import { numbers } from '../support/random.js'

const START = Date.UTC(2025, 0, 1) * 1000
export const LEAD_IN = 800
export const hourAt = (hour: number): Instant => START + hour * MICROS_PER_HOUR

/** A random walk of hourly closes: `LEAD_IN` hours before the window, the window, 16 hours after. */
export function madeVintage(hours: number, seed = 1) {
  const next = numbers(seed)
  const closes = new Map<Instant, number>()
  let price = 60_000
  for (let hour = 0; hour < LEAD_IN + hours + 16; hour++) {
    const step = next() + next() + next() + next() - 2
    price *= Math.exp(step * 0.006)
    closes.set(hourAt(hour), Math.round(price * 100) / 100)
  }
  return createVintage(closes, 'made')
}

/** The closes of a vintage, without those of some hours. */
export function closesOf(vintage: Vintage, ...without: Instant[]): Map<Instant, number> {
  const closes = new Map<Instant, number>()
  for (let hour = vintage.first; hour <= vintage.last; hour += MICROS_PER_HOUR) {
    const close = vintage.closeAt(hour)
    if (close !== undefined && !without.includes(hour)) closes.set(hour, close)
  }
  return closes
}

export const withoutCloses = (vintage: Vintage, ...hours: Instant[]) =>
  createVintage(closesOf(vintage, ...hours), 'made')

/** A row that says nothing of a forecast. */
export const BARE = {
  ...{ ...NO_FORECAST, series: PAIR, attempt: null },
  ...{ inputAvailableAt: null, selectionDataThrough: null, vintageId: null, vintageSha256: null },
}

/** Forecasts that know a part of the way ahead; with gaps, now and then one fails or is missing. */
export function* madeRows(
  hours: number,
  vintage: ReturnType<typeof madeVintage>,
  models: readonly { readonly name: string; readonly sight: number }[],
  gaps = true,
): Generator<PairingRow> {
  for (let hour = 0; hour < hours; hour++) {
    const origin = hourAt(LEAD_IN + hour)
    const p0 = vintage.closeAt(origin) ?? Number.NaN
    for (const horizon of [2, 4, 8, 16]) {
      const p1 = vintage.closeAt(origin + horizon * MICROS_PER_HOUR) ?? Number.NaN
      for (const { name, sight } of models) {
        if (gaps && hour % 97 === 13) continue
        const forecast = p0 * Math.exp(sight * Math.log(p1 / p0))
        const spread = 0.006 * Math.sqrt(horizon)
        const failed = gaps && hour % 211 === 40
        yield {
          ...{ ...BARE, originAt: formatStored(origin), model: name, horizon, sourcePrice: p0 },
          targetAt: formatStored(origin + horizon * MICROS_PER_HOUR),
          generatedAt: formatStored(origin),
          forecast: failed ? null : forecast,
          quantiles: [1 - spread, 1, 1 + spread].map((by) => (failed ? null : forecast * by)),
          attempt: failed ? 'failed' : null,
        }
      }
    }
  }
}

/** Rows as a history hands them out. */
export async function* batches(rows: Iterable<PairingRow>): AsyncGenerator<PairingRow[]> {
  const all = [...rows]
  for (let first = 0; first < all.length; first += 100) yield all.slice(first, first + 100)
}

/** The limits of a plan. */
export const LIMITS: Plan['limits'] = {
  ...{ harm: 0.05, direction: 0.02, epsilon: 1e-6 },
  ...{ availability: 0.02, availability_stratum: 0.05 },
}
/** A stratum of two halves of the day. */
export const HALVES: Plan['strata'] = [
  { name: 'half', by: 'hour_of_day', levels: [{ level: 'am' }, { level: 'pm' }] },
]

/** What a registration has of its own, and what its plan adds to the rules. */
export type Change = Partial<Omit<Registration, 'rules'> & Pick<Plan, 'limits' | 'strata'>> & {
  readonly due_minutes?: number
}

const COMPARATORS: Registration['comparators'] = [
  { source: 'built_in', name: 'persistence', required_as: ['persistence'] },
  { source: 'built_in', name: 'ar1', required_as: ['ar1'] },
]

export function madeRegistration(
  hours: number,
  { limits = LIMITS, strata = [], due_minutes = 2, ...change }: Change = {},
  protocol = madeProtocol(),
): Registration {
  const { comparators = COMPARATORS } = change
  const bound = comparators.flatMap(({ source, name, required_as }) =>
    required_as.flatMap((as) => (source === 'built_in' && as === name ? [] : [[as, name]])),
  )
  const plan = { limits, strata, due_minutes, bound: Object.fromEntries(bound) }
  return {
    registration_version: 1,
    registration_sha256: '0'.repeat(64),
    name: 'made',
    description: null,
    registered_at: formatUtc(hourAt(0)),
    mode: 'prospective',
    protocol: { version: 'made-1', sha256: '0'.repeat(64) },
    window: {
      from: formatUtc(hourAt(LEAD_IN)),
      to: formatUtc(hourAt(LEAD_IN + hours - 1)),
      origins: hours,
      first_inputs: formatUtc(hourAt(LEAD_IN)),
      first_due: formatUtc(hourAt(LEAD_IN)),
      last_due: formatUtc(hourAt(LEAD_IN + hours - 1)),
      last_settled: formatUtc(hourAt(LEAD_IN + hours + 15)),
    },
    candidates: [{ source: 'history', name: 'seer' }],
    comparators,
    not_asked: [],
    provenance_required: false,
    outcomes: { source: 'made', vintage_id: null, vintage_sha256: null },
    time: null,
    commitment: 'self_declared',
    commitment_log: null,
    scales: [],
    scales_as_of: null,
    instants: null,
    rules: rulesData(bindPlan(compileRules(protocol), plan)),
    family: { size: 58, sha256: '0'.repeat(64), tests: [] },
    ...change,
  }
}

/** The reference protocol with numbers that a small window can answer to. */
export function madeProtocol(replicates = 2000, seed = 11): Protocol {
  const protocol = frozen('btcusd-hourly-4')
  const { sampling, uncertainty } = protocol
  return {
    ...protocol,
    protocol_version: 'made-1',
    sampling: {
      ...sampling,
      minimum_effective_sample: {
        ...sampling.minimum_effective_sample,
        paired_origins_per_horizon: 100,
        effective_independent_blocks_per_comparison: 10,
      },
    },
    design: { ...protocol.design, practical_effect_floor: 0.02 },
    uncertainty: { ...uncertainty, replicates, seed },
  }
}

const HEX = 'a'.repeat(64)

/** What a result says of where it comes from, made up. */
export function runMetadata(): RunMetadata {
  return {
    ...{ code: { name: 'foreproof', version: '0', sha256: HEX }, exploratory: false },
    earlier_readings: 0,
    ...{ time: null, registrations: null },
    inputs: {
      protocol: { version: 'made-1', sha256: HEX, ledger_entry_sha256: null },
      registration: {
        name: 'made',
        sha256: HEX,
        registered_at: '2025-01-01T00:00:00Z',
        family_sha256: HEX,
        ledger_entry_sha256: null,
      },
      history: { sha256: HEX, rows: 1 },
    },
  }
}

/** A result, with the members of its reading beside its own. */
export type ReadResult = Result &
  Omit<Reading, 'dispositions'> & { readonly dispositions: readonly CandidateDisposition[] }

export const read = (result: Result, reading = result.reading): ReadResult => ({
  ...{ ...result, ...reading },
  dispositions: reading.dispositions ?? [],
})

/** The largest number of origins in one day, where there is one every hour. */
export const hourlyADay = (origins: number): OriginsADay =>
  countOriginsADay(Float64Array.from({ length: origins }, (_, at) => at * MICROS_PER_HOUR))

/** The lines of cells of a text. */
export const cellsIn = (text: string): CellLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Reads the rows of the window in the order of pairing; each call starts from the first row. */
export type ReadRows = () => AsyncIterable<readonly PairingRow[]>

/** The result of a task, and its pairs and cells as text. */
export async function resultOf(
  task: EvaluationTask,
  rows: ReadRows,
  options: EvaluateOptions = {},
) {
  const pieces: string[] = []
  const lines: string[] = []
  const to = {
    pairs: (piece: string) => void pieces.push(piece),
    cells: (text: string) => void lines.push(text),
  }
  const summed = await sumSeries({ task, rows: rows(), run: runMetadata(), options }, to)
  const { result: sealed } = decide(await infer(summed))
  const cells = cellsIn(lines.join(''))
  return { result: read(sealed), sealed, cells, text: pieces.join('') }
}

/** The strata of a registration, each of halves of the day. */
export const halvesOf = ({ rules }: Registration) =>
  rules.strata
    .filter(({ by }) => by !== 'by_plan')
    .map((of) => ({
      name: of.name,
      levels: levelNames(of),
      levelAt: (origin: number) => (origin % 24 < 12 ? 'am' : 'pm'),
    }))

/**
 * A registered evaluation, whose strata are halves of the day: its result, and its pairs as text.
 * @param protocol - of the registration.
 */
export async function evaluated(
  registration: Registration,
  vintage: Vintage,
  rows: Iterable<PairingRow>,
  protocol = madeProtocol(),
  { commitments, ...options }: EvaluateOptions & Pick<HourlyBasis, 'commitments'> = {},
) {
  const task = hourlyTask({
    ...{ registration, vintage, strata: halvesOf(registration), commitments },
    rules: rulesOver(registration.rules, []),
    tooLax: findTooLax(compileRules(protocol)),
  })
  return await resultOf(task, () => batches(rows), options)
}

/**
 * An evaluation with verdict hypotheses, of 60 days. Two candidates: one that sees ahead, and one whose sight
 * is given, or that guesses.
 */
export async function verdictRun(
  sight: number | 'guess',
  change: Change = {},
  edit: (row: PairingRow, hour: number) => Partial<PairingRow> = () => ({}),
  days = 60,
  scoredWith: (vintage: Vintage) => Vintage = (vintage) => vintage,
): Promise<ReadResult> {
  const hours = 24 * days
  const vintage = madeVintage(hours)
  const candidates = ['seer', 'other'].map((name) => ({ source: 'history' as const, name }))
  const registration = madeRegistration(hours, {
    ...{ candidates, due_minutes: 5 },
    ...change,
  })
  const models = [
    { name: 'other', sight: sight === 'guess' ? 0 : sight },
    { name: 'seer', sight: 0.3 },
  ]
  const random = numbers(5)
  const rows = [...madeRows(hours, vintage, models, false)].map((row, at) => {
    const guess = Number(row.sourcePrice) * Math.exp(0.002 * (random() - 0.5))
    const guesses = row.model === 'other' && sight === 'guess'
    return { ...row, ...(guesses && { forecast: guess }), ...edit(row, Math.floor(at / 8)) }
  })
  return (await evaluated(registration, scoredWith(vintage), rows, madeProtocol())).result
}

/** The same, where the other candidate sees ahead for 15 days and backwards for the next, by turns. */
export function regimeRun(): Promise<ReadResult> {
  return verdictRun(0.1, {}, ({ model, sourcePrice, forecast }, hour) => {
    const backwards = model === 'other' && Math.floor(hour / 360) % 2 === 1
    return backwards ? { forecast: Number(sourcePrice) ** 2 / Number(forecast) } : {}
  })
}
