import { join } from 'node:path'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { readTrusted, type Trusted } from '../../log/trusted.js'
import { isExported } from '../../store/exported.js'
import { historyName } from '../../store/shown.js'
import type { TimeLevel } from '../../time/level.js'
import { BEFORE } from '../gaps.js'
import { byRegime, magnitudeFindings, noRows, windowRows } from '../history.js'
import { loadOutcomes, type Outcomes, otherOutcomes } from '../inputs.js'
import { type Broken, broken, demand, guarded, LINKS, type Link, orBroken } from '../links.js'
import { type Documents, type InputPaths, isOfSeries, loadDocuments } from '../load.js'
import { besideOthers } from '../other-registrations.js'
import type { StoredPairs } from '../pair.js'
import { demandTrusted, demandTrustedLog } from '../proof/committed.js'
import { holdsLog } from '../proof/log-source.js'
import { proveTime, type RegistrationTime } from '../proof/registration-time.js'
import type { CandidateDisposition, CodeVersion, Reading, Result } from '../result/types.js'
import {
  accessFaults,
  asScored,
  demandDocuments,
  demandInput,
  descriptionFaults,
  isDescribed,
  ownReading,
  reportFindings,
} from './audit-links.js'
import {
  type AuditBasis,
  type Comparable,
  demandData,
  demandRecomputed,
  demandSame,
  type RecomputeOptions,
} from './audit-recompute.js'
import { demandLog, demandOwnLog, demandTime, strayTime } from './audit-time.js'
import { entryFindings, FILES, type Renderers } from './folder.js'
import { inputPaths } from './input-paths.js'
import {
  cellsFileFaults,
  codeFindings,
  pairsFileFaults,
  readResult,
  requireEvidence,
} from './open.js'
import { saidAttempts, saidOutcomes } from './pairs-said.js'
import { evidenceLog, inTime } from './time-files.js'

/** If a reader states whom to trust, the result must also hold with these alone. */
export interface AuditOptions extends RecomputeOptions, Trusted {
  /** Paths of the inputs, if they are not where they were when the folder was written. */
  readonly paths: Partial<InputPaths>
  readonly code: CodeVersion
  readonly render: Renderers
  /** Digest of other code whose result is accepted, although its reports cannot be drawn here. */
  readonly acceptCode?: string | undefined
  /** The present, by default from the clock: neither ledger nor readings may be later. */
  readonly now?: Instant
  /**
   * Further inputs that the auditor does not have, besides those missing at their recorded paths; links that need them
   * are not checked.
   */
  readonly without?: readonly (keyof InputPaths)[]
}

export interface AuditResult {
  /** Every link that was checked holds, and the code that scored is this one or accepted. */
  readonly ok: boolean
  /** Every link with its state; links after the first broken one are not checked. */
  readonly links: readonly LinkResult[]
  readonly findings: readonly Finding[]
  /** Absent if it cannot be read. */
  readonly result: Result | undefined
  /** Who vouches for the time of the registration, according to the evidence; absent if the audit ended earlier. */
  readonly level?: TimeLevel
  /** The inputs used for comparison; absent if the result itself is broken. */
  readonly paths?: InputPaths
  /** The recomputed result; absent if it was not recomputed or differs. */
  readonly again?: Result
}

export interface LinkResult {
  readonly link: Link
  readonly state: LinkState
  /** Why a link was not checked; absent if it was. */
  readonly because?: Unchecked
  /** The missing inputs, if it was not checked because of them. */
  readonly missing?: readonly (keyof InputPaths)[]
}

export type LinkState = 'holds' | 'broken' | 'not_checked'

/**
 * `other-code`: only the code that scored can reproduce it. `earlier-link`: an earlier link is broken. `without-input`:
 * the auditor lacks an input that it needs in full. `export-of-history`: an export of a history, or one that a site was
 * pulled into, lacks what it needs.
 */
export type Unchecked = 'other-code' | 'earlier-link' | 'without-input' | 'export-of-history'

