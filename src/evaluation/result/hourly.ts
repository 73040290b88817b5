import { isBaselineName } from '../../contract/baseline-names.js'
import type { Registration } from '../../contract/types.js'
import { cumulativeDifference, hlnTest, weekMemory } from '../../inference/beside.js'
import { type CosineTables, cosineTables } from '../../inference/cosines.js'
import type { SeriesTest } from '../../inference/family-series.js'
import type { EwcResult, EwcTested } from '../../inference/types.js'
import { compileHourly } from '../../protocol/rules/compile-hourly.js'
import { negativeDirection, tooLax } from '../../protocol/rules/lax.js'
import { hasVerdict, stratumLevels, testWeights } from '../../registration/family.js'
import { designOf, settingsOf } from '../../registration/settings.js'
import type { TestDefinition } from '../../registration/types.js'
import type { Quantile } from '../../scoring/below.js'
import { type ColumnMeans, columnMeans, figuresOf, overallMeans } from '../../scoring/columns.js'
import {
  countKeys,
  countOutcomes,
  countUncalled,
  countWithheld,
  keysOf,
} from '../../scoring/differences.js'
import { scorerVersionOf } from '../../scoring/measures.js'
import { meanOf, meanOfColumns } from '../../scoring/sum.js'
import type { Vintage } from '../../truth/closes/vintage.js'
import { availabilityOf, dispositionsOf } from '../disposition.js'
import { cellOutcomes, missingOutcomes } from '../gaps.js'
import { type CellOf, type Inferred, type OwnMeasure, ownKey } from '../infer.js'
import type { Paired } from '../pair.js'
import { type HourlyBasis, modelsOf } from '../plan.js'
import { directedPairs, testPlace } from '../verdict-hypotheses.js'
import { type ChargedWaiting, chargedWaiting, largestWorth, worthAgainst } from '../waiting.js'
import { isBetween, type Reading } from './readings.js'
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
import type {
  CandidateDisposition,
  EvaluationResult,
  Horizon,
  ModelMeasures,
  ResultAccounting,
  ResultStratum,
  ResultTest,
  SharedKeys,
} from './types.js'

function testsOf(registration: Registration, inferred: Inferred): ResultTest[] {
  const { definitions, series, tests } = inferred
  const besideOf = ewcMembers(registration, inferred)
  return definitions.map((definition, index) => {
    const { name, candidate, comparator, measure, horizon, stratum, decides } = definition
    return {
      ...{ name, candidate, comparator, measure, horizon, stratum, decides },
      ...testFigures(tests[index]!, series[index]!.comparatorMean),
      ...besideOf?.(index),
    }
  })
}

/** Additional members of a test by the cosine test; undefined for other methods. */
function ewcMembers(
  { inference, comparators }: Registration,
  { definitions, series, tests, verdicts }: Inferred,
) {
  if (inference?.method !== 'ewc-t') return undefined
  const weights = testWeights(definitions, inference.weights, comparators)
  const tables = cosineTables()
  return (index: number) => {
    const test = tests[index] as EwcResult
    const definition = definitions[index] as TestDefinition
    const tested = test.status === 'tested' ? test : undefined
    return {
      ...ewcFiguresOf(test, weights[index] as number),
      ...(verdicts && tested && besideTest(definition, series[index]!, tested, tables)),
    }
  }
}

/** Diagnostics of a deciding test; they do not decide. */
function besideTest(
  { decides, horizon }: TestDefinition,
  { components }: SeriesTest,
  { effectiveBlocks }: EwcTested,
  tables: CosineTables,
): Partial<ResultTest> {
  if (!decides) return {}
  if (horizon !== 'overall') return { hln: hlnTest(components[0]!, horizon) }
  return {
    week_memory: weekMemory(components, effectiveBlocks, tables),
    cumulative: cumulativeDifference(components),
  }
}

function readingOf(parts: ComputedParts): Reading {
  const { registration, inferred } = parts
  const { verdicts } = inferred
  const strata = stratumLevels(registration.strata)
  const tests = testsOf(registration, inferred)
  const shared = sharedKeys(parts, strata)
  return {
    accounting: accountingOf(parts, strata),
    measures: measuresOfAll(parts, strata),
    shared_keys: shared,
    family: familyOf(tests, registration.family_sha256),
    tests,
    ...(verdicts && { verdicts: verdictsOf(verdicts) }),
    dispositions: dispositionsIn(parts, shared),
  }
}

/**
 * Assembles the result and seals it with its own digest.
 * @param second - computed with forecasts included that were committed late or never.
 */
