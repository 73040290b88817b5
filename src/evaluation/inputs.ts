import { type Finding, finding } from '../contract/findings/finding.js'
import { checkedInstant, formatUtc, type Instant, parseInstant } from '../contract/instant.js'
import type { CommitmentLookup } from '../pairing/plan.js'
import { targetsFrom } from '../periods/series-times.js'
import { scaleFindings } from '../scoring/scales.js'
import { checkTruth } from '../truth/check.js'
import { readVintage, type Vintage } from '../truth/closes/vintage.js'
import { readTruth, type TruthVintage } from '../truth/releases-vintage.js'
import { risingFindings } from '../truth/rising.js'
import { createSeriesTruth, type SeriesTruth } from '../truth/series-truth.js'
import { createStrata, type Regimes } from './history.js'
import { assertReadable, linkError } from './links.js'
import { type Documents, type HourlyDocuments, isOfSeries, type SeriesDocuments } from './load.js'
import { registeredModels } from './plan.js'
import type { EvaluationTask } from './reading/sealed-result.js'
import { hourlyTask, seriesTask } from './task.js'

/** The outcomes of an evaluation, with the operations of their version. */
export interface Outcomes {
  readonly manifest: {
    readonly sha256: string
    readonly vintage_id: string
    readonly source: string
  }
  /** Makes the computations. @param documents - as the evaluation uses them. */
  task(
    documents: Documents,
    regimes: Regimes,
    commitments: CommitmentLookup | undefined,
  ): EvaluationTask
}

/**
 * Reads the outcomes and checks that they are the registered ones and reach far enough.
 * @param now undefined if the present does not matter, as in an audit.
 */
export async function loadOutcomes(
  path: string,
  documents: Documents,
  now?: Instant,
): Promise<Outcomes> {
  const { asOf } = documents.expected
  if (now !== undefined && now < asOf) {
    const args = { asOf: formatUtc(asOf), now: formatUtc(now) }
    throw linkError('outcomes', [finding('not-matured-yet', args, { file: path })])
  }
  const read = () =>
    isOfSeries(documents)
      ? toSeriesOutcomes(readTruth(path, documents.rules), documents)
      : toHourlyOutcomes(readVintage(path))
  const outcomes = await assertReadable('outcomes', read)
  const faults = [
    ...otherOutcomes(documents, outcomes.manifest, path),
    ...outcomes.faults(documents).map((each) => ({ file: path, ...each })),
  ]
  if (faults.length > 0) throw linkError('outcomes', faults.slice(0, 1))
  return outcomes
}

/** Whether the outcomes differ from those that a registration names. */
export function otherOutcomes(
  { registration }: Documents,
  { sha256: digest, vintage_id: name, source: from }: Outcomes['manifest'],
  file: string,
): Finding[] {
  const { vintage_sha256: sha256, vintage_id: id, source } = registration.outcomes
  const differs = (fault: 'digest' | 'id' | 'source', registered: string, found: string) =>
    registered === found
      ? []
      : [finding('outcomes-not-registered', { fault, registered, found }, { file })]
  return [
    ...differs('digest', sha256 ?? digest, digest),
    ...differs('id', id ?? name, name),
    ...(sha256 === null ? differs('source', source, from) : []),
  ]
}

interface ReadOutcomes extends Outcomes {
  /**
   * Reports outcomes that end too early; for other series also violations of the rule of release, or of registered
   * scales.
   */
  readonly faults: (documents: Documents) => Finding[]
}

/**
 * @param last - until when the outcomes are complete.
 */
function notSettled(documents: SeriesDocuments, last: Instant): Finding[] {
  const { registration, periods, rules, origins, expected } = documents
  const isOpen = (target: number) => rules.settled(target) > last
  const targets = targetsFrom(rules, origins).filter(isOpen)
  if (targets.length === 0) return []
  const first = origins.findIndex((at) => targetsFrom(rules, [at]).some(isOpen))
  const end = registration.mode === 'backtest' ? origins[first - 1] : undefined
  const args = {
    count: targets.length * rules.series.length * registeredModels(registration).length,
    period: periods[targets.reduce((a, b) => Math.min(a, b))]?.label ?? '',
    complete: last < 0 ? 'no stated time' : formatUtc(last),
    settled: formatUtc(expected.asOf),
    through: (end !== undefined && periods[end]?.label) || '',
  }
  return [finding('outcomes-not-settled', args)]
}

/** Closes in memory, as the outcomes of an evaluation. */
export function toHourlyOutcomes(vintage: Vintage): ReadOutcomes {
  const { manifest, last } = vintage
  return {
    manifest,
    faults: ({ expected: { lastTarget } }) => {
      const args = { needed: formatUtc(lastTarget), last: formatUtc(last) }
      return last >= lastTarget ? [] : [finding('outcomes-too-short', args)]
    },
    task: (documents, regimes, commitments) => {
      const hourly = documents as HourlyDocuments
      const strata = createStrata(hourly.rules, vintage, regimes)
      return hourlyTask({ ...hourly, vintage, strata, commitments })
    },
  }
}

/**
 * What outcomes reveal about a registration made without them: running totals declared as stocks, and different scales.
 */
function unlikeRegistered(
  { registration, periods, rules }: SeriesDocuments,
  truth: SeriesTruth,
): Finding[] {
  const { scales, scales_as_of: asOf, registered_at: registered } = registration
  const rising = risingFindings(rules, periods, truth, checkedInstant(registered))
  if (scales.length === 0) return rising
  const at = checkedInstant(asOf ?? registered)
  return [...rising, ...scaleFindings(scales, rules, periods, truth, at)]
}

/** Releases in memory, as the outcomes of an evaluation. */
export function toSeriesOutcomes(vintage: TruthVintage, documents: SeriesDocuments): ReadOutcomes {
  const { manifest } = vintage
  const { periods, rules, origins } = documents
  const truth = createSeriesTruth(rules, periods, vintage)
  return {
    manifest,
    faults: () => {
      const among = new Set(targetsFrom(rules, origins))
      const faults = checkTruth(rules, periods, vintage, 'error', among)
      const last = parseInstant(manifest.complete_to) ?? Number.NEGATIVE_INFINITY
      return [...notSettled(documents, last), ...faults, ...unlikeRegistered(documents, truth)]
    },
    task: (own, _, commitments) =>
      seriesTask({ ...(own as SeriesDocuments), truth, vintage, commitments }),
  }
}
