import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOf } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import type { CommitmentLookup } from '../pairing/types.js'
import { seriesTimes } from '../periods/series-times.js'
import { streamed } from '../store/open.js'
import { seriesTruth } from '../task/series-truth.js'
import { checkTruth } from '../truth/check.js'
import { readTruth, type TruthVintage } from '../truth/vintage.js'
import { DigestedRows } from './digested-rows.js'
import type { EvaluationTask } from './evaluate.js'
import { readsHistory, strataOf, type WindowRows, windowRows } from './history.js'
import { hourlyTask } from './hourly-task.js'
import { broken, guarded } from './links.js'
import { type Documents, type HourlyDocuments, isOfSeries, type SeriesDocuments } from './load.js'
import { modelsOf } from './plan.js'
import type { AnyResult } from './result/types.js'
import { seriesOriginLabels } from './series-plan.js'
import { seriesTask } from './series-task.js'

/** The outcomes of an evaluation, and what becomes of them in the way of its version. */
export interface Outcomes {
  readonly manifest: {
    readonly sha256: string
    readonly vintage_id: string
    readonly source: string
  }
  /** What is computed from them. @param documents - as the evaluation goes by them. */
  task(
    documents: Documents,
    history: WindowRows,
    commitments: CommitmentLookup | undefined,
  ): EvaluationTask<AnyResult>
}

/**
 * Reads the outcomes and proves that they are the registered ones and reach far enough.
 * @param now undefined where the time of day plays no part, as in an audit.
 */
export async function loadOutcomes(
  path: string,
  documents: Documents,
  now?: Instant,
): Promise<Outcomes> {
  const { asOf } = documents.expected
  if (now !== undefined && now < asOf) {
    const args = { asOf: formatUtc(asOf), now: formatUtc(now) }
    throw broken('outcomes', [finding('not-matured-yet', args, { file: path })])
  }
  const read = isOfSeries(documents) ? seriesOutcomes : hourlyOutcomes
  const outcomes = await guarded('outcomes', () => read(path))
  const found = [
    ...(outcomes.faults?.(documents) ?? []),
    ...otherOutcomes(documents, outcomes.manifest, path),
    ...tooShort(documents, outcomes, path),
  ]
  if (found.length > 0) throw broken('outcomes', found.slice(0, 1))
  return outcomes
}

/** Whether outcomes are others than a registration names. */
function otherOutcomes(
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
  /** Up to when they have all that counts. */
  readonly last: Instant
  /** What is wrong with them under the rule of release. */
  readonly faults?: (documents: Documents) => Finding[]
}

function tooShort(documents: Documents, { last }: ReadOutcomes, file: string): Finding[] {
  if (isOfSeries(documents)) return notSettled(documents, last, file)
  const { lastTarget } = documents.expected
  if (last >= lastTarget) return []
  const args = { needed: formatUtc(lastTarget), last: formatUtc(last) }
  return [finding('outcomes-too-short', args, { file })]
}

function notSettled(documents: SeriesDocuments, last: Instant, file: string): Finding[] {
  const { registration, protocol, periods, expected } = documents
  const { settled } = seriesTimes(protocol, periods)
  const targets = targetsOf(documents).filter((at) => settled(at) > last)
  if (targets.length === 0) return []
  const args = {
    count: targets.length * protocol.series.length * modelsOf(registration).length,
    period: periods[targets.reduce((a, b) => Math.min(a, b))]?.label ?? '',
    complete: last < 0 ? 'no stated time' : formatUtc(last),
    settled: formatUtc(expected.asOf),
  }
  return [finding('outcomes-not-settled', args, { file })]
}

const hourlyOutcomes = (path: string): ReadOutcomes => hourlyOutcomesOf(readVintage(path))

/** Closes at hand, as the outcomes of an evaluation. */
export function hourlyOutcomesOf(vintage: Vintage): ReadOutcomes {
  const { manifest, last } = vintage
  return {
    manifest,
    last,
    task: (documents, { regimes }, commitments) => {
      const own = documents as HourlyDocuments
      const strata = strataOf(own.registration, vintage, regimes)
      return hourlyTask({ ...own, vintage, strata, commitments })
    },
  }
}

function seriesOutcomes(path: string): ReadOutcomes {
  const vintage: TruthVintage = readTruth(path)
  const { manifest } = vintage
  return {
    manifest,
    last: instantOf(manifest.complete_to) ?? Number.NEGATIVE_INFINITY,
    faults: (documents) => {
      const { protocol, periods } = documents as SeriesDocuments
      const among = new Set(targetsOf(documents as SeriesDocuments))
      return checkTruth(protocol, periods, seriesTimes(protocol, periods), vintage, 'error', among)
    },
    task: (documents, _, commitments) => {
      const own = documents as SeriesDocuments
      const times = seriesTimes(own.protocol, own.periods)
      const truth = seriesTruth(own.protocol, own.periods, times, vintage)
      return seriesTask({ ...own, times, truth, vintage, commitments })
    },
  }
}

/** Positions of the targets of a window, one of each origin and step. */
function targetsOf({ registration, protocol, periods }: SeriesDocuments): number[] {
  const times = seriesTimes(protocol, periods)
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  const origins = seriesOriginLabels(registration, protocol, periods).map((label) =>
    Number(places.get(label)),
  )
  return origins.flatMap((at) => times.targetsOf(at).map((step) => at + step))
}

/** What a history has for the window of a registration. */
export async function rowsOfWindow(path: string, documents: Documents): Promise<WindowRows> {
  if (!isOfSeries(documents)) return await windowRows(path, documents.registration)
  const { registration, protocol, periods } = documents
  const labels = seriesOriginLabels(registration, protocol, periods)
  const batches = (): AsyncIterable<readonly PairingRow[]> =>
    readsHistory(registration) ? streamed(path, (reader) => reader.seriesRows(labels)) : noRows()
  return { rows: () => new DigestedRows(batches()), regimes: new Map() }
}

async function* noRows(): AsyncGenerator<never> {}
