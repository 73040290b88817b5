import { join } from 'node:path'
import { type Finding, holds } from '../../contract/findings/finding.js'
import type { Vintage } from '../../outcomes/types.js'
import { buildStrata } from '../../registration/strata.js'
import {
  type Broken,
  broken,
  type Documents,
  fault,
  guarded,
  guardedAsync,
  type InputPaths,
  type Link,
  verifyDocuments,
  verifyOutcomes,
} from '../documents.js'
import { type EvaluateOptions, evaluate } from '../evaluate.js'
import { type HistoryRows, historyRows } from '../history-rows.js'
import { pairStage } from '../pairing.js'
import type { CodeVersion, Result } from '../result.js'
import { digestOf } from '../rows.js'
import { circumstancesOf } from '../run-metadata.js'
import {
  accessFaults,
  documentFaults,
  pairsFileFaults,
  reportFaults,
  settingFaults,
  vintageFaults,
} from './audit-links.js'
import { firstDifference, PairsComparison } from './differences.js'
import { FILES } from './folder.js'
import { inputPaths, readResult, requireEvidence } from './read-folder.js'

export interface AuditRequest extends EvaluateOptions {
  readonly folder: string
  /** Where the inputs are, if not where they were when the folder was written. */
  readonly paths: Partial<InputPaths>
  /** Digests only: nothing is paired, scored or tested again. */
  readonly quick: boolean
  readonly code: CodeVersion
}

export interface AuditOutcome {
  readonly ok: boolean
  /** Every link with what became of it; none is looked at after the first that does not hold. */
  readonly links: readonly { readonly link: Link; readonly state: LinkState }[]
  readonly findings: readonly Finding[]
  readonly result: Result | undefined
  /** The inputs it was held against; absent when the result itself is broken. */
  readonly paths?: InputPaths
}

export type LinkState = 'holds' | 'broken' | 'not_checked'

/** In the order in which they are checked. */
const ORDER: readonly Link[] = [
  'result',
  'registration',
  'ledger',
  'protocol',
  'outcomes',
  'history',
  'pairs',
  'computation',
  'access',
  'report',
]

/**
 * Checks an evidence folder link by link, from the documents to the report, and stops at the first
 * that does not hold. Nothing is written, anywhere.
 * @throws {ForeproofError} when the folder is no evidence or a file cannot be read.
 */
export async function auditFolder(request: AuditRequest): Promise<AuditOutcome> {
  requireEvidence(request.folder)
  const read = readResult(request.folder)
  if (!read.ok) return outcome(read, [], undefined, request.quick)
  const notes = codeNotes(read.result, request)
  const paths = inputPaths(request.folder, request.paths)
  const found = await chain(request, read.result, paths, notes)
  return { ...outcome(found, notes, read.result, request.quick), paths }
}

function outcome(
  found: Broken | undefined,
  notes: readonly Finding[],
  result: Result | undefined,
  quick: boolean,
): AuditOutcome {
  const at = found ? ORDER.indexOf(found.link) : ORDER.length
  const state = (link: Link, index: number): LinkState => {
    if (index === at) return 'broken'
    return index > at || (quick && link === 'computation') ? 'not_checked' : 'holds'
  }
  return {
    ok: found === undefined,
    links: ORDER.map((link, index) => ({ link, state: state(link, index) })),
    findings: [...(found?.findings ?? []), ...notes],
    result,
  }
}

function codeNotes(result: Result, { folder, code }: AuditRequest): Finding[] {
  if (result.code.sha256 === code.sha256) return []
  const args = { stored: `${result.code.name} ${result.code.version}`, found: code.version }
  return [{ ...fault('code-differs', join(folder, FILES.result), args), severity: 'note' }]
}

async function chain(
  request: AuditRequest,
  result: Result,
  paths: InputPaths,
  notes: Finding[],
): Promise<Broken | undefined> {
  const { folder, quick } = request
  const documents = verifyDocuments(paths)
  if (!documents.ok) return documents
  const other = documentFaults(result, documents, paths)
  if (other[0]) return broken(linkOf(other[0]), other)
  const outcomes = verifyOutcomes(paths.outcomes, documents.registration)
  if (!outcomes.ok) return outcomes
  const revised = vintageFaults(result, outcomes.vintage, paths.outcomes)
  if (revised.length > 0) return broken('outcomes', revised)
  const history = await guardedAsync('history', () =>
    historyRows(paths.history, documents.registration),
  )
  if ('ok' in history) return history
  try {
    const basis = basisOf(documents, outcomes.vintage, history)
    const changed = await dataFaults(request, result, basis, history, paths)
    if (changed) return changed
    const settings = settingFaults(result, documents, outcomes.vintage, folder)
    if (settings.length > 0) return broken('computation', settings)
    const differs = quick ? undefined : await recomputed(request, result, basis, history)
    if (differs) return differs
  } finally {
    await history.close()
  }
  const readings = guarded('access', () => accessFaults(result, folder, paths), 'is-a-finding')
  if ('ok' in readings) return readings
  if (readings.length > 0) return broken('access', readings)
  const sameCode = result.code.sha256 === request.code.sha256
  const reports = guarded('report', () => reportFaults(result, folder, sameCode), 'is-a-finding')
  if ('ok' in reports) return reports
  if (!holds(reports)) return broken('report', reports)
  notes.push(...reports)
  return undefined
}

