import { formatUtc } from '../../contract/instant.js'
import type { SeriesProtocol, SeriesResult } from '../../contract/types.js'
import { cosineTables } from '../../inference/cosines.js'
import type { WaitingBasis } from '../../inference/disposition.js'
import { boundsBeside } from '../../inference/ewc-judge.js'
import type { Series } from '../../inference/types.js'
import { expectedFrom } from '../../periods/expected.js'
import type { Period } from '../../periods/list.js'
import { lastSettled } from '../../periods/series-times.js'
import { groupOf, groupsOf } from '../../protocol/rules/groups.js'
import { negativeDirection } from '../../protocol/rules/lax.js'
import { transformText } from '../../protocol/rules/transforms.js'
import { primaryMemory } from '../../registration/family.js'
import { seriesDesign, seriesOriginsADay } from '../../registration/series-design.js'
import type { VerdictMeasure } from '../../registration/types.js'
import { askedIn, isYearUnasked } from '../../scoring/baselines/reach.js'
import { countKeys, countUncalled, differencesOf, keysOf } from '../../scoring/differences.js'
import type { SeriesScore } from '../../scoring/series-scores.js'
import { type Mean, meanOf, meanOfColumns, meanOfMeans } from '../../scoring/sum.js'
import type { SeriesTruth } from '../../truth/series-truth.js'
import { availabilityOf, dispositionsOf } from '../disposition.js'
import { type MissingOutcomes, missingBefore, missingOutcomes, mostlyMissing } from '../gaps.js'
import type { Paired } from '../pair.js'
import { modelsOf, type SeriesTaskBasis } from '../plan.js'
import {
  judgedDesign,
  type SeriesCell,
  type SeriesCellOf,
  type SeriesInferred,
  scoreColumns,
  testedHorizons,
} from '../series-infer.js'
import { testPlace } from '../verdict-hypotheses.js'
import {
  type ChargedWaiting,
  chargedWaiting,
  largestWorth,
  type Waiting,
  worthAgainst,
} from '../waiting.js'
import { isBetween } from './readings.js'
import {
  boundsOf,
  ewcFiguresOf,
  familyOf,
  type RunMetadata,
  sealedResult,
  shownCounts,
  testFigures,
  verdictsOf,
} from './shared.js'
import type { SeriesEvaluationResult } from './types.js'

type SharedKeys = SeriesEvaluationResult['shared_keys'][number]

/** Everything that was computed, from which a result is put together. */
export interface SeriesParts extends SeriesTaskBasis {
  readonly paired: Paired
  readonly scores: readonly SeriesScore[]
  readonly cells: readonly SeriesCell[]
  readonly cellOf: SeriesCellOf
  readonly inferred: SeriesInferred
  readonly waiting: Waiting
}

/** What one reading of the forecasts gives. */
function readingOf(parts: SeriesParts, waiting = waitingIn(parts)) {
  const tests = testsOf(parts)
  const shared = sharedKeys(parts)
  return {
    accounting: accountingOf(parts),
    measures: measuresOf(parts),
    shared_keys: shared,
    cell_differences: cellDifferences(parts),
    family: familyOf(tests, parts.registration.family_sha256),
    tests,
    verdicts: verdictsIn(parts),
    dispositions: dispositionsIn(parts, shared, waiting),
  }
}

/**
 * Puts the result together and seals it with its own digest.
 * @param second - what was computed with the forecasts, too, that were committed late or not at all.
 */
export function assembleSeriesResult(
  parts: SeriesParts,
  metadata: RunMetadata,
  second?: SeriesParts,
): SeriesEvaluationResult {
  const { registration, paired, cells } = parts
  const waiting = waitingIn(parts)
  const own = {
    ...metadata,
    inputs: { ...metadata.inputs, ...outcomesOf(parts) },
    settings: { ...settingsOf(parts), ...waitingSettings(parts, waiting) },
    series: seriesIn(parts),
    cells: cells.map(({ series, horizon, keys, withOutcome, inTest, isShown }) => ({
      ...{ series, horizon, origins: keys, with_outcome: withOutcome },
      ...{ in_test: inTest, in_means: isShown },
    })),
    waiting,
    nowcasts: [...parts.waiting.nowcasts],
    far_off: [...parts.inferred.farOff],
    other_rules: otherRules(parts),
    newest_known: newestKnown(parts),
  }
  const basis = { version: 2, registration, paired } as const
  return sealedResult(basis, own, readingOf(parts, waiting), second && readingOf(second))
}

