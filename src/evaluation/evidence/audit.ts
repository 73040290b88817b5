import { join } from 'node:path'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { strataOf, windowRows } from '../history.js'
import { type Broken, broken, guarded, type Link } from '../links.js'
import { type InputPaths, loadDocuments } from '../load.js'
import { loadOutcomes } from '../outcomes.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import {
  accessFaults,
  documentFaults,
  reportFaults,
  settingFaults,
  vintageFaults,
} from './audit-links.js'
import { dataFaults, type RecomputeOptions, recomputed } from './audit-recompute.js'
import { FILES, type Renderers } from './folder.js'
import { inputPaths, readResult, requireEvidence } from './read-folder.js'

export interface AuditOptions extends RecomputeOptions {
  /** Where the inputs are, if not where they were when the folder was written. */
  readonly paths: Partial<InputPaths>
  readonly code: CodeVersion
  readonly render: Renderers
}

export interface AuditResult {
  readonly ok: boolean
  /** Every link with what became of it; none is looked at after the first that does not hold. */
  readonly links: readonly { readonly link: Link; readonly state: LinkState }[]
  readonly findings: readonly Finding[]
  readonly result: EvaluationResult | undefined
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
export async function auditFolder(request: AuditOptions): Promise<AuditResult> {
  requireEvidence(request.folder)
  const read = readResult(request.folder)
  if (!read.ok) return auditResult(read, [], undefined, request.quick)
  const notes = codeNotes(read.result, request)
  const paths = inputPaths(request.folder, request.paths)
  const found = await chain(request, read.result, paths, notes)
  return { ...auditResult(found, notes, read.result, request.quick), paths }
}

function auditResult(
  found: Broken | undefined,
  notes: readonly Finding[],
  result: EvaluationResult | undefined,
  quick: boolean,
): AuditResult {
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

function codeNotes(result: EvaluationResult, { folder, code }: AuditOptions): Finding[] {
  if (result.code.sha256 === code.sha256) return []
  const args = { stored: `${result.code.name} ${result.code.version}`, found: code.version }
  return [finding('code-differs', args, { file: join(folder, FILES.result) })]
}

async function chain(
  request: AuditOptions,
  result: EvaluationResult,
  paths: InputPaths,
  notes: Finding[],
): Promise<Broken | undefined> {
  const { folder, quick } = request
  const documents = await loadDocuments(paths)
  if (!documents.ok) return documents
  const other = documentFaults(result, documents, paths)
  if (other[0]) return broken(linkOf(other[0]), other)
  const outcomes = await loadOutcomes(paths.outcomes, documents.registration)
  if (!outcomes.ok) return outcomes
  const revised = vintageFaults(result, outcomes.vintage, paths.outcomes)
  if (revised.length > 0) return broken('outcomes', revised)
  const history = await guarded('history', () => windowRows(paths.history, documents.registration))
  if ('ok' in history) return history
  const { vintage } = outcomes
  const strata = strataOf(documents.registration, vintage, history.regimes)
  const basis = { ...documents, vintage, strata }
  const changed = await dataFaults(request, result, basis, history, paths)
  if (changed) return changed
  const settings = settingFaults(result, documents, vintage, folder)
  if (settings.length > 0) return broken('computation', settings)
  const differs = quick ? undefined : await recomputed(request, result, basis, history)
  if (differs) return differs
  const readings = await guarded(
    'access',
    () => accessFaults(result, folder, paths),
    'is-a-finding',
  )
  if ('ok' in readings) return readings
  if (readings.length > 0) return broken('access', readings)
  const sameCode = result.code.sha256 === request.code.sha256
  const reports = await guarded(
    'report',
    () => reportFaults(result, folder, sameCode, request.render),
    'is-a-finding',
  )
  if ('ok' in reports) return reports
  if (!hasNoErrors(reports)) return broken('report', reports)
  notes.push(...reports)
  return undefined
}

function linkOf({ code }: Finding): Link {
  if (code === 'ledger-rewritten') return 'ledger'
  return code === 'result-of-other-protocol' ? 'protocol' : 'registration'
}