function linkOf({ code }: Finding): Link {
  if (code === 'ledger-rewritten') return 'ledger'
  return code === 'result-of-other-protocol' ? 'protocol' : 'registration'
}

type AuditBasis = ReturnType<typeof basisOf>

function basisOf(documents: Documents, vintage: Vintage, history: HistoryRows) {
  const { closeAt } = vintage
  const strata = buildStrata(documents.registration.strata, { closeAt, regimeAt: history.regimeAt })
  return { ...documents, vintage, strata }
}

/** The history and the pairs against their digests; where one differs, what differs in it. */
async function dataFaults(
  request: AuditRequest,
  result: Result,
  basis: AuditBasis,
  history: HistoryRows,
  paths: InputPaths,
): Promise<Broken | undefined> {
  const read = await guardedAsync('history', () => digestOf(history.rows()))
  if ('ok' in read) return read
  const { sha256: stored, rows } = result.inputs.history
  if (read.sha256 !== stored) {
    const args = { stored: rows, found: read.rows }
    const what = request.quick ? undefined : await pairDifference(request, basis, history)
    if (what === undefined)
      return broken('history', [fault('history-changed', paths.history, args)])
    const { kind, attempt, member } = what
    return broken('history', [
      fault(`history-${kind}`, paths.history, {
        attempt,
        member,
        stored: what.stored,
        found: what.computed,
      }),
    ])
  }
  const folder = request.folder
  const pairs = guarded('pairs', () => pairsFileFaults(result, folder), 'is-a-finding')
  if ('ok' in pairs) return pairs
  if (pairs.length === 0) return undefined
  const what = request.quick ? undefined : await pairDifference(request, basis, history)
  if (what === undefined) return broken('pairs', pairs)
  return broken('pairs', [pairsFinding(request.folder, what)])
}

function pairsFinding(
  folder: string,
  {
    kind,
    line,
    attempt,
    member,
    stored,
    computed,
  }: NonNullable<Awaited<ReturnType<typeof pairDifference>>>,
): Finding {
  const args = { attempt, member, stored, found: computed }
  return {
    ...fault(`pairs-${kind}`, join(folder, FILES.pairs), args),
    position: { line, column: 1 },
  }
}

/** Pairs anew, without scoring, and looks for the first line that is not the stored one. */
async function pairDifference(
  { folder, onProgress }: AuditRequest,
  basis: AuditBasis,
  history: HistoryRows,
) {
  const comparison = new PairsComparison(join(folder, FILES.pairs))
  await pairStage(basis, history.rows(), comparison.compare, (completed, total) =>
    onProgress?.('pairing', completed, total),
  )
  return comparison.finish()
}

/** Makes the whole result again and looks for the first figure that is not the stored one. */
async function recomputed(
  request: AuditRequest,
  result: Result,
  basis: AuditBasis,
  history: HistoryRows,
): Promise<Broken | undefined> {
  const rows = history.rows()
  const comparison = new PairsComparison(join(request.folder, FILES.pairs))
  const evaluated = await evaluate(basis, rows, comparison.compare, request)
  const difference = comparison.finish()
  if (difference) return broken('pairs', [pairsFinding(request.folder, difference)])
  const again = evaluated.result(
    circumstancesOf(
      basis,
      basis.vintage,
      rows.digest(),
      evaluated.paired.pairs,
      result.code,
      result.earlier_readings,
    ),
  )
  const { result_sha256: _stored, ...stored } = result
  const { result_sha256: _computed, ...computed } = again
  const found = firstDifference(stored, computed)
  if (found === undefined) return undefined
  const args = { stored: found.stored, found: found.computed }
  return broken('computation', [
    {
      ...fault('result-not-recomputed', join(request.folder, FILES.result), args),
      pointer: found.pointer,
    },
  ])
}