function seriesIn({
  registration,
  protocol,
}: SeriesParts): SeriesEvaluationResult['series'][number][] {
  const scales = new Map<string, { transform: string; value: number }[]>()
  for (const { series, ...scale } of registration.scales) {
    scales.set(series, [...(scales.get(series) ?? []), scale])
  }
  return protocol.series.map(({ id, unit, group = null }) => ({
    ...{ id, unit, group },
    scales: scales.get(id) ?? [],
  }))
}

/** What a result says of its outcomes and of the list of periods. */
function outcomesOf({
  protocol,
  vintage: { manifest },
}: SeriesTaskBasis): Pick<SeriesResult['inputs'], 'vintage' | 'periods'> {
  const { vintage_id: id, sha256, source, series, rows, complete_to } = manifest
  const { sha256: list, count } = protocol.periods
  return {
    vintage: { id, sha256, source, series, rows, complete_to },
    periods: { sha256: list, count },
  }
}

/** Of what a verdict rests on, the ids of scores. */
const idsOf = (parts: SeriesParts): Readonly<Record<VerdictMeasure, string>> => ({
  point_loss: primaryOf(parts),
  direction_error: directionOf(parts)?.id ?? '',
})

const directionOf = ({ protocol }: SeriesTaskBasis) =>
  protocol.scores.find(({ kind }) => kind === 'direction')

const primaryOf = ({ scores }: SeriesParts) => scores.find(({ primary }) => primary)?.id as string

const namesIn = ({ registration }: SeriesParts) => modelsOf(registration)

/** What becomes of waiting under the protocol, and what it is worth in the window. */
function waitingSettings(parts: SeriesParts, charged: readonly ChargedWaiting[]) {
  const { protocol, periods, rules, origins } = parts
  const { waiting = 'charged', waiting_reason } = protocol.origins
  const endOf = (origin: number) => (periods[origin] as Period).end
  return {
    waiting,
    ...(waiting_reason !== undefined && { waiting_reason }),
    waiting_worth: waitingBasis(parts, charged).worth,
    due_by_end: origins.every((origin) => rules.due(origin) <= endOf(origin)),
  }
}

type WaitingSettings = keyof ReturnType<typeof waitingSettings>

function settingsOf({
  registration,
  protocol,
  periods,
  rules,
  origins,
}: SeriesTaskBasis): Omit<SeriesEvaluationResult['settings'], WaitingSettings> {
  const { dependence, limits, outcome, scaling } = protocol
  const through = throughOf({ registration, periods, origins })
  return {
    ...{ from: registration.window.from, to: registration.window.to, origins: origins.length },
    ...(through !== undefined && { through }),
    first_due: formatUtc(rules.due(origins[0] as number)),
    last_due: formatUtc(rules.due(origins.at(-1) as number)),
    last_settled: formatUtc(lastSettled(rules, origins)),
    zone: protocol.zone,
    horizons: protocol.horizons,
    levels: protocol.forecast.levels,
    integer: protocol.forecast.integer ?? false,
    scores: protocol.scores.map((score) => {
      const { id, kind, primary = false, level = [], lower = [], upper = [], epsilon } = score
      const levels = [level, lower, upper].flat()
      const band = epsilon === undefined ? {} : { epsilon }
      return { id, kind, primary, levels, transform: transformText(score), ...band }
    }),
    over: outcome.over,
    release: releaseText(outcome.release),
    scaling: [scaling.kind, scaling.period_steps ?? ''].join(' ').trim(),
    not_asked: registration.not_asked,
    year_not_asked: isYearUnasked({ protocol, periods, rules, origins, registration }),
    groups: registration.groups,
    block_origins: dependence.block_origins,
    blocks_in_window: Math.floor(origins.length / dependence.block_origins),
    origins_a_day: seriesOriginsADay(origins, rules),
    minimum_pairs: seriesDesign(protocol).minimumPairs,
    minimum_blocks: dependence.minimum_blocks,
    alpha: Number(protocol.uncertainty.alpha),
    practical_effect_floor: Number(limits.practical_effect),
    regression_limit: Number(limits.harm),
    ...(limits.direction !== undefined && { direction_limit: Number(limits.direction) }),
    availability_limit: Number(limits.availability),
    availability_limit_series: Number(limits.availability_stratum),
    provenance_required: registration.provenance_required,
    inference: registration.inference,
  }
}

