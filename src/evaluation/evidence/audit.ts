import { join } from 'node:path'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import type { Trusted } from '../../log/trusted.js'
import type { TimeLevel } from '../../time/level.js'
import type { RegistrationTime } from '../../time/registration-time.js'
import { BEFORE } from '../gaps.js'
import { byRegime, magnitudeFindings, noRows } from '../history.js'
import { type Outcomes, otherOutcomes } from '../inputs.js'
import {
  assertReadable,
  assertSound,
  type Broken,
  catchBroken,
  LINKS,
  type Link,
  linkError,
} from '../links.js'
import { type Documents, isOfSeries } from '../load.js'
import { type InputPaths, type Inputs, openInputs } from '../open.js'
import { withOtherRegistrations } from '../other-registrations.js'
import type { StoredPairs } from '../pair.js'
import { assertTrusted, assertTrustedLog } from '../proof/committed.js'
import { holdsLog } from '../proof/log-source.js'
import { verifyTime } from '../proof/time.js'
import type { CandidateDisposition, CodeVersion, Reading, Result } from '../result/result.js'
import { createRunMetadata } from '../result/shared.js'
import { PERSISTENCE_NOT_ASKED } from '../seen-by-persistence.js'
import { decide, infer } from '../steps.js'
import {
  accessFaults,
  asScored,
  assertDocuments,
  assertInput,
  descriptionFaults,
  isDescribed,
  ownReading,
  reportFindings,
} from './audit-links.js'
import {
  assertSame,
  compareResults,
  type ReadAgain,
  type RecomputeOptions,
  sumAgain,
} from './audit-recompute.js'
import { strayTime, verifyFolderLog, verifyFolderTime, verifyOwnLog } from './audit-time.js'
import { entryFindings, FILES, type ReportRenderers } from './folder.js'
import { resolveInputPaths } from './input-paths.js'
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
  readonly render: ReportRenderers
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
  readonly recomputed?: Result
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
interface AuditState {
  readonly notes: Finding[]
  readonly unchecked: Map<Link, Unchecked>
  /** Inputs that the auditor does not have. */
  without: readonly Input[]
  result?: Result
  /** Whether the folder has, or must have, a statement and a description. */
  described?: boolean
  paths?: InputPaths
  level?: TimeLevel
  recomputed?: Result
}

/**
 * Checks an evidence folder link by link, from the documents to the report, and stops at the first broken one. It never
 * reports a link as holding without recomputing it. It writes nothing.
 * @throws {ForeproofError} if the folder is not evidence or a file cannot be read; `interrupted`.
 */
export async function auditFolder(request: AuditOptions): Promise<AuditResult> {
  requireEvidence(request.folder)
  const state: AuditState = { notes: [], unchecked: new Map(), without: request.without ?? [] }
  const broken = await catchBroken(() => auditLinks(request, state))
  const at = broken ? LINKS.indexOf(broken.link) : LINKS.length
  return {
    ok: broken === undefined && hasNoErrors(state.notes),
    links: linksToCheck(state, broken?.link).map((link) =>
      toLinkState(link, LINKS.indexOf(link) - at, state),
    ),
    findings: [...(broken?.findings ?? []), ...state.notes],
    result: state.result,
    ...(state.level && { level: state.level }),
    ...(state.paths && { paths: state.paths }),
    ...(state.recomputed && { recomputed: state.recomputed }),
  }
}

