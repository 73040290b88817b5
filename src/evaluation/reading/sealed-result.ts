import { compareText } from '../../contract/order.js'
import type { Registration } from '../../contract/types.js'
import { rulesData } from '../../protocol/rules/compile.js'
import type { Paired, PairingTask } from '../pair.js'
import { worseInSecond } from '../result/readings.js'
import { type Result, SERIES_NAMED } from '../result/result.js'
import type { RunMetadata } from '../result/shared.js'
import { resultDigest } from '../result-digest.js'
import type { ReadingPlan } from './basis.js'
import { waitingBasisIn } from './decide.js'
import type { InferredReading } from './infer.js'
import type { EvaluationInput } from './inputs.js'
import type { SeriesSums } from './series-sums.js'

/** The computations of an evaluation, for protocols of either version: the same for `score` and for `audit`. */
export interface EvaluationTask extends PairingTask {
  /** What scores and tests go by, independent of options. */
  readonly input: () => EvaluationInput
}

/** Both readings of an evaluation, with their tests; the second only if a forecast was late. */
export interface InferredReadings {
  readonly first: InferredReading
  readonly second: InferredReading | undefined
}

/** The result, sealed with its own digest. */
export function sealedResult(
  sums: SeriesSums,
  inferred: InferredReadings,
  { outside, pairs, implausible }: Paired,
  { inputs, ...run }: RunMetadata,
): Result {
  const { of, registration, outcomes, known } = sums.input
  const { first, second } = sums.readings
  const reading = first.decide(inferred.first, outside)
  const secondDecided = inferred.second && second?.decide(inferred.second, outside)
  const result: Result = {
    ...{ ...run, result_version: 1, result_sha256: '', kind: resultKind(of) },
    inputs: { ...inputs, pairs, outcomes },
    settings: toSettings(registration, of.registered),
    window: {
      ...toWindow(of),
      waiting_worth: waitingBasisIn(of, first.waiting(inferred.first.tests)).worth,
      ...known,
    },
    implausible: [...implausible],
    series: seriesIn(of),
    strata: listStrata(of),
    cells: sums.cells(),
    reading,
    second_reading: secondDecided
      ? {
          late: first.late,
          counts_for: worseInSecond(reading, secondDecided),
          reading: secondDecided,
        }
      : null,
  }
  return { ...result, result_sha256: resultDigest(result) }
}

function resultKind({ registered }: ReadingPlan): Result['kind'] {
  if (registered.mode === 'backtest') return 'backtest'
  return registered.rules.test.method === 'percentile-bootstrap' ? 'not_decided' : 'evaluation'
}

/** The registration without series, scales and the names of tests, and with the alpha that is left. */
function toSettings(
  registration: Registration,
  { rules: all }: ReadingPlan['registered'],
): Result['settings'] {
  const { scales: _, family, not_asked: unasked, ...fixed } = registration
  const { series, ...rules } = rulesData(all)
  return {
    ...fixed,
    rules,
    not_asked: unasked.map(({ comparator, series: ids }) => {
      return { comparator, series: ids.length, first: ids.slice(0, SERIES_NAMED) }
    }),
    family: { size: family.size, sha256: family.sha256 },
  }
}

function toWindow({ registered, plan: { origins }, design }: ReadingPlan) {
  const { rules, isShortened } = registered
  const positions = Array.from({ length: origins.count }, (_, at) => origins.position(at))
  return {
    through: isShortened ? rules.calendar.label(positions.at(-1) as number) : null,
    origins: origins.count,
    blocks: Math.floor(origins.count / rules.dependence.block_origins),
    origins_a_day: design.originsADay(),
    due_by_end: positions.every((origin) => rules.due(origin) <= rules.calendar.end(origin)),
  }
}

function seriesIn({ registered: { rules }, findGroup }: ReadingPlan): Result['series'] {
  const groups = new Map<string, number>()
  for (const { id } of rules.series.toSorted((a, b) => compareText(a.id, b.id))) {
    const group = findGroup(id)
    if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1)
  }
  const units = [...new Set(rules.series.map(({ unit }) => unit))]
  return {
    count: rules.series.length,
    units: { count: units.length, first: units.slice(0, MOST_UNITS) },
    groups: [...groups].map(([group, series]) => ({ group, series })),
  }
}

const MOST_UNITS = 3
function listStrata({ registered, memberships }: ReadingPlan): Result['strata'] {
  const names = [...new Set(registered.levels.map(({ name }) => name))]
  return names.map((name) => ({
    name,
    levels: registered.levels
      .filter((of) => of.name === name)
      .map((of) => ({ level: of.level, origins: memberships.of(of)?.origins ?? 0 })),
  }))
}