/** The last origin that is scored, where the window is shortened. */
function throughOf({
  registration,
  periods,
  origins,
}: Pick<SeriesTaskBasis, 'registration' | 'periods' | 'origins'>): string | undefined {
  const last = periods[origins.at(-1) as number]?.label
  return last === registration.window.to ? undefined : last
}

function releaseText({ rule, lag, at, wait }: SeriesProtocol['outcome']['release']): string {
  return [rule, lag ?? at ?? wait ?? ''].join(' ').trim()
}

function testsOf({ inferred }: SeriesParts): SeriesEvaluationResult['tests'][number][] {
  const { definitions, series, weights, ladder, cellsOf, groups } = inferred
  const groupBound = (name: string) => {
    const harm = groups.find(({ test }) => test === name)
    return harm && { group_bound: harm.found }
  }
  return definitions.map(({ role: _, memory: _memory, stratum: _stratum, ...definition }, at) => ({
    ...definition,
    cells: cellsOf(definitions[at]!).length,
    ...testFigures(ladder.tests[at]!, series[at]!.comparatorMean),
    ...ewcFiguresOf(ladder.tests[at]!, weights[at]!),
    ...groupBound(definition.name),
  }))
}

function verdictsIn(parts: SeriesParts): SeriesEvaluationResult['verdicts'][number][] {
  const idOf = idsOf(parts)
  return verdictsOf(parts.inferred.ladder.verdicts).map((verdict) => ({
    ...verdict,
    parts: verdict.parts.map((part) => ({ ...part, measure: idOf[part.measure] })),
  }))
}

function accountingOf(parts: SeriesParts): SeriesEvaluationResult['accounting'][number][] {
  const { horizons, series } = parts.protocol
  return namesIn(parts).flatMap((model) =>
    ['all', ...series.map(({ id }) => id)].flatMap((one) =>
      [...horizons, 'all' as const].map((horizon) => {
        // Of any series the interval ends as the point does.
        const {
          interval: _,
          without_outcome = 0,
          ...shown
        } = shownCounts(parts.paired, {
          model,
          ...(horizon !== 'all' && { horizon }),
          ...(one !== 'all' && { series: [one] }),
        })
        return { model, series: one, horizon, without_outcome, ...shown }
      }),
    ),
  )
}

/** Means in each cell, and the equal means over the tested cells of a horizon, of a group and of all, of series that a model is asked of. */
function measuresOf(parts: SeriesParts): SeriesEvaluationResult['measures'][number][] {
  const { cells, cellOf, scores, protocol } = parts
  const { horizons } = protocol
  const isAsked = askedIn(parts.registration.not_asked)
  return namesIn(parts).flatMap((model) => {
    const tested = cells.filter(({ isShown, series }) => isShown && isAsked(model, series))
    const deciding = tested.filter(({ decides }) => decides)
    const means = new Map(
      cells.map(({ id }) => {
        const { columns } = cellOf(model, id)
        return [id, scores.map((score) => meanOf(columns[score.id]!))] as const
      }),
    )
    const row = (of: readonly SeriesCell[], where: Place) => {
      const own = of.map(({ id }) => means.get(id) as readonly Mean[])
      const byScore = <T>(figure: (means: readonly Mean[]) => T): Record<string, T> => {
        const each = scores.map(({ id }, at) => [id, figure(own.map((of) => of[at] as Mean))])
        return Object.fromEntries(each)
      }
      return {
        ...{ model, ...where },
        pairs: byScore((each) => each.reduce((sum, { count }) => sum + count, 0)),
        scores: byScore((each) => meanOfMeans(each.map(({ mean }) => mean))),
      }
    }
    const all = { series: 'all', group: 'all' }
    return [
      row(deciding, { ...all, horizon: 'overall' }),
      ...horizons.map((horizon) =>
        row(
          tested.filter((cell) => cell.horizon === horizon),
          { ...all, horizon },
        ),
      ),
      ...groupsOf(protocol).map((group) =>
        row(
          deciding.filter((cell) => cell.group === group),
          { series: 'all', group, horizon: 'overall' },
        ),
      ),
      ...cells.map((cell) => {
        const { series, horizon, group = 'all' } = cell
        return row([cell], { series, group, horizon })
      }),
    ]
  })
}

type Place = Pick<SeriesEvaluationResult['measures'][number], 'series' | 'group' | 'horizon'>

/** Every candidate beside every comparator. */
function rivalsOf({ registration }: SeriesTaskBasis) {
  return registration.candidates.flatMap(({ name: candidate }) =>
    registration.comparators.map(({ name: comparator }) => ({ candidate, comparator })),
  )
}

