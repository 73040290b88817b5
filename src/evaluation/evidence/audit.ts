import type { Finding } from '../../contract/findings/finding.js'
import { hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import type { TimeLevel } from '../../time/level.js'
import { strataOf, windowRows } from '../history.js'
import { type Broken, broken, guarded, type Link } from '../links.js'
import { type InputPaths, loadDocuments } from '../load.js'
import { loadOutcomes } from '../outcomes.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { accessFaults } from './audit-access.js'
import { descriptionFaults, isDescribed } from './audit-description.js'
import {
  codeFindings,
  documentFaults,
  reportFindings,
  settingFaults,
  vintageFaults,
} from './audit-links.js'
import { dataFaults, type RecomputeOptions, recomputed } from './audit-recompute.js'
import { logFaults, strayTime, timeFaults } from './audit-time.js'
import type { Renderers } from './folder.js'
import { entryFindings } from './folder-entries.js'
import { inputPaths } from './input-paths.js'
import { readResult, requireEvidence } from './read-folder.js'

export interface AuditOptions extends RecomputeOptions {
  /** Where the inputs are, if not where they were when the folder was written. */
  readonly paths: Partial<InputPaths>
  readonly code: CodeVersion
  readonly render: Renderers
  /** Digest of other code whose result is accepted, though its reports cannot be drawn again here. */
  readonly acceptCode?: string | undefined
  /** The time of day, by default what the clock says: neither ledger nor readings may be later. */
  readonly now?: Instant
}

export interface AuditResult {
  /** Every link that was checked holds, and the code that scored is this one or accepted. */
  readonly ok: boolean
  /** Every link with what became of it; none is looked at after the first that does not hold. */
  readonly links: readonly LinkResult[]
  readonly findings: readonly Finding[]
  /** Absent when it cannot be read. */
  readonly result: EvaluationResult | undefined
  /** Who says when the registration was made, by the evidence; absent where the audit did not get so far. */
  readonly level?: TimeLevel
  /** The inputs it was held against; absent when the result itself is broken. */
  readonly paths?: InputPaths
}

export interface LinkResult {
  readonly link: Link
  readonly state: LinkState
  /** Why a link was not checked; only there where it was not. */
  readonly because?: Unchecked
}

export type LinkState = 'holds' | 'broken' | 'not_checked'

/**
 * `other-code`: only the code that scored can make it again. `earlier-link`: an earlier link does not hold.
 */
export type Unchecked = 'other-code' | 'earlier-link'

/** In the order in which they are checked. */
const ORDER: readonly Link[] = [
  'folder',
  'result',
  'code',
  'registration',
  'ledger',
  'protocol',
  'time',
  'outcomes',
  'log',
  'history',
  'pairs',
  'computation',
  'access',
  'report',
  'description',
]

/** What an audit has learnt on its way, beside the first link that does not hold. */
interface Course {
  readonly notes: Finding[]
  readonly unchecked: Map<Link, Unchecked>
  result?: EvaluationResult
  /** Whether the folder has, or has to have, a statement and a description. */
  described?: boolean
  paths?: InputPaths
  level?: TimeLevel
}

/**
 * Checks an evidence folder link by link, from the documents to the report, and stops at the first
 * that does not hold. What was not made again is never said to hold. Nothing is written, anywhere.
 * @throws {ForeproofError} when the folder is no evidence or a file cannot be read; `interrupted`.
 */
export async function auditFolder(request: AuditOptions): Promise<AuditResult> {
  requireEvidence(request.folder)
  const course: Course = { notes: [], unchecked: new Map() }
  const found = (await folderChain(request, course)) ?? (await inputsChain(request, course))
  const at = found ? ORDER.indexOf(found.link) : ORDER.length
  return {
    ok: found === undefined && hasNoErrors(course.notes),
    links: linksOf(course).map((link) => stateOf(link, ORDER.indexOf(link) - at, course)),
    findings: [...(found?.findings ?? []), ...course.notes],
    result: course.result,
    ...(course.level && { level: course.level }),
    ...(course.paths && { paths: course.paths }),
  }
}

/** Stamps, a log and a description are links of the evidence where there are any. */
function linksOf({ result, described = true }: Course): readonly Link[] {
  const without: Link[] = [
    ...(described ? [] : (['description'] as const)),
    ...(result?.time === undefined ? (['time'] as const) : []),
    ...((result?.time?.commitment ?? null) === null ? (['log'] as const) : []),
  ]
  return ORDER.filter((link) => !without.includes(link))
}

/** @param past how many links after the one that does not hold; negative for one before it. */
function stateOf(link: Link, past: number, { unchecked }: Course): LinkResult {
  if (past === 0) return { link, state: 'broken' }
  if (past > 0) return { link, state: 'not_checked', because: 'earlier-link' }
  const because = unchecked.get(link)
  return because === undefined ? { link, state: 'holds' } : { link, state: 'not_checked', because }
}

/** What the folder says of itself. */
async function folderChain(request: AuditOptions, course: Course): Promise<Broken | undefined> {
  const { folder, code, acceptCode } = request
  const entries = entryFindings(folder)
  if (!hasNoErrors(entries)) return broken('folder', entries)
  course.notes.push(...entries)
  const read = await readResult(folder)
  if (!read.ok) return read
  course.result = read.result
  course.described = isDescribed(folder, read.result, code)
  course.notes.push(...strayTime(folder, read.result))
  const other = codeFindings(read.result, code, acceptCode, folder)
  if (other.some((each) => each.code === 'code-misnamed')) return broken('code', other)
  course.notes.push(...other)
  if (other.length > 0) course.unchecked.set('code', 'other-code')
  const where = await guarded('folder', () => inputPaths(folder, request.paths))
  if (!where.ok) return where
  course.notes.push(...where.value.findings)
  course.paths = where.value.paths
  return undefined
}

/** What the folder says, against the inputs. */
async function inputsChain(request: AuditOptions, course: Course): Promise<Broken | undefined> {
  const { folder, now = Date.now() * 1000 } = request
  const { result, paths } = course as Required<Course>
  const documents = await loadDocuments(paths, now)
  if (!documents.ok) return documents
  course.paths = { ...paths, protocol: documents.protocolFile }
  const { registration } = documents
  const other = documentFaults(result, documents, paths)
  if (other[0]) return broken(linkOf(other[0]), other)
  const times = await timeFaults(result, documents, folder)
  if (!times.ok) return times
  course.level = times.time?.level ?? { kind: 'self_declared' }
  course.notes.push(...(times.time?.findings ?? []))
  const outcomes = await loadOutcomes(paths.outcomes, registration)
  if (!outcomes.ok) return outcomes
  const { vintage } = outcomes
  const revised = vintageFaults(result, vintage, paths.outcomes)
  if (revised.length > 0) return broken('outcomes', revised)
  const log = await logFaults(request, result, documents, times.time, paths.history)
  if (!log.ok) return log
  course.notes.push(...log.findings)
  const rows = await guarded('history', () => windowRows(paths.history, registration))
  if (!rows.ok) return rows
  const history = rows.value
  const strata = strataOf(registration, vintage, history.regimes)
  const basis = { ...documents, vintage, strata, commitments: log.commitments }
  const changed = await dataFaults(request, result, basis, history, paths)
  if (changed) return changed
  const settings = settingFaults(result, documents, vintage, folder)
  if (settings.length > 0) return broken('computation', settings)
  const differs = await recomputed(request, result, basis, history, log.member)
  if (differs) return differs
  const readings = await guarded(
    'access',
    () => accessFaults(result, registration, folder, paths, now),
    'is-a-finding',
  )
  if (!readings.ok) return readings
  if (readings.value.length > 0) return broken('access', readings.value)
  return (await reportChain(request, course)) ?? (await descriptionChain(request, course))
}

async function reportChain(
  { folder, code, render }: AuditOptions,
  course: Course,
): Promise<Broken | undefined> {
  const { result } = course as Required<Course>
  const sameCode = result.code.sha256 === code.sha256
  const drawn = await guarded(
    'report',
    () => reportFindings(result, folder, sameCode, render),
    'is-a-finding',
  )
  if (!drawn.ok) return drawn
  const reports = drawn.value
  if (!hasNoErrors(reports)) return broken('report', reports)
  if (reports.length > 0) course.unchecked.set('report', 'other-code')
  course.notes.push(...reports)
  return undefined
}

async function descriptionChain(
  { folder, signal }: AuditOptions,
  course: Course,
): Promise<Broken | undefined> {
  const { result, described } = course as Required<Course>
  if (!described) return undefined
  const faults = await guarded(
    'description',
    () => descriptionFaults(result, folder, signal),
    'is-a-finding',
  )
  if (!faults.ok) return faults
  return faults.value.length > 0 ? broken('description', faults.value) : undefined
}

function linkOf({ code }: Finding): Link {
  if (code === 'ledger-rewritten') return 'ledger'
  return code === 'result-of-other-protocol' ? 'protocol' : 'registration'
}