/** Stamps, a log and a description are links of the evidence if they exist, or if a reader requires them. */
function linksToCheck({ result, described = true }: AuditState, broken?: Link): readonly Link[] {
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
function toLinkState(link: Link, past: number, { unchecked, without }: AuditState): LinkResult {
  if (past === 0) return { link, state: 'broken' }
  if (past > 0) return { link, state: 'not_checked', because: 'earlier-link' }
  const because = unchecked.get(link)
  if (because === undefined) return { link, state: 'holds' }
  if (because !== 'without-input') return { link, state: 'not_checked', because }
  const missing = (NEEDS[link] ?? []).filter((name) => without.includes(name))
  return { link, state: 'not_checked', because, missing }
}

/** Checks all links in order, up to the first broken one. */
async function auditLinks(request: AuditOptions, state: AuditState): Promise<undefined> {
  const { folder, code } = request
  state.notes.push(...requireNoErrors('folder', entryFindings(folder)))
  const result = await readResult(folder)
  state.result = result
  const cells = () => cellsFileFaults(folder, result, request.signal)
  assertSound('result', await assertReadable('result', cells, 'is-a-finding'))
  state.described = isDescribed(folder, result, code)
  state.notes.push(...strayTime(folder, result))
  auditCode(request, result, state)
  const { paths, without, findings } = await assertReadable('folder', () =>
    resolveInputPaths(folder, request.paths),
  )
  state.notes.push(...findings)
  state.without = [...state.without, ...without]
  state.paths = paths
  await auditInputs(request, result, paths, state)
  const at = { file: join(folder, FILES.result), severity: 'warning' } as const
  state.notes.push(...magnitudeFindings(result.implausible, at))
  const drawn = () =>
    reportFindings(result, folder, result.code.sha256 === code.sha256, request.render)
  const reports = requireNoErrors('report', await assertReadable('report', drawn, 'is-a-finding'))
  if (reports.length > 0) state.unchecked.set('report', 'other-code')
  state.notes.push(...reports)
  if (!state.described) return
  const described = () => descriptionFaults(result, folder, request.signal)
  assertSound('description', await assertReadable('description', described, 'is-a-finding'))
}

/** Findings without an error. */
function requireNoErrors(link: Link, findings: readonly Finding[]): readonly Finding[] {
  assertSound(link, findings)
  return findings
}

/** Other code is an error of its own; the other links are still checked. */
function auditCode(
  { folder, code, acceptCode }: AuditOptions,
  result: Result,
  state: AuditState,
): void {
  const other = codeFindings(result, code, acceptCode, folder)
  if (other.some((each) => each.code === 'code-misnamed')) assertSound('code', other)
  state.notes.push(...other)
  if (other.length > 0) state.unchecked.set('code', 'other-code')
}

/** Compares the statements of the folder with the inputs. */
async function auditInputs(
  request: AuditOptions,
  result: Result,
  paths: InputPaths,
  state: AuditState,
): Promise<void> {
  const { folder, now = Date.now() * 1000, anchors, witnesses } = request
  const inputs = openInputs({ ...paths, anchors, witnesses })
  if (isLacking(state, 'registration', 'protocol')) {
    leave(state, LINKS.slice(LINKS.indexOf('registration'), LINKS.indexOf('report')))
    return await assertPairsFile(request, result)
  }
  const checked = await checkDocuments({ request, result, inputs, state }, now)
  const read = await checkForecasts(checked)
  if (read !== undefined) await recompute(checked, read)
  const readings = () => accessFaults(result, checked.documents, folder, paths, now)
  state.notes.push(
    ...requireNoErrors('access', await assertReadable('access', readings, 'is-a-finding')),
  )
}

/** Checks the documents and the time of the registration. */
async function checkDocuments(opened: OpenedFolder, now: Instant): Promise<Documented> {
  const { request, result, inputs, state } = opened
  const { anchors } = inputs.trusted
  const through = result.window.through ?? undefined
  const current = await inputs.documents(now, through)
  const documents = asScored(result, current)
  state.paths = { ...inputs.paths, protocol: documents.protocolFile }
  assertDocuments(result, documents, inputs.paths)
  // By its place today: the later time binds, unless a stamp shows it earlier.
  const time = await verifyFolderTime(result, current, request.folder)
  const stamps = inTime(request.folder)
  const trusted = anchors === undefined ? time : await verifyTime(current, stamps, { own: anchors })
  state.level = trusted?.level ?? { kind: 'self_declared' }
  state.notes.push(...(trusted?.findings ?? []))
  return { ...opened, documents, time, trusted }
}

/** Checks outcomes and log, and says what is computed again: undefined if too little is there. */
async function checkForecasts(checked: Documented): Promise<ReadFolder | undefined> {
  const { inputs, state, documents } = checked
  if (isLacking(state, 'outcomes', 'history')) {
    return await readStored(checked, isLacking(state, 'outcomes'))
  }
  // An export has no regimes.
  if (inputs.history.isExported && byRegime(documents.registration)) {
    return await readStored(checked, false, 'export-of-history')
  }
  return await readHistoryAgain(checked)
}

const isLacking = ({ without }: AuditState, ...names: Input[]): boolean =>
  names.some((name) => without.includes(name))

function leave(
  { unchecked }: AuditState,
  links: readonly Link[],
  because: Unchecked = 'without-input',
): void {
  for (const link of links) unchecked.set(link, because)
}

/** Checks the pairs only against their digest. */
async function assertPairsFile(request: AuditOptions, result: Result): Promise<void> {
  const edited = () => pairsFileFaults(request, result)
  assertSound('pairs', await assertReadable('pairs', edited, 'is-a-finding'))
}

/** An audit whose folder was opened. */
interface OpenedFolder {
  readonly request: AuditOptions
  readonly result: Result
  readonly inputs: Inputs
  readonly state: AuditState
}

/** An audit whose documents have been verified. */
interface Documented extends OpenedFolder {
  readonly documents: Documents
  readonly time: RegistrationTime | undefined
  /** By the anchors of the reader, if there are any; else the same as `time`. */
  readonly trusted: RegistrationTime | undefined
}

/** What an audit computes again. */
interface ReadFolder extends ReadAgain {
  readonly otherRegistrations: Beside
  /** Why the computation is not checked in whole. */
  readonly because?: Unchecked
  readonly isWithoutReleases: boolean
}

async function readOutcomes({ result, inputs, documents }: Documented): Promise<Outcomes> {
  const outcomes = await inputs.outcomes(documents)
  const { sha256: stored } = result.inputs.outcomes
  assertInput('outcomes', stored, outcomes.manifest.sha256, { file: inputs.paths.outcomes })
  return outcomes
}

/** Compares what a result states about missing outcomes with the registration. */
function assertNamed({ request, result, documents }: Documented): void {
  const { id: vintage_id, sha256, source } = result.inputs.outcomes
  const file = join(request.folder, FILES.result)
  assertSound('outcomes', otherOutcomes(documents, { vintage_id, sha256, source }, file))
}

/** Checks outcomes, log and history. */
async function readHistoryAgain(of: Documented): Promise<ReadFolder> {
  const { request, result, inputs, state, documents, time, trusted } = of
  const { path, name } = inputs.history
  const { witnesses } = inputs.trusted
  const outcomes = await readOutcomes(of)
  const log = await verifyFolderLog(request, result, documents, time, path)
  state.notes.push(...log.findings)
  const held = log.log && (await holdsLog(path, log.log.source.name))
  if (held === false) leave(state, ['log'], 'export-of-history')
  if (trusted !== time || witnesses !== undefined) {
    const source = log.log && evidenceLog(request.folder, log.log.source.name)
    const by = { witnesses, signal: request.signal }
    await assertTrusted(result.time, documents, trusted, path, source, by)
  }
  const history = await assertReadable('history', () => inputs.history.window(documents))
  const otherRegistrations = await registrationsBeside(of, path)
  const task = outcomes.task(otherRegistrations.documents, history.regimes, log.commitments)
  const read = {
    otherRegistrations,
    task,
    rows: history.rows(),
    history: name,
    isScored: true,
  }
  return {
    ...read,
    ...recomputeOptions(of, otherRegistrations.documents, log.member),
    isWithoutReleases: false,
  }
}

/** How the result is computed again, and what it will say of its run. */
function recomputeOptions(
  { request, result }: Documented,
  documents: Documents,
  time: Result['time'],
) {
  const { code, earlier_readings: earlier, inputs } = result
  const run = createRunMetadata(documents, inputs.history, code, earlier, time)
  return { options: request, run }
}

/**
 * The same from the stored pairs, without a history or outcomes: what they state about its models and closes is not
 * checked.
 */
async function readStored(
  of: Documented,
  isWithoutOutcomes: boolean,
  because: Unchecked = 'without-input',
): Promise<ReadFolder | undefined> {
  const { request, result, inputs, state, documents, time, trusted } = of
  const { witnesses } = inputs.trusted
  const open = ['log', 'history', 'pairs', ...(isWithoutOutcomes ? (['outcomes'] as const) : [])]
  leave(state, open as Link[], because)
  const registered = isWithoutOutcomes ? undefined : await readOutcomes(of)
  const { member, log } = await verifyOwnLog(request, result, documents, time)
  if (trusted !== time || witnesses !== undefined) {
    const by = { witnesses, signal: request.signal }
    await assertTrustedLog(result.time, documents, { time, trusted }, log?.source, by)
  }
  if (isWithoutOutcomes) {
    await assertPairsFile(request, result)
    assertNamed(of)
  }
  const readOutcomesBehind = () => saidOutcomes(request.folder, result, documents)
  const outcomes = registered ?? (await assertReadable('pairs', readOutcomesBehind, 'is-a-finding'))
  if (outcomes === undefined) {
    leave(state, ['computation'])
    return undefined
  }
  const alike = (result.registrations?.others ?? []).flatMap(({ same }) =>
    same.flatMap(({ by, ...each }) => (by === 'name' ? [] : [{ ...each, by }])),
  )
  const otherRegistrations = await registrationsBeside(of, alike)
  const task = outcomes.task(otherRegistrations.documents, new Map(), undefined)
  const made = isWithoutOutcomes ? undefined : task.plan.builtIn
  const stored: StoredPairs = {
    override: (attempts, plan) => saidAttempts(attempts, plan, request.folder, documents, made),
    ofOtherModels: result.reading.beside_grid.model_not_in_plan ?? 0,
  }
  // Only the rows of the history contain regimes.
  const isPartly = byRegime(documents.registration)
  return {
    ...{
      otherRegistrations,
      ...recomputeOptions(of, otherRegistrations.documents, member),
      task: { ...task, stored },
    },
    rows: { [Symbol.asyncIterator]: noRows, digest: () => result.inputs.history },
    ...{ history: '', isScored: !isPartly, ...(isPartly && { because }) },
    isWithoutReleases: isOfSeries(documents) && isWithoutOutcomes,
  }
}

/** Pairs, scores, tests and decides again, and compares each with the folder. */
async function recompute(of: Documented, read: ReadFolder): Promise<void> {
  const { request, result, state } = of
  const summed = await sumAgain(request, result, read)
  if (read.because !== undefined) return leave(state, ['computation'], read.because)
  assertBeside(of, read.otherRegistrations)
  const { result: made } = decide(await infer(summed))
  if (!read.isWithoutReleases) {
    compareResults(request, result, made)
    state.recomputed = made
    return
  }
  compareResults(request, result, made, ({ reading, second_reading: second, ...whole }) => ({
    ...{ ...whole, reading: withoutReleases(reading) },
    window: { ...whole.window, ...PERSISTENCE_NOT_ASKED },
    second_reading: second && { ...second, reading: withoutReleases(second.reading) },
  }))
  leave(state, ['computation'])
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

/** The documents with the other registrations of the ledger, or why these cannot be compared. */
interface Beside {
  readonly documents: Documents
  readonly others: Broken | { readonly findings: readonly Finding[] }
}

/** What is broken is reported only after the links before it. */
async function registrationsBeside(
  { request: { folder }, inputs, result, documents }: Documented,
  history: Parameters<typeof withOtherRegistrations>[1],
): Promise<Beside> {
  const by = { own: inputs.trusted.anchors, recorded: result.registrations }
  const read = () => ownReading(folder, result)
  const readOthers = () => withOtherRegistrations(documents, history, read, by)
  const others = await catchBroken(() => assertReadable('computation', readOthers, 'is-a-finding'))
  return 'ok' in others ? { documents, others } : { documents: others.documents, others }
}

function assertBeside(
  { request: { folder }, result, state }: Documented,
  { documents, others }: Beside,
): void {
  if ('ok' in others) throw linkError('computation', others.findings)
  state.notes.push(...others.findings)
  const [stored, found = null] = [result.registrations, documents.registrations]
  const file = join(folder, FILES.result)
  assertSound('computation', uncancelledFindings(stored?.others, found?.others, file))
  assertSame('computation', folder, stored, found, '/registrations')
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
