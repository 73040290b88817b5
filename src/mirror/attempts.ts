import { checkPayload } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import {
  type ArgsOf,
  type Finding,
  type FindingOptions,
  finding,
  hasNoErrors,
} from '../contract/findings/finding.js'
import { objectIn } from '../contract/is-object.js'
import type { Attempt } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { normalTimestamp } from '../forecast/resource.js'
import { ATTEMPT_MEMBERS } from '../history/import/accept.js'
import type { HistoryImport } from '../history/import/import.js'
import { type AttemptsFile, parseAttemptsIndex, parseMonth } from '../remote/attempts.js'
import type { Deployment, Fetched } from '../remote/deployment.js'

const TRIES = 2

const listFault = (fault: ArgsOf<'attempts-list'>['fault'], options: FindingOptions): Finding =>
  finding('attempts-list', { fault, found: '' }, options)

const isChanged = (each: Finding): boolean =>
  each.code === 'attempts-list' && each.args.fault === 'changed'

const LINE_FEED = 0x0a

interface AttemptsResult {
  /** Faults of the attempts. */
  readonly findings: Finding[]
  /** Whether all published attempts were read, or kept from an earlier run; true if none are published. */
  readonly isComplete: boolean
}

type OnAttempt = (attempt: Attempt) => Promise<void>

/**
 * Mirrors the recorded attempts of a static deployment, if it publishes any: the files whose digests have changed since
 * the last time. Each file is committed only when it is complete.
 * @param full read every file, even unchanged ones
 * @param onAttempt called with each attempt that was read
 */
export async function pullAttempts(
  deployment: Deployment,
  run: HistoryImport,
  full: boolean,
  onAttempt?: OnAttempt,
): Promise<AttemptsResult> {
  const { attempts: index } = deployment
  if (index === undefined) return { findings: [], isComplete: false }
  const note = `pull ${deployment.id} attempts`
  const before = (objectIn((await run.noted(note)) ?? '') ?? {}) as Record<string, string>
  const digests = new Map<string, string>(full ? [] : Object.entries(before))
  const done = async (file: AttemptsFile): Promise<void> => {
    digests.set(file.path, file.sha256)
    await run.note(note, JSON.stringify(Object.fromEntries(digests)))
    await run.commit()
  }
  for (let attempt = 1; ; attempt++) {
    const { list, doubtful } = await readList(deployment, index)
    if (list === undefined) {
      // A missing list is worth a warning only if there was one before, or if the answer is doubtful.
      const isMissed = doubtful || Object.keys(before).length > 0
      const missed = listFault('unavailable', { file: index, severity: 'warning' })
      return { findings: isMissed ? [missed] : [], isComplete: !doubtful }
    }
    const listed = parseAttemptsIndex(Buffer.from(list.bytes).toString())
    if (listed === undefined) {
      return { findings: [listFault('unreadable', { file: list.where })], isComplete: false }
    }
    const findings = await pullFiles(listed.files, digests, deployment, index, run, done, onAttempt)
    // The site may have been rebuilt between the list and its file; then read the list again.
    if (!findings.some(isChanged) || attempt === TRIES) {
      return { findings, isComplete: findings.length === 0 }
    }
  }
}

/**
 * Many sites have no such list, and hosts report that in different ways: 404, 403, or a page of their own. None of them
 * may stop the mirror of the forecasts.
 */
async function readList(
  deployment: Deployment,
  index: string,
): Promise<{ list: Fetched | undefined; doubtful: boolean }> {
  try {
    const list = await deployment.read(index)
    if (list === undefined) return { list, doubtful: false }
    const isJson = /^\s*[{[]/.test(Buffer.from(list.bytes.subarray(0, 256)).toString('latin1'))
    return { list: isJson ? list : undefined, doubtful: !isJson }
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || deployment.isFolder === true) throw cause
    return { list: undefined, doubtful: true }
  }
}

async function pullFiles(
  files: readonly AttemptsFile[],
  digests: ReadonlyMap<string, string>,
  deployment: Deployment,
  index: string,
  run: HistoryImport,
  done: (file: AttemptsFile) => Promise<void>,
  onAttempt: OnAttempt | undefined,
): Promise<Finding[]> {
  for (const listed of files) {
    if (digests.get(listed.path) === listed.sha256) continue
    const path = `${index.slice(0, index.lastIndexOf('/') + 1)}${listed.path}`
    const file = await deployment.read(path)
    if (file === undefined) return [listFault('changed', { file: path })]
    if (sha256Hex(file.bytes) !== listed.sha256) {
      return [listFault('changed', { file: file.where })]
    }
    const { conflicts } = run
    const faults = await addLines(file, listed, run, onAttempt)
    if (faults.length > 0) return faults
    if (run.refused) return []
    // Keep a file with conflicts unmarked, so that the next run reports them again until they are resolved.
    if (run.conflicts === conflicts) await done(listed)
  }
  return []
}

/** Adds the attempts of a file. If a line is invalid, reports the first such line and adds nothing. */
async function addLines(
  { bytes, where: file }: Fetched,
  { path, attempts: count }: AttemptsFile,
  run: HistoryImport,
  onAttempt: OnAttempt | undefined,
): Promise<Finding[]> {
  const attempts: Attempt[] = []
  let line = 0
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const end = feed < 0 ? bytes.length : feed
    line++
    const read = readDocument(bytes.subarray(start, end), file)
    const findings = read.ok ? checkPayload('attempt', read.value) : read.findings
    const position = { line, column: 1 }
    if (!read.ok || !hasNoErrors(findings)) {
      return findings.map((finding) => ({ ...finding, file, position }))
    }
    const attempt = toPlainText(read.value as object)
    const month = normalTimestamp(attempt.origin_at)?.slice(0, 7) ?? ''
    if (parseMonth(path) !== month) return [listFault('misplaced', { file, position })]
    attempts.push(attempt)
    start = end + 1
  }
  if (attempts.length !== count) return [listFault('changed', { file })]
  for (const [at, attempt] of attempts.entries()) {
    await run.add(attempt, { file, line: at + 1 })
    await onAttempt?.(attempt)
  }
  return []
}

/** Copies only the known members of an attempt. */
function toPlainText(attempt: object): Attempt {
  const members = Object.entries(attempt).filter(([name]) => ATTEMPT_MEMBERS.has(name))
  return Object.fromEntries(members) as unknown as Attempt
}