function sharedKeys(parts: SeriesParts): SharedKeys[] {
  const { cells, cellOf } = parts
  const direction = directionOf(parts)?.id
  return rivalsOf(parts).flatMap((rivals) =>
    cells.map(({ id, series, horizon, keys, withOutcome }): SharedKeys => {
      const [ours, theirs] = [cellOf(rivals.candidate, id), cellOf(rivals.comparator, id)]
      const codes = keysOf(ours.pairs, theirs.pairs, 'point')
      const counts = countKeys(codes)
      const columnsOf = (of: string) =>
        [ours.columns[of]!, ours.charged![of]!, theirs.columns[of]!] as const
      const uncalled = direction && countUncalled(codes, ...columnsOf(direction))
      // Origins of the window that do not have this target are no keys of it.
      const beside = counts.expected - keys
      const lost = { ...counts.lost, neither_scored: counts.lost.neither_scored - beside }
      const { shared } = counts
      return {
        ...rivals,
        ...{ series, horizon, expected: keys, with_outcome: withOutcome, shared, lost },
        ...(uncalled && { uncalled }),
      }
    }),
  )
}

function cellDifferences(parts: SeriesParts): SeriesEvaluationResult['cell_differences'][number][] {
  const { cells, cellOf } = parts
  const primary = primaryOf(parts)
  const tables = cosineTables()
  const [design, memory] = [judgedDesign(parts), primaryMemory(parts.rules)]
  const of = (differences: Series) => ({ name: '', components: [differences], memory })
  return rivalsOf(parts).flatMap(({ candidate, comparator }) =>
    cells.map(({ id, series, horizon }) => {
      const [ours, theirs] = [cellOf(candidate, id), cellOf(comparator, id)]
      const codes = keysOf(ours.pairs, theirs.pairs, 'point')
      const own = theirs.columns[primary]!
      const values = differencesOf(ours.columns[primary]!, own, codes)
      const { count: pairs, mean: observed } = meanOf(values)
      const there = Uint8Array.from(values, (value) => Number(!Number.isNaN(value)))
      const bounds = pairs === 0 ? undefined : boundsBeside(of({ values }), design, tables)
      return {
        ...{ candidate, comparator, series, horizon, pairs, observed },
        comparator_mean: meanOf(own, there).mean,
        bounds: boundsOf(bounds),
      }
    }),
  )
}

/** What the score that decides would be under other rules of release; that of the protocol comes first. */
function otherRules(parts: SeriesParts): SeriesEvaluationResult['other_rules'][number][] {
  const { protocol, truth } = parts
  const { release } = protocol.outcome
  const values = (series: number, target: number) =>
    // An origin may have no such target.
    (truth.releases(series, target) ?? []).map(({ value }) => value ?? Number.NaN)
  const others: readonly (readonly [string, SeriesTruth['value']])[] = [
    ['first', (...of) => values(...of).find((value) => !Number.isNaN(value)) ?? Number.NaN],
    ['latest', (...of) => values(...of).at(-1) ?? Number.NaN],
  ]
  const own = [releaseText(release), truth.value] as const
  // Where nothing is revised, all rules are one.
  const shown = others.filter(([rule]) => rule !== release.rule && release.rule !== 'unrevised')
  return [own, ...shown].flatMap(([rule, value]) =>
    namesIn(parts).flatMap((model) =>
      protocol.horizons.map((horizon) => {
        return { rule, model, horizon, ...meanUnder(parts, model, horizon, value) }
      }),
    ),
  )
}

function meanUnder(
  { protocol, paired, cells, scores }: SeriesParts,
  model: string,
  horizon: number,
  value: SeriesTruth['value'],
) {
  const { panel, plan } = paired
  const shown = scores.filter(({ primary, kind }) => primary || kind === 'coverage')
  const places = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const columns = cells
    .filter((cell) => cell.isShown && cell.horizon === horizon)
    .map(({ id, series }) => {
      const at = places.get(series) as number
      return scoreColumns(panel.pairs(model, id), shown, at, (index) =>
        value(at, plan.origins.position(index) + horizon),
      )
    })
  const under = ({ id }: SeriesScore) => columns.map((of) => meanOf(of[id]!))
  const meanIn = (score: SeriesScore) => meanOfMeans(under(score).map(({ mean }) => mean))
  const [own, ...coverages] = shown.sort((a, b) => Number(b.primary) - Number(a.primary))
  return {
    pairs: under(own!).reduce((sum, { count }) => sum + count, 0),
    mean: meanIn(own!),
    ...(coverages.length > 0 && {
      coverage: Object.fromEntries(coverages.map((score) => [score.id, meanIn(score)])),
    }),
  }
}

