import type { EvaluationResult, ResultTest } from '../../evaluation/result/types.js'
import { decimal, NOTHING, percent, probability, whole } from '../../output/figures.js'
import {
  requirementHeads,
  SAID,
  type ShownRequirement,
  shownRequirements,
} from '../requirements.js'
import { horizonName, MEASURE_NAME } from '../sentences.js'
import { candidatesOf, comparatorsOf, ladderOf, measuresOf, overallAndHorizons } from '../view.js'
import { latexTable } from './table.js'

/** The tables of a result for a paper, by the names of their files. */
export function latexTables(result: EvaluationResult): Readonly<Record<string, string>> {
  return {
    'criteria.tex': criteria(result),
    'scores.tex': scores(result),
    'tests.tex': tests(result),
  }
}

function criteria(result: EvaluationResult): string {
  const answered = ({ answer, figure, horizon }: ShownRequirement) => {
    const at = horizon === null ? '' : ` (${horizon} h)`
    return figure === null || answer === 'not_asked'
      ? SAID[answer]
      : `${figure}${at}, ${SAID[answer]}`
  }
  const rows = candidatesOf(result).flatMap(({ name: candidate }) =>
    comparatorsOf(result).map(({ name: comparator }) => [
      ...[candidate, comparator],
      ...shownRequirements(result, candidate, comparator).map(answered),
    ]),
  )
  return latexTable({
    caption: `${result.inputs.registration.name}: what each candidate had to show against each required comparator`,
    label: 'tab:criteria',
    head: ['candidate', 'comparator', ...requirementHeads(result)],
    left: 6,
    rows,
    result: result.result_sha256,
  })
}

function scores(result: EvaluationResult): string {
  const rows = result.models.flatMap(({ name }) =>
    overallAndHorizons(result).flatMap((horizon) => {
      const found = measuresOf(result, name, horizon)
      if (!found) return []
      const { interval, point_loss_bounds: bounds } = found
      return [
        [
          ...[name, horizonName(horizon), whole(found.pairs), percent(found.point_loss, 3)],
          bounds === null ? NOTHING : `${percent(bounds.lower, 3)} to ${percent(bounds.upper, 3)}`,
          ...[percent(found.direction.error_rate, 1), percent(interval.coverage, 1)],
          decimal(interval.width_percent, 2),
        ],
      ]
    }),
  )
  return latexTable({
    caption: `${result.inputs.registration.name}: mean absolute log-return error, direction error and coverage of each model`,
    label: 'tab:scores',
    head: ['model', 'horizon', 'pairs', 'loss', 'interval', 'direction', 'coverage', 'width, %'],
    left: 2,
    rows,
    result: result.result_sha256,
  })
}

function decision({ decision, observed }: ResultTest): string {
  if (decision !== 'rejected') return decision.replace('_', ' ')
  return `rejected, ${(observed ?? 0) < 0 ? 'lower' : 'higher'}`
}

/** The tests that decide: a paper has no room for all others, which `foreproof export` gives. */
function tests(result: EvaluationResult): string {
  const row = (test: ResultTest) => [
    `${test.candidate} − ${test.comparator}`,
    ...[MEASURE_NAME[test.measure], horizonName(test.horizon), whole(test.pairs)],
    whole(test.effective_blocks),
    decimal(test.observed === null ? null : test.observed * 100, 3),
    test.bounds === null
      ? NOTHING
      : `${decimal(test.bounds.lower * 100, 3)} to ${decimal(test.bounds.upper * 100, 3)}`,
    ...[probability(test.p), probability(test.p_adjusted)],
    decision(test),
  ]
  return latexTable({
    caption: `${result.inputs.registration.name}: the tests that decide, in ascending order of p; differences of losses in per cent of log return, of shares in percentage points`,
    label: 'tab:tests',
    head: [
      ...['test', 'measure', 'horizon', 'pairs', 'blocks', 'difference', 'interval'],
      ...['p', 'adjusted p', 'decision'],
    ],
    left: 3,
    rows: ladderOf(result)
      .filter((test) => test.decides)
      .map(row),
    result: result.result_sha256,
  })
}