type Input = keyof InputPaths

const DOCUMENTS: readonly Input[] = ['registration', 'protocol']
const MATURED: readonly Input[] = [...DOCUMENTS, 'outcomes']
const ALL: readonly Input[] = [...MATURED, 'history']
/** The inputs that a full check of a link needs. */
const NEEDS: Partial<Record<Link, readonly Input[]>> = {
  registration: DOCUMENTS,
  ledger: DOCUMENTS,
  protocol: DOCUMENTS,
  time: DOCUMENTS,
  outcomes: MATURED,
  log: ALL,
  history: ALL,
  pairs: ALL,
  computation: ALL,
  access: DOCUMENTS,
}

/** Whether a link was not checked because an input is missing, and not because another link is broken. */
export const isWithoutInput = ({ because }: LinkResult): boolean =>
  because === 'without-input' || because === 'export-of-history'

/** The state of an audit, besides the first broken link. */
interface Course {
  readonly notes: Finding[]
  readonly unchecked: Map<Link, Unchecked>
  /** Inputs that the auditor does not have. */
  without: readonly Input[]
  result?: Result
  /** Whether the folder has, or must have, a statement and a description. */
  described?: boolean
  paths?: InputPaths
  level?: TimeLevel
  again?: Result
}

/**
 * Checks an evidence folder link by link, from the documents to the report, and stops at the first broken one. It never
 * reports a link as holding without recomputing it. It writes nothing.
 * @throws {ForeproofError} if the folder is not evidence or a file cannot be read; `interrupted`.
 */
export async function auditFolder(request: AuditOptions): Promise<AuditResult> {
  requireEvidence(request.folder)
  const course: Course = { notes: [], unchecked: new Map(), without: request.without ?? [] }
  const found = await orBroken(() => auditLinks(request, course))
  const at = found ? LINKS.indexOf(found.link) : LINKS.length
  return {
    ok: found === undefined && hasNoErrors(course.notes),
    links: linksOf(course, found?.link).map((link) =>
      stateOf(link, LINKS.indexOf(link) - at, course),
    ),
    findings: [...(found?.findings ?? []), ...course.notes],
    result: course.result,
    ...(course.level && { level: course.level }),
    ...(course.paths && { paths: course.paths }),
    ...(course.again && { again: course.again }),
  }
}

/** Stamps, a log and a description are links of the evidence if they exist, or if a reader requires them. */
function linksOf({ result, described = true }: Course, broken?: Link): readonly Link[] {
  const without: Link[] = [
    ...(described ? [] : (['description'] as const)),
    ...((result?.time ?? null) === null ? (['time'] as const) : []),
    ...((result?.time?.commitment ?? null) === null ? (['log'] as const) : []),
  ]
  return LINKS.filter((link) => link === broken || !without.includes(link))
}

/**
 * @param past how many links after the broken one; negative for a link before it.
 */
function stateOf(link: Link, past: number, { unchecked, without }: Course): LinkResult {
  if (past === 0) return { link, state: 'broken' }
  if (past > 0) return { link, state: 'not_checked', because: 'earlier-link' }
  const because = unchecked.get(link)
  if (because === undefined) return { link, state: 'holds' }
  if (because !== 'without-input') return { link, state: 'not_checked', because }
  const missing = (NEEDS[link] ?? []).filter((name) => without.includes(name))
  return { link, state: 'not_checked', because, missing }
}