/** How old the newest public value is when a forecast is due, over all series. */
function newestKnown({
  protocol,
  periods,
  rules,
  truth,
  origins,
}: SeriesTaskBasis): SeriesEvaluationResult['newest_known'][number][] {
  return protocol.horizons.map((horizon) => {
    const own = origins.filter((origin) => rules.targetsOf(origin).includes(horizon))
    const ages: number[] = []
    for (const origin of own) {
      const due = rules.due(origin)
      const isPublic = (at: number) =>
        protocol.series.some((_, series) => !Number.isNaN(truth.view(series, at, due)))
      let newest = Math.min(periods.length - 1, origin + Math.max(0, horizon))
      while (newest >= 0 && !isPublic(newest)) newest--
      if (newest >= 0) ages.push(origin - newest)
    }
    const median = ages.sort((a, b) => a - b)[Math.floor(ages.length / 2)] ?? null
    return { horizon, origins: own.length, median_steps: median }
  })
}

/** The verdict on every candidate, as a result has it. */
export const seriesDispositions = (parts: SeriesParts) =>
  dispositionsIn(parts, sharedKeys(parts), waitingIn(parts))

/** What waiting until forecasts are due is worth. */
function waitingIn({ registration, protocol, cells, cellOf, inferred, scores }: SeriesParts) {
  const primary = scores.find((score) => score.primary)?.id as string
  const isAsked = askedIn(registration.not_asked)
  return chargedWaiting({
    comparators: registration.comparators,
    horizons: protocol.horizons,
    charged: inferred.charged,
    cellsIn: (comparator, horizon) =>
      cells
        .filter(({ isShown, series }) => isShown && isAsked(comparator, series))
        .filter((cell) => (horizon === 'overall' ? cell.decides : cell.horizon === horizon))
        .map(({ id }) => id),
    lossOf: (comparator, cell) => cellOf(comparator, cell).columns[primary]!,
  })
}

/** What of waiting keeps from a verdict: persistence says how much. */
function waitingBasis(parts: SeriesParts, all: readonly ChargedWaiting[]): WaitingBasis {
  const { protocol, cells } = parts
  const { nowcasts } = parts.waiting
  const named = protocol.baselines.filter(({ kind }) => kind === 'persistence')
  const shown = all.filter(({ comparator }) => named.some(({ id }) => id === comparator))
  const steps = testedHorizons(parts, cells)
  return {
    worth: largestWorth(shown.length > 0 ? shown : all),
    nowcasts: nowcasts.filter((step) => steps.includes(step)),
    isOnly: steps.length > 0 && steps.every((step) => nowcasts.includes(step)),
    isGivenAway: protocol.origins.waiting === 'part_of_the_task',
  }
}

/** Names of the cells that are tested. */
const testedKeys = (cells: readonly SeriesCell[]): ReadonlySet<string> =>
  new Set(cells.flatMap(({ inTest, series, horizon }) => (inTest ? `${horizon} ${series}` : [])))

