import type { CellLine, Registration } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import { type Rules, rulesData } from '../../protocol/rules/compile.js'
import type { EvaluateOptions } from '../pair.js'
import { worseInSecond } from '../result/readings.js'
import { lateForecasts, type RunMetadata } from '../result/shared.js'
import type { Result } from '../result/types.js'
import { resultDigest } from '../result-digest.js'
import { type MadeReading, makeReading, type ReadingInput } from './assemble.js'
import { designIn } from './infer.js'

/** The input of a result, besides the pairs. */
export interface EvaluationInput extends ReadingInput {
  readonly registration: Registration
  readonly outcomes: Result['inputs']['outcomes']
  readonly isYearUnasked: boolean
}

/** A result, and the text of `cells.ndjson`. */
export interface MadeEvaluation {
  readonly result: Result
  readonly cells: string
}

/**
 * The complete evaluation, sealed with its own digest.
 * @param second - paired with forecasts included that were committed late or never.
 */
export async function makeEvaluation(
  input: EvaluationInput,
  second: ReadingInput | undefined,
  { inputs, ...metadata }: RunMetadata,
  options: EvaluateOptions,
): Promise<MadeEvaluation> {
  const first = await makeReading(input, options)
  const again = second && (await makeReading(second, options))
  const scaled = withScales(first.lines, input.registration)
  const lines = withSecondLines(scaled, again)
  const cells = lines.map((line) => `${canonicalize(line)}\n`).join('')
  const { registered, paired } = input
  const result: Result = {
    ...{ ...metadata, result_version: 1, result_sha256: '', kind: kindOf(input) },
    inputs: { ...inputs, outcomes: input.outcomes },
    settings: settingsOf(input),
    window: windowOf(input, first),
    implausible: [...paired.implausible],
    series: seriesIn(registered.rules, input.cells),
    strata: strataOf(input),
    cells: { lines: lines.length, sha256: sha256Hex(cells), ...countedCells(input) },
    reading: first.reading,
    second_reading: again
      ? {
          late: lateForecasts(paired),
          counts_for: worseInSecond(first.reading, again.reading),
          reading: again.reading,
        }
      : null,
  }
  return { result: { ...result, result_sha256: resultDigest(result) }, cells }
}

function kindOf({ registered }: ReadingInput): Result['kind'] {
  if (registered.mode === 'backtest') return 'backtest'
  return registered.rules.test.method === 'percentile-bootstrap' ? 'not_decided' : 'evaluation'
}

/** Lines with the scales of their series. */
function withScales(lines: readonly CellLine[], { scales }: Registration): CellLine[] {
  const bySeries = new Map<string, CellLine['scales']>()
  for (const { series, transform, value } of scales) {
    bySeries.set(series, [...(bySeries.get(series) ?? []), { transform, value }])
  }
  return lines.map((line) => ({ ...line, scales: bySeries.get(line.series) ?? [] }))
}

/** Lines of the first reading, each with the values of its cell in the second one. */
function withSecondLines(first: readonly CellLine[], again: MadeReading | undefined): CellLine[] {
  return first.map((line, at) => {
    const other = again?.lines[at]
    return other
      ? { ...line, second: { models: other.models, comparisons: other.comparisons } }
      : line
  })
}

/** The registration without series, scales and the names of tests, and with the alpha that is left. */
function settingsOf({ registration, registered }: EvaluationInput): Result['settings'] {
  const { scales: _, family, ...fixed } = registration
  const { series, ...rules } = rulesData(registered.rules)
  return { ...fixed, rules, family: { size: family.size, sha256: family.sha256 } }
}

function windowOf(input: EvaluationInput, { worth }: MadeReading): Result['window'] {
  const { registered, paired, isYearUnasked } = input
  const { rules, isShortened } = registered
  const { origins } = paired.plan
  const positions = Array.from({ length: origins.count }, (_, at) => origins.position(at))
  return {
    through: isShortened ? rules.calendar.label(positions.at(-1) as number) : null,
    origins: origins.count,
    blocks: Math.floor(origins.count / rules.dependence.block_origins),
    origins_a_day: designIn(input).originsADay(),
    due_by_end: positions.every((origin) => rules.due(origin) <= rules.calendar.end(origin)),
    waiting_worth: worth,
    year_not_asked: isYearUnasked,
  }
}

function seriesIn(rules: Rules, cells: ReadingInput['cells']): Result['series'] {
  const groups = new Map<string, Set<string>>()
  for (const { group, series } of cells) {
    if (group !== undefined) groups.set(group, (groups.get(group) ?? new Set()).add(series))
  }
  const counted = [...groups].map(([group, series]) => ({ group, series: series.size }))
  const units = [...new Set(rules.series.map(({ unit }) => unit))]
  return {
    count: rules.series.length,
    units: { count: units.length, first: units.slice(0, MOST_UNITS) },
    groups: counted,
  }
}

const MOST_UNITS = 3
const MOST_SERIES = 10

/** What is left out of tests and of means; the lines have the rest. */
function countedCells({ registered, cells }: ReadingInput) {
  const first = (own: ReadingInput['cells']) =>
    [...new Set(own.map(({ series }) => series))].slice(0, MOST_SERIES)
  return {
    steps: registered.rules.steps.map((step) => {
      const own = cells.filter(({ horizon }) => horizon === step)
      const count = (of: 'inTest' | 'isShown') => own.filter((cell) => cell[of]).length
      return { step, cells: own.length, in_test: count('inTest'), in_means: count('isShown') }
    }),
    no_test: first(cells.filter(({ inTest }) => !inTest)),
    no_means: first(cells.filter(({ inTest, isShown }) => inTest && !isShown)),
  }
}

function strataOf({ registered, paired }: ReadingInput): Result['strata'] {
  const names = [...new Set(registered.levels.map(({ name }) => name))]
  return names.map((name) => ({
    name,
    levels: registered.levels
      .filter((of) => of.name === name)
      .map((of) => ({ level: of.level, origins: paired.memberships.of(of)?.origins ?? 0 })),
  }))
}