/** Checks all links in order, up to the first broken one. */
async function auditLinks(request: AuditOptions, course: Course): Promise<undefined> {
  const { folder, code } = request
  course.notes.push(...sound('folder', entryFindings(folder)))
  const result = await readResult(folder)
  course.result = result
  const cells = () => cellsFileFaults(folder, result, request.signal)
  demand('result', await guarded('result', cells, 'is-a-finding'))
  course.described = isDescribed(folder, result, code)
  course.notes.push(...strayTime(folder, result))
  auditCode(request, result, course)
  const { paths, without, findings } = await guarded('folder', () =>
    inputPaths(folder, request.paths),
  )
  course.notes.push(...findings)
  course.without = [...course.without, ...without]
  course.paths = paths
  await auditInputs(request, result, paths, course)
  const at = { file: join(folder, FILES.result), severity: 'warning' } as const
  course.notes.push(...magnitudeFindings(result.implausible, at))
  const drawn = () =>
    reportFindings(result, folder, result.code.sha256 === code.sha256, request.render)
  const reports = sound('report', await guarded('report', drawn, 'is-a-finding'))
  if (reports.length > 0) course.unchecked.set('report', 'other-code')
  course.notes.push(...reports)
  if (!course.described) return
  const described = () => descriptionFaults(result, folder, request.signal)
  demand('description', await guarded('description', described, 'is-a-finding'))
}

/** Findings without an error. */
function sound(link: Link, findings: readonly Finding[]): readonly Finding[] {
  demand(link, findings)
  return findings
}

/** Other code is an error of its own; the other links are still checked. */
function auditCode(
  { folder, code, acceptCode }: AuditOptions,
  result: Result,
  course: Course,
): void {
  const other = codeFindings(result, code, acceptCode, folder)
  if (other.some((each) => each.code === 'code-misnamed')) demand('code', other)
  course.notes.push(...other)
  if (other.length > 0) course.unchecked.set('code', 'other-code')
}

/** Compares the statements of the folder with the inputs. */
async function auditInputs(
  request: AuditOptions,
  result: Result,
  paths: InputPaths,
  course: Course,
): Promise<void> {
  const { folder, now = Date.now() * 1000 } = request
  const { anchors: own, witnesses } = readTrusted(request)
  const lacks = (name: Input) => course.without.includes(name)
  if (lacks('registration') || lacks('protocol')) {
    leave(course, LINKS.slice(LINKS.indexOf('registration'), LINKS.indexOf('report')))
    return await demandPairsFile(request, result)
  }
  const through = result.window.through ?? undefined
  const current = await loadDocuments(paths, now, through)
  const documents = asScored(result, current)
  course.paths = { ...paths, protocol: documents.protocolFile }
  demandDocuments(result, documents, paths)
  // By its place today: the later time binds, unless a stamp shows it earlier.
  const time = await demandTime(result, current, folder)
  const trusted = own === undefined ? time : await proveTime(current, inTime(folder), { own })
  course.level = trusted?.level ?? { kind: 'self_declared' }
  course.notes.push(...(trusted?.findings ?? []))
  const rest = { request, result, paths, course, documents, time, trusted, witnesses }
  // An export has no regimes.
  const isPartly = isExported(paths.history) && byRegime(documents.registration)
  const isLacking = lacks('outcomes') || lacks('history')
  if (isLacking) await auditStored(rest, lacks('outcomes'))
  else if (isPartly) await auditStored(rest, false, 'export-of-history')
  else await auditHistory(rest)
  const readings = () => accessFaults(result, documents, folder, paths, now)
  course.notes.push(...sound('access', await guarded('access', readings, 'is-a-finding')))
}

function leave(
  { unchecked }: Course,
  links: readonly Link[],
  because: Unchecked = 'without-input',
): void {
  for (const link of links) unchecked.set(link, because)
}

/** Checks the pairs only against their digest. */
async function demandPairsFile(request: AuditOptions, result: Result): Promise<void> {
  const edited = () => pairsFileFaults(request, result)
  demand('pairs', await guarded('pairs', edited, 'is-a-finding'))
}

/** An audit whose documents have been verified. */
interface Documented {
  readonly request: AuditOptions
  readonly result: Result
  readonly paths: InputPaths
  readonly course: Course
  readonly documents: Documents
  readonly time: RegistrationTime | undefined
  /** By the anchors of the reader, if there are any; else the same as `time`. */
  readonly trusted: RegistrationTime | undefined
  readonly witnesses: ReturnType<typeof readTrusted>['witnesses']
}