/** The verdict on every candidate, by the limits of the protocol. */
function dispositionsIn(
  parts: SeriesParts,
  shared: readonly SharedKeys[],
  waiting: readonly ChargedWaiting[],
): SeriesEvaluationResult['dispositions'][number][] {
  const { registration, protocol, paired, cells, inferred } = parts
  const given = waitingBasis(parts, waiting)
  const { limits, baselines } = protocol
  const { definitions, ladder, testOf, groups, cellsOf } = inferred
  const horizons = testedHorizons(parts, cells)
  const beside = (name: string) => (given.isGivenAway ? 0 : worthAgainst(waiting, name))
  const idOf = idsOf(parts)
  const isDirected = directionOf(parts) !== undefined
  const found = dispositionsOf({
    registration,
    paired,
    practicalFloor: Number(limits.practical_effect),
    regressionLimit: Number(limits.harm),
    directionLimit: negativeDirection(
      Number(limits.direction ?? Number.POSITIVE_INFINITY),
      Number(directionOf(parts)?.epsilon ?? 0),
    ),
    availabilityLimits: {
      all: Number(limits.availability),
      level: Number(limits.availability_stratum),
    },
    shortened: throughOf(parts) !== undefined,
    alpha: Number(protocol.uncertainty.alpha),
    verdicts: ladder.verdicts,
    isBuiltIn: (name) => baselines.some(({ id }) => id === name),
    missingOutcomes: missingIn(parts),
    // Refused before: no list of periods is frozen with such numbers.
    tooLax: [],
    waiting: given,
    found: (candidate, { name: comparator, source }) => {
      const judged = (horizon: number | 'overall') => {
        const at = testPlace(definitions, { candidate, comparator, horizon })
        const { comparatorMean: comparatorLoss, components } = testOf(definitions[at]!, 'worst')
        const estimate = meanOfColumns(components)
        return { test: ladder.tests[at]!, comparatorLoss, estimate }
      }
      // None against persistence, and where the comparator says up or down too rarely: nothing can be lost to it there.
      const direction = (horizon: number) => {
        const role = 'direction_error'
        const at = testPlace(definitions, { candidate, comparator, role, horizon })
        return at < 0 || cellsOf(definitions[at]!).length === 0 ? null : ladder.tests[at]!
      }
      const asked = horizons.filter(
        (horizon) => testPlace(definitions, { candidate, comparator, horizon }) >= 0,
      )
      return {
        availability: availabilityIn(
          parts,
          shared,
          { candidate, comparator },
          source === 'history',
        ),
        overall: { ...judged('overall'), waiting: beside(comparator) },
        horizons: asked.map((horizon) => {
          const point = judged(horizon)
          const directed = isDirected && !given.nowcasts.includes(horizon)
          return { horizon, point, direction: directed ? direction(horizon) : undefined }
        }),
        groups: groups.filter(({ definition }) => isBetween({ candidate, comparator })(definition)),
      }
    },
  })
  const named = (measure: string | null) => measure && idOf[measure as VerdictMeasure]
  return found.map(({ reasons, ...of }) => ({
    ...of,
    reasons: reasons.map((reason) => ({ ...reason, measure: named(reason.measure) })),
  }))
}

/** What was left out in a comparison. @param ofHistory - as `availabilityOf` takes it. */
function availabilityIn(
  parts: SeriesParts,
  shared: readonly SharedKeys[],
  rivals: { readonly candidate: string; readonly comparator: string },
  ofHistory: boolean,
) {
  const isAsked = askedIn(parts.registration.not_asked)
  const tested = testedKeys(parts.cells)
  const own = shared
    .filter(isBetween(rivals))
    .filter((keys) => tested.has(`${keys.horizon} ${keys.series}`))
    .filter(({ series }) => isAsked(rivals.comparator, series))
  const shareOf = lossShares(parts, rivals.comparator)
  const bySeries = parts.protocol.series.map(({ id }) => ({
    level: `series: ${id}`,
    isSeries: true,
    lossShare: shareOf(id),
    cells: own.filter(({ series }) => series === id),
  }))
  return availabilityOf(own, bySeries, true, ofHistory)
}

/** How much of a comparator's loss that of a series is, over all cells that are tested. */
function lossShares(parts: SeriesParts, comparator: string): (series: string) => number {
  const { cells, cellOf, registration } = parts
  const isAsked = askedIn(registration.not_asked)
  const own = new Map<string, number>()
  for (const { id, inTest, series } of cells) {
    if (!inTest || !isAsked(comparator, series)) continue
    const { mean } = meanOf(cellOf(comparator, id).columns[primaryOf(parts)]!)
    own.set(series, (own.get(series) ?? 0) + (mean ?? 0))
  }
  const all = [...own.values()].reduce((sum, one) => sum + one, 0)
  return (series) => (all === 0 ? 0 : (own.get(series) ?? 0) / all)
}

/** Where more of the expected outcomes are missing than a verdict can do with. */
function missingIn({ protocol, periods, truth, origins, cells }: SeriesParts): MissingOutcomes[] {
  const groups = groupOf(protocol)
  const before = protocol.series.map((each, series) => ({
    id: each.id,
    from: expectedFrom(each, periods),
    hasValue: (period: number) => !Number.isNaN(truth.value(series, period)),
  }))
  const labelOf = (period: number) => (periods[period] as Period).label
  return [
    ...missingOutcomes(cells, (series) => groups.get(series)),
    ...(protocol.scaling.kind === 'none' ? mostlyMissing(cells) : []),
    ...missingBefore(before, origins[0] as number, labelOf),
  ]
}
