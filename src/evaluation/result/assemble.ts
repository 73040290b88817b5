import type { Registration } from '../../contract/types.js'
import { digestWithout } from '../../document/digest.js'
import { cumulativeDifference, hlnTest, weekMemory } from '../../inference/beside.js'
import { type CosineTables, cosineTables } from '../../inference/cosines.js'
import type { SeriesTest } from '../../inference/family-series.js'
import type { EwcResult, EwcTested } from '../../inference/types.js'
import type { Vintage } from '../../outcomes/types.js'
import { stratumLevels, testWeights } from '../../registration/family.js'
import { settingsOf } from '../../registration/settings.js'
import type { TestDefinition } from '../../registration/types.js'
import type { RowsDigest } from '../digested-rows.js'
import { dispositionStage } from '../disposition.js'
import type { Inferred } from '../infer.js'
import type { Documents } from '../load.js'
import { accountingOf, type ComputedParts, measuresOfAll, sharedKeys } from './cells.js'
import { lateForecasts, type Reading, withSecond } from './readings.js'
import { ewcFiguresOf, familyOf, testFigures, verdictsOf } from './tests.js'
import type { CodeVersion, EvaluationResult, ResultTest } from './types.js'

function testsOf(registration: Registration, inferred: Inferred): ResultTest[] {
  const { definitions, series, family } = inferred
  const besideOf = ewcMembers(registration, inferred)
  return definitions.map((definition, index) => {
    const { name, candidate, comparator, measure, horizon, stratum, decides } = definition
    return {
      ...{ name, candidate, comparator, measure, horizon, stratum, decides },
      ...testFigures(family.tests[index]!, series[index]!.comparatorMean),
      ...besideOf?.(index),
    }
  })
}

/** What a test has besides where it was made by the cosine test; undefined where it was not. */
function ewcMembers(
  { inference, comparators }: Registration,
  { definitions, series, family: { tests, bootstrap, verdicts } }: Inferred,
) {
  if (inference?.method !== 'ewc-t') return undefined
  const weights = testWeights(definitions, inference.weights, comparators)
  const tables = cosineTables()
  return (index: number) => {
    const test = tests[index] as EwcResult
    const definition = definitions[index] as TestDefinition
    const drawn = bootstrap?.get(test.name)
    const tested = test.status === 'tested' ? test : undefined
    return {
      ...ewcFiguresOf(test, weights[index] as number),
      bootstrap:
        drawn?.status === 'tested'
          ? { p: drawn.p, lower: drawn.bounds.lower, upper: drawn.bounds.upper }
          : null,
      ...(verdicts && tested && besideTest(definition, series[index]!, tested, tables)),
    }
  }
}

/** What is shown beside a deciding test that was made, and has no say in it. */
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

/** Every model of a registration with its role. */
export function modelsIn({
  candidates,
  comparators,
}: Pick<Registration, 'candidates' | 'comparators'>): EvaluationResult['models'] {
  return [
    ...candidates.map((model) => ({ ...model, role: 'candidate' as const, required_as: [] })),
    ...comparators.map((model) => ({ ...model, role: 'comparator' as const })),
  ]
}

function readingOf(parts: ComputedParts): Reading {
  const { registration, protocol, inferred } = parts
  const { verdicts } = inferred.family
  const strata = stratumLevels(registration.strata)
  const accounting = accountingOf(parts, strata)
  const tests = testsOf(registration, inferred)
  const shared = sharedKeys(parts, strata)
  return {
    accounting,
    measures: measuresOfAll(parts, strata),
    shared_keys: shared,
    family: familyOf(tests, registration.family_sha256),
    tests,
    ...(verdicts && { verdicts: verdictsOf(verdicts) }),
    dispositions: dispositionStage(registration, protocol, inferred, accounting, shared),
  }
}

/**
 * Puts the result together and seals it with its own digest.
 * @param second - what was computed with the forecasts, too, that were committed late or not at all.
 */
export function assembleResult(
  parts: ComputedParts,
  metadata: RunMetadata,
  second?: ComputedParts,
): EvaluationResult {
  const { registration, protocol, paired, inferred } = parts
  const first = readingOf(parts)
  const result = {
    result_version: 1 as const,
    result_sha256: '',
    ...metadata,
    inputs: { ...metadata.inputs, vintage: vintageOf(parts.vintage) },
    mode: registration.mode,
    settings: settingsOf(registration, protocol),
    ...(registration.scorer === undefined ? {} : { scorer: registration.scorer }),
    models: modelsIn(registration),
    strata: registration.strata
      .filter(({ levels = [] }) => levels.length > 0)
      .map(({ name, levels = [] }) => ({
        name,
        levels: levels.map(({ level }) => ({
          level,
          origins: paired.memberships.find(name, level)?.origins ?? 0,
        })),
      })),
    ...first,
    outside_grid: Object.fromEntries(
      [...paired.accounting.outside].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    controls: [...inferred.family.controls],
    ...(second && withSecond(first, readingOf(second), lateForecasts(parts))),
  }
  return { ...result, result_sha256: digestWithout(result, 'result_sha256') }
}

/** What a result says of the run; the computation does not know it. */
export interface RunMetadata
  extends Pick<
    EvaluationResult,
    'code' | 'exploratory' | 'earlier_readings' | 'time' | 'registrations'
  > {
  /** All but the outcomes, which each version describes by itself. */
  readonly inputs: Omit<EvaluationResult['inputs'], 'vintage'>
}

/** The same for `score` and for `audit`. */
export function runMetadata(
  { registration, registrationEntry, protocol, protocolEntry, registrations }: Documents,
  { sha256, rows }: RowsDigest,
  pairs: { readonly sha256: string; readonly rows: number },
  code: CodeVersion,
  earlier: number,
  time?: EvaluationResult['time'],
): RunMetadata {
  return {
    code,
    exploratory: earlier > 0,
    earlier_readings: earlier,
    ...(time && { time }),
    ...(registrations && { registrations }),
    inputs: {
      protocol: {
        version: protocol.protocol_version,
        sha256: protocol.protocol_sha256,
        ledger_entry_sha256: protocolEntry.entry_sha256,
      },
      registration: {
        name: registration.name,
        sha256: registration.registration_sha256,
        registered_at: registration.registered_at,
        family_sha256: registration.family_sha256,
        ledger_entry_sha256: registrationEntry.entry_sha256,
      },
      history: { sha256, rows },
      pairs,
    },
  }
}

/** What a result says of its outcomes. */
function vintageOf({ manifest }: Vintage): EvaluationResult['inputs']['vintage'] {
  const { vintage_id: id, sha256, source, first, last, count: closes } = manifest
  return { id, sha256, source, first, last, closes }
}