async function demandOutcomes({ result, paths, documents }: Documented): Promise<Outcomes> {
  const outcomes = await loadOutcomes(paths.outcomes, documents)
  const { sha256: stored } = result.inputs.outcomes
  demandInput('outcomes', stored, outcomes.manifest.sha256, { file: paths.outcomes })
  return outcomes
}

/** Compares what a result states about missing outcomes with the registration. */
function demandNamed({ request, result, documents }: Documented): void {
  const { id: vintage_id, sha256, source } = result.inputs.outcomes
  const file = join(request.folder, FILES.result)
  demand('outcomes', otherOutcomes(documents, { vintage_id, sha256, source }, file))
}

/** Checks log, history, pairs and computation, from the history. */
async function auditHistory(of: Documented): Promise<void> {
  const { request, result, paths, course, documents, time, trusted, witnesses } = of
  const outcomes = await demandOutcomes(of)
  const log = await demandLog(request, result, documents, time, paths.history)
  course.notes.push(...log.findings)
  const held = log.log && (await holdsLog(paths.history, log.log.source.name))
  if (held === false) leave(course, ['log'], 'export-of-history')
  if (trusted !== time || witnesses !== undefined) {
    const source = log.log && evidenceLog(request.folder, log.log.source.name)
    const by = { witnesses, signal: request.signal }
    await demandTrusted(result.time, documents, trusted, paths.history, source, by)
  }
  const history = await guarded('history', () => windowRows(paths.history, documents))
  const others = await registrationsBeside(of, paths.history)
  const task = outcomes.task(others.documents, history.regimes, log.commitments)
  const evaluation = task.evaluation(() => undefined)
  const file = historyName(paths.history)
  const paired = await demandData(request, result, task, history.rows(), file, evaluation.add)
  demandBeside(of, others)
  await auditComputation(of, { documents: others.documents, evaluation, paired }, log.member)
}

/** A disposition as if no value were missing before the window; none where it is not what its own reasons lead to. */
function withoutBefore({ candidate, disposition, reasons: all }: CandidateDisposition) {
  const reasons = all.filter(
    ({ code, details: [of] }) => code !== 'outcomes_missing' || of !== BEFORE,
  )
  const isSound = disposition === leadsTo(all)
  return { candidate, disposition: isSound ? leadsTo(reasons) : null, reasons }
}

const leadsTo = (reasons: CandidateDisposition['reasons']) => reasons[0]?.leads_to ?? 'blocked'

/** Only releases show when values became public, and which existed before the window. */
const withoutReleases = (reading: Reading) => ({
  ...{ ...reading, other_rules: null, newest_known: null },
  dispositions: reading.dispositions?.map(withoutBefore),
})

/** Recomputes the whole result, or as much as the available inputs allow. */
async function auditComputation(
  { request, result, course }: Documented,
  basis: AuditBasis,
  time: Result['time'],
  isWithoutReleases = false,
): Promise<void> {
  const made = (comparable?: (result: Result) => Comparable) =>
    demandRecomputed(request, result, basis, time, comparable)
  if (isWithoutReleases) {
    await made(({ reading, second_reading: second, ...whole }) => ({
      ...whole,
      reading: withoutReleases(reading),
      second_reading: second && { ...second, reading: withoutReleases(second.reading) },
    }))
    return leave(course, ['computation'])
  }
  course.again = await made()
}

/**
 * The same from the stored pairs, without a history or outcomes: what they state about its models and closes is not
 * checked.
 */
