import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { CellLine, Evaluation as Document, Reading, RulesData } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import { WORST_FIRST } from '../../inference/disposition.js'
import type { Rules } from '../../protocol/rules/compile.js'
import type { AnyRegistration } from '../../registration/types.js'
import type { EvaluateOptions } from '../pair.js'
import { lateForecasts, type RunMetadata } from '../result/shared.js'
import { resultDigest } from '../result-digest.js'
import { type MadeReading, makeReading, type ReadingInput } from './assemble.js'
import { designIn } from './infer.js'

/** The findings and inputs of one scoring run: the content of `result.json` in one form. */
type Evaluation = ReadonlyDeep<Document>

/** The input of a result, besides the pairs. */
export interface EvaluationInput extends ReadingInput {
  readonly registration: AnyRegistration
  readonly outcomes: Evaluation['inputs']['outcomes']
  readonly isYearUnasked: boolean
}

/** A result, and the text of `cells.ndjson`. */
export interface MadeEvaluation {
  readonly result: Evaluation
  readonly cells: string
}

/**
 * The complete evaluation, sealed with its own digest.
 * @param second - paired with forecasts included that were committed late or never.
 */
export async function makeEvaluation(
  input: EvaluationInput,
  second: ReadingInput | undefined,
  { time, registrations, inputs, ...metadata }: RunMetadata,
  options: EvaluateOptions,
): Promise<MadeEvaluation> {
  const first = await makeReading(input, options)
  const again = second && (await makeReading(second, options))
  const lines = withSecondLines(first, again)
  const cells = lines.map((line) => `${canonicalize(line)}\n`).join('')
  const { registered, paired } = input
  const result: Evaluation = {
    ...{ ...metadata, result_version: 1, result_sha256: '', kind: kindOf(input) },
    inputs: { ...inputs, outcomes: input.outcomes },
    time: time ?? null,
    registrations: registrations ?? null,
    settings: settingsOf(input),
    window: windowOf(input, first),
    implausible: [...paired.implausible],
    series: seriesIn(registered.rules, input.cells),
    strata: strataOf(input),
    cells: { lines: lines.length, sha256: sha256Hex(cells) },
    reading: first.reading,
    second_reading: again
      ? {
          late: lateForecasts(paired),
          counts_for: countsFor(first.reading, again.reading),
          reading: again.reading,
        }
      : null,
  }
  return { result: { ...result, result_sha256: resultDigest(result) }, cells }
}

function kindOf({ registered }: ReadingInput): Evaluation['kind'] {
  if (registered.mode === 'backtest') return 'backtest'
  return registered.rules.test.method === 'percentile-bootstrap' ? 'not_decided' : 'evaluation'
}

/** Lines of the first reading, each with the values of its cell in the second one. */
function withSecondLines(first: MadeReading, again: MadeReading | undefined): CellLine[] {
  return first.lines.map((line, at) => {
    const other = again?.lines[at]
    return other
      ? { ...line, second: { models: other.models, comparisons: other.comparisons } }
      : line
  })
}

/** The settings fixed by the registration, without series, scales and the names of tests. */
function settingsOf({ registration, registered }: EvaluationInput): Evaluation['settings'] {
  const { name, description, mode, window, provenance_required, outcomes } = registration
  const { time, commitment, commitment_log } = registration
  return {
    ...{ name, mode, window, provenance_required, outcomes },
    description: description ?? null,
    candidates: registered.candidates.map((of) => ({ source: of.source, name: of.name })),
    comparators: registered.comparators.map(({ source, name: of, required_as }) => {
      return { source, name: of, required_as: [...required_as] }
    }),
    not_asked: registered.notAsked.map(({ comparator, series }) => {
      return { comparator, series: [...series] }
    }),
    time: time ?? null,
    commitment: commitment ?? null,
    commitment_log: commitment_log ?? null,
    rules: dataOf(registered.rules),
  }
}

/** Rules without their functions and their series. */
function dataOf(rules: Rules): Omit<RulesData, 'series'> {
  const { series, calendar, inputs, latest, due, known, settled, targetsOf, ...data } = rules
  return data
}

function windowOf(input: EvaluationInput, { worth }: MadeReading): Evaluation['window'] {
  const { registered, paired, isYearUnasked } = input
  const { rules, isShortened } = registered
  const { origins } = paired.plan
  const positions = Array.from({ length: origins.count }, (_, at) => origins.position(at))
  return {
    through: isShortened ? rules.calendar.label(positions.at(-1) as number) : null,
    blocks: Math.floor(origins.count / rules.dependence.block_origins),
    origins_a_day: designIn(input).originsADay(),
    due_by_end: positions.every((origin) => rules.due(origin) <= rules.calendar.end(origin)),
    waiting_worth: worth,
    year_not_asked: isYearUnasked,
  }
}

function seriesIn(rules: Rules, cells: ReadingInput['cells']): Evaluation['series'] {
  const groups = new Map<string, Set<string>>()
  for (const { group, series } of cells) {
    if (group !== undefined) groups.set(group, (groups.get(group) ?? new Set()).add(series))
  }
  const counted = [...groups].map(([group, series]) => ({ group, series: series.size }))
  return { count: rules.series.length, groups: counted }
}

function strataOf({ registered, paired }: ReadingInput): Evaluation['strata'] {
  const names = [...new Set(registered.levels.map(({ name }) => name))]
  return names.map((name) => ({
    name,
    levels: registered.levels
      .filter((of) => of.name === name)
      .map((of) => ({ level: of.level, origins: paired.memberships.of(of)?.origins ?? 0 })),
  }))
}

/**
 * Candidates whose second reading is worse: by its disposition or, if that is equal, by the smaller improvement. So
 * hiding forecasts and committing them late can never improve a result.
 */
function countsFor(first: Reading, second: Reading): string[] {
  return (first.dispositions ?? []).flatMap(({ candidate, disposition }, at) => {
    const other = second.dispositions?.[at]?.disposition ?? disposition
    const byDisposition = WORST_FIRST.indexOf(other) - WORST_FIRST.indexOf(disposition)
    const improvement = (of: Reading) => smallestImprovement(of, candidate)
    const worse = byDisposition || improvement(second) - improvement(first)
    return worse < 0 ? [candidate] : []
  })
}

/**
 * By how much the overall loss of a candidate is lower than that of the comparator on which it improves least; infinite
 * if it cannot be computed.
 */
function smallestImprovement({ tests }: Reading, candidate: string): number {
  const own = tests.filter(
    (test) =>
      test.candidate === candidate &&
      test.decides &&
      test.step === 'overall' &&
      test.scope === 'all',
  )
  const found = own.flatMap(({ observed, comparator_mean: base }) =>
    observed === null || !base ? [] : [observed / base],
  )
  return found.length === 0 || found.length < own.length
    ? Number.POSITIVE_INFINITY
    : -Math.max(...found)
}