export function assembleResult(
  parts: ComputedParts,
  metadata: RunMetadata,
  second?: ComputedParts,
): EvaluationResult {
  const { registration, protocol, paired } = parts
  const own = {
    ...metadata,
    inputs: { ...metadata.inputs, vintage: vintageOf(parts.vintage) },
    settings: settingsOf(registration, protocol),
    ...(registration.scorer && { scorer: registration.scorer }),
    ...(hasVerdict(registration) && { waiting: waitingIn(parts) }),
    strata: registration.strata
      .filter(({ levels = [] }) => levels.length > 0)
      .map(({ name, levels = [] }) => ({
        name,
        levels: levels.map(({ level }) => ({
          level,
          origins: paired.memberships.of({ name, level })?.origins ?? 0,
        })),
      })),
  }
  const basis = { version: 1, registration, paired } as const
  return sealedResult(basis, own, readingOf(parts), second && readingOf(second))
}

/** What a result says of its outcomes. */
function vintageOf({ manifest }: Vintage): EvaluationResult['inputs']['vintage'] {
  const { vintage_id: id, sha256, source, first, last, count: closes } = manifest
  return { id, sha256, source, first, last, closes }
}

/** All computed parts from which a result is assembled. */
export interface ComputedParts extends HourlyBasis {
  readonly paired: Paired
  readonly cellOf: CellOf
  readonly inferred: Inferred
}

/** How many outcomes lie below each quantile; undefined without verdict hypotheses. */
function shareBelow(
  { cellOf, inferred }: ComputedParts,
  model: string,
  horizon: number,
): ModelMeasures['below'] {
  const { below } = cellOf(model, horizon)
  if (below === undefined) return undefined
  const of = (quantile: Quantile) => {
    const { count, mean: share } = meanOf(below[quantile])
    const bounds = inferred.ownBounds.get(ownKey(`below_${quantile}`, model, horizon))
    // If all outcomes are on one side there is no variation, so no error can be estimated.
    return { pairs: count, share, bounds: share === 0 ? null : boundsOf(bounds) }
  }
  return { '0.1': of('0.1'), '0.5': of('0.5'), '0.9': of('0.9') }
}

function measuresIn(
  parts: ComputedParts,
  model: string,
  horizon: Horizon,
  stratum: ResultStratum,
  means: ColumnMeans,
): ModelMeasures {
  const { registration, inferred } = parts
  const own = (measure: OwnMeasure) =>
    stratum === 'all' ? boundsOf(inferred.ownBounds.get(ownKey(measure, model, horizon))) : null
  const { interval, ...point } = figuresOf(means, scorerVersionOf(registration))
  const below = stratum === 'all' && horizon !== 'overall' && shareBelow(parts, model, horizon)
  return {
    model,
    horizon,
    stratum,
    ...point,
    point_loss_bounds: own('point_loss'),
    interval: { ...interval, coverage_bounds: own('coverage') },
    ...(below && { below }),
  }
}

/**
 * How the attempts of every model and stratum ended, per horizon and over all horizons. With verdict hypotheses,
 * attempts without an outcome are counted separately and are not expected.
 */
export function accountingOf(
  { paired, registration }: ComputedParts,
  strata: readonly ResultStratum[],
): ResultAccounting[] {
  const { memberships } = paired
  const { horizons_hours: horizons } = registration
  return modelsOf(registration).flatMap((model) =>
    strata.flatMap((stratum) => {
      const level = memberships.of(stratum)
      const within = { model, ...(level && { levels: [level] }) }
      const cell = (horizon: number | 'all'): ResultAccounting => {
        const shown = shownCounts(paired, horizon === 'all' ? within : { ...within, horizon })
        return { model, horizon, stratum, ...shown }
      }
      return [...horizons.map(cell), cell('all')]
    }),
  )
}

/** The scores of every model and stratum, overall and per horizon. */
export function measuresOfAll(
  parts: ComputedParts,
  strata: readonly ResultStratum[],
): ModelMeasures[] {
  const { horizons_hours: horizons } = parts.registration
  return modelsOf(parts.registration).flatMap((model) =>
    strata.flatMap((stratum) => {
      const members = parts.paired.memberships.of(stratum)?.mask
      const each = horizons.map((horizon) =>
        columnMeans(parts.cellOf(model, horizon).columns, members),
      )
      return [
        measuresIn(parts, model, 'overall', stratum, overallMeans(each)),
        ...horizons.map((horizon, at) => measuresIn(parts, model, horizon, stratum, each[at]!)),
      ]
    }),
  )
}