async function auditStored(
  of: Documented,
  isWithoutOutcomes: boolean,
  because: Unchecked = 'without-input',
): Promise<void> {
  const { request, result, course, documents, time, trusted, witnesses } = of
  const open = ['log', 'history', 'pairs', ...(isWithoutOutcomes ? (['outcomes'] as const) : [])]
  leave(course, open as Link[], because)
  const registered = isWithoutOutcomes ? undefined : await demandOutcomes(of)
  const { member, log } = await demandOwnLog(request, result, documents, time)
  if (trusted !== time || witnesses !== undefined) {
    const by = { witnesses, signal: request.signal }
    await demandTrustedLog(result.time, documents, { time, trusted }, log?.source, by)
  }
  if (isWithoutOutcomes) {
    await demandPairsFile(request, result)
    demandNamed(of)
  }
  const said = () => saidOutcomes(request.folder, result, documents)
  const outcomes = registered ?? (await guarded('pairs', said, 'is-a-finding'))
  if (outcomes === undefined) return leave(course, ['computation'])
  const alike = (result.registrations?.others ?? []).flatMap(({ same }) =>
    same.flatMap(({ by, ...each }) => (by === 'name' ? [] : [{ ...each, by }])),
  )
  const others = await registrationsBeside(of, alike)
  const task = outcomes.task(others.documents, new Map(), undefined)
  const made = isWithoutOutcomes ? undefined : task.plan.builtIn
  const stored: StoredPairs = {
    said: (attempts, plan) => saidAttempts(attempts, plan, request.folder, documents, made),
    ofOtherModels: result.reading.beside_grid.model_not_in_plan ?? 0,
  }
  // Only the rows of the history contain regimes.
  const isPartly = byRegime(documents.registration)
  const evaluation = task.evaluation(() => undefined)
  const onSeries = isPartly ? () => undefined : evaluation.add
  const rows = { [Symbol.asyncIterator]: noRows, digest: () => result.inputs.history }
  const paired = await demandData(request, result, { ...task, stored }, rows, '', onSeries)
  if (isPartly) return leave(course, ['computation'], because)
  demandBeside(of, others)
  const isWithoutReleases = isOfSeries(documents) && isWithoutOutcomes
  const basis = { documents: others.documents, evaluation, paired }
  await auditComputation(of, basis, member, isWithoutReleases)
}

/** The documents with the other registrations of the ledger, or why these cannot be compared. */
interface Beside {
  readonly documents: Documents
  readonly findings: readonly Finding[]
  readonly broken: Broken | undefined
}

/** What is broken is reported only after the links before it. */
async function registrationsBeside(
  { request, result, documents }: Documented,
  history: Parameters<typeof besideOthers>[1],
): Promise<Beside> {
  const by = { own: readTrusted(request).anchors, recorded: result.registrations }
  const read = () => ownReading(request.folder, result)
  const beside = () => besideOthers(documents, history, read, by)
  const others = await orBroken(() => guarded('computation', beside, 'is-a-finding'))
  return 'ok' in others
    ? { documents, findings: [], broken: others }
    : { ...others, broken: undefined }
}

function demandBeside({ request: { folder }, result, course }: Documented, of: Beside): void {
  if (of.broken !== undefined) throw broken('computation', of.broken.findings)
  course.notes.push(...of.findings)
  const [stored, found = null] = [result.registrations, of.documents.registrations]
  const file = join(folder, FILES.result)
  demand('computation', uncancelledFindings(stored?.others, found?.others, file))
  demandSame('computation', folder, stored, found, '/registrations')
}

type Others = NonNullable<Result['registrations']>['others']

/** Those that a result calls cancelled, and that no stamp beside the ledger shows so. */
function uncancelledFindings(stored: Others = [], found: Others = [], file: string): Finding[] {
  const shown = new Map(found.map(({ sha256, cancelled }) => [sha256, cancelled?.entry]))
  return stored.flatMap(({ sha256, cancelled, ...other }, at) => {
    if (cancelled === null || shown.get(sha256) === cancelled.entry) return []
    const pointer = `/registrations/others/${at}/cancelled`
    const args = { entry: cancelled.entry, registration: other.file }
    return [finding('cancelled-not-shown', args, { file, pointer })]
  })
}