/** The keys that every candidate shares with every comparator. */
export function sharedKeys(parts: ComputedParts, strata: readonly ResultStratum[]): SharedKeys[] {
  const { candidates, comparators, limits, horizons_hours: horizons } = parts.registration
  const counted = limits.availability !== undefined
  return candidates.flatMap(({ name: candidate }) =>
    comparators.flatMap(({ name: comparator }) =>
      horizons.flatMap((horizon) => {
        const ours = parts.cellOf(candidate, horizon)
        const theirs = parts.cellOf(comparator, horizon)
        const codes = keysOf(ours.pairs, theirs.pairs, 'point')
        const uncalled = (members: Uint8Array | undefined) => {
          const { columns } = ours
          const charged = ours.charged?.direction_error
          const { direction_error: own } = columns
          const other = theirs.columns.direction_error
          return charged && { uncalled: countUncalled(codes, own, charged, other, members) }
        }
        const outcomes = counted ? parts.paired.outcomes(horizon) : undefined
        return strata.map((stratum) => {
          const members = parts.paired.memberships.of(stratum)?.mask
          return {
            candidate,
            comparator,
            horizon,
            stratum,
            ...countKeys(codes, members),
            ...(outcomes && { with_outcome: countOutcomes(outcomes, members) }),
            ...uncalled(members),
            ...(ours.charged &&
              outcomes && { intervals_withheld: countWithheld(outcomes, ours.pairs, members) }),
          }
        })
      }),
    ),
  )
}

/** What waiting for the lag is worth; nothing is charged without verdict hypotheses. */
function waitingIn({ registration, inferred, cellOf }: ComputedParts): ChargedWaiting[] {
  const { comparators, horizons_hours: horizons } = registration
  if (!hasVerdict(registration)) return []
  return chargedWaiting({
    ...{ comparators, horizons, charged: inferred.charged },
    cellsIn: (_, horizon) => (horizon === 'overall' ? horizons : [horizon]),
    lossOf: (comparator, horizon) => cellOf(comparator, horizon).columns.point_loss,
  })
}

/** The worth against persistence; if it is not a comparator, the largest. */
function shownWorth(waiting: readonly ChargedWaiting[]): number {
  const own = waiting.filter(({ comparator }) => comparator === 'persistence')
  return largestWorth(own.length > 0 ? own : waiting)
}

/** The verdict on every candidate, by the limits of the registration. */
function dispositionsIn(
  parts: ComputedParts,
  shared: readonly SharedKeys[],
): CandidateDisposition[] {
  const { registration, protocol, paired, inferred } = parts
  const waiting = waitingIn(parts)
  const { limits, horizons_hours: horizons } = registration
  const { availability: all, availability_stratum: level = 1 } = limits
  const { definitions, series, tests, verdicts, testOf } = inferred
  const directed = directedPairs(registration, protocol)
  const isWhole = hasVerdict(registration)
  return dispositionsOf({
    registration,
    paired,
    verdicts,
    practicalFloor: protocol.design.practical_effect_floor,
    regressionLimit: limits.harm,
    directionLimit: negativeDirection(limits.direction, limits.epsilon),
    // Older registrations have no such limits.
    availabilityLimits: all === undefined ? undefined : { all, level },
    alpha: designOf(protocol).alpha,
    isBuiltIn: isBaselineName,
    missingOutcomes: missingOutcomes(cellOutcomes(paired)),
    tooLax: tooLax(compileHourly(protocol)),
    waiting: { worth: shownWorth(waiting), nowcasts: [], isOnly: false },
    found: (candidate, { name: comparator, source }) => {
      const judged = (measure: 'point_loss' | 'direction_error', horizon: Horizon) => {
        const at = testPlace(definitions, { candidate, comparator, role: measure, horizon })
        const { comparatorMean: comparatorLoss, comparatorValues } = series[at]!
        const { components } = testOf(definitions[at]!, 'worst')
        const estimate = meanOfColumns(components)
        return { test: tests[at]!, comparatorLoss, comparatorValues, estimate }
      }
      const own = shared.filter(isBetween({ candidate, comparator }))
      const parts = stratumLevels(registration.strata).flatMap((level) => {
        if (level === 'all') return []
        const cells = own.filter(({ stratum }) => sameLevel(stratum, level))
        return [{ level: `${level.name}: ${level.level}`, cells }]
      })
      const whole = own.filter(({ stratum }) => stratum === 'all')
      return {
        availability: availabilityOf(whole, parts, isWhole, source === 'history'),
        overall: { ...judged('point_loss', 'overall'), waiting: worthAgainst(waiting, comparator) },
        horizons: horizons.map((horizon) => {
          const point = judged('point_loss', horizon)
          const direction = judged('direction_error', horizon)
          // A comparator that says up or down nowhere, or too rarely for any test (strongest_simple, while
          // it is persistence), has no direction to lose to. What the candidate says does not count here:
          // one that keeps silent where its comparator speaks is blocked for want of pairs.
          const silent = direction.comparatorValues < directed && point.test.pairs > 0
          return { horizon, point, direction: silent ? null : direction.test }
        }),
      }
    },
  })
}

const sameLevel = (stratum: ResultStratum, level: Exclude<ResultStratum, 'all'>): boolean =>
  stratum !== 'all' && stratum.name === level.name && stratum.level === level.level
