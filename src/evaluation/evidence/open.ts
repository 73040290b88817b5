import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { checkCellLine, checkResult } from '../../contract/generated/check-result.js'
import { readDocument } from '../../document/read.js'
import { invalidLineError, splitLines } from '../../files/lines.js'
import { digestFile, readRegular } from '../../files/regular.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { assertReadable, assertSound, linkError } from '../links.js'
import type { CellLine, CodeVersion, Result } from '../result/result.js'
import { resultForm } from '../result-digest.js'
import { FILES, type FileName, MAX_BYTES_OF, pairsIn } from './folder.js'

/** A verified result. */
export interface OpenedEvidence {
  readonly result: Result
  /** A note if other code scored the result. */
  readonly findings: readonly Finding[]
}

/**
 * The result of an evidence folder, verified by its digest. `auditFolder` checks whether it follows from its inputs.
 * @param code the running code, `readCodeVersion()`.
 * @throws {ForeproofError} `not-found` if the folder is not evidence.
 */
export async function openEvidence(folder: string, code: CodeVersion): Promise<OpenedEvidence> {
  requireEvidence(folder)
  const result = await readResult(folder)
  const findings = codeFindings(result, code, result.code.sha256, folder)
  assertSound('code', findings)
  return { result, findings }
}

/**
 * The pairs of an evidence folder in order, after checking the digest that its result names.
 * @param read - parses a line.
 * @throws {ForeproofError} `interrupted`, also while the pairs are read.
 */
export async function openPairs<Line>(
  folder: string,
  result: Result,
  read: LineReader<Line>,
  signal?: AbortSignal,
): Promise<AsyncIterable<readonly Line[]>> {
  const check = () => pairsFileFaults({ folder, signal }, result)
  assertSound('pairs', await assertReadable('pairs', check, 'is-a-finding'))
  return readPairs(folder, read, signal)
}

/** Parses a line of pairs; undefined if it is invalid. */
type LineReader<Line> = (line: string) => Line | undefined

/**
 * @throws {ForeproofError} `not-found` if the folder does not exist or is not evidence.
 */
export function requireEvidence(folder: string): void {
  const refusal = (message: string): ForeproofError =>
    new ForeproofError('not-found', `${folder}: ${message}`, {
      file: folder,
      help: 'Name the folder that foreproof score wrote.',
    })
  let isFolder: boolean
  try {
    isFolder = statSync(folder).isDirectory()
  } catch (cause) {
    throw fileError(cause, folder)
  }
  if (!isFolder) throw refusal('is not a folder')
  if (!existsSync(join(folder, FILES.result))) throw refusal(`holds no ${FILES.result}`)
}

/**
 * Reads a file of an evidence folder: a regular file in the folder itself, within its size limit.
 * @throws {ForeproofError} as `readRegular`.
 */
export function readEvidence(folder: string, name: FileName): Buffer {
  return readRegular(join(folder, name), MAX_BYTES_OF[name], { links: 'refuse' })
}

/** Reads a result and verifies its form, its only spelling, and the digest it names. */
export async function readResult(folder: string): Promise<Result> {
  const file = join(folder, FILES.result)
  const bytes = await assertReadable(
    'result',
    () => readEvidence(folder, FILES.result),
    'is-a-finding',
  )
  const sound = soundResult(bytes)
  if (sound !== undefined) return sound
  const document = readDocument(bytes, file, { maxBytes: MAX_BYTES_OF[FILES.result] })
  if (!document.ok) throw linkError('result', document.findings)
  assertSound('result', locateFindings(checkResult(document.value), document))
  const result = document.value as Result
  const { text, digest: computed } = resultForm(result)
  const declared = result.result_sha256
  if (computed !== declared) {
    const args = { fault: 'result', declared, computed, python: null } as const
    throw linkError('result', [finding('digest-mismatch', args, { file })])
  }
  if (!bytes.equals(Buffer.from(`${text}\n`))) {
    throw linkError('result', [editedFinding(bytes, 'spelling', file)])
  }
  return result
}

/** A result without any fault, faster than with a parser that knows what is wrong and where. */
function soundResult(bytes: Buffer): Result | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (checkResult(value).length > 0) return undefined
    const result = value as Result
    const { text, digest } = resultForm(result)
    const isSound = digest === result.result_sha256 && bytes.equals(Buffer.from(`${text}\n`))
    return isSound ? result : undefined
  } catch {
    return undefined
  }
}

/** A finding that a text was edited, or that only its line ends were changed. */
export function editedFinding(bytes: Buffer, fault: 'spelling' | 'report', file: string): Finding {
  const shownFault = bytes.toString('latin1').includes('\r\n') ? 'line-ends' : fault
  return finding('evidence-edited', { fault: shownFault, stored: '', found: '' }, { file })
}

/**
 * Whether this code scored the result. Other code is an error unless the caller accepts it by its digest; what only
 * that code can reproduce is then trusted and reported as such.
 */
export function codeFindings(
  result: Result,
  code: CodeVersion,
  accepted: string | undefined,
  folder: string,
): Finding[] {
  const file = join(folder, FILES.result)
  const stored = `${result.code.name} ${result.code.version}`
  const found = `${code.name} ${code.version}`
  if (result.code.sha256 !== code.sha256) {
    const { sha256 } = result.code
    const severity = accepted === sha256 ? 'note' : 'error'
    return [finding('code-differs', { stored, sha256, found }, { file, severity })]
  }
  return stored === found ? [] : [finding('code-misnamed', { stored, found }, { file })]
}

/** Whether the stored pairs have the digest that the result names; read piece by piece. */
export async function pairsFileFaults(
  { folder, signal }: { readonly folder: string; readonly signal?: AbortSignal | undefined },
  result: Result,
): Promise<Finding[]> {
  const file = join(folder, FILES.pairs)
  const hash = createHash('sha256')
  let isCrLf: boolean | undefined
  for (const piece of pairsIn(folder)) {
    const at = piece.indexOf(LINE_FEED)
    if (at >= 0) isCrLf ??= piece[at - 1] === CARRIAGE_RETURN
    hash.update(piece)
    await yieldToEventLoop(signal)
  }
  const [found, stored] = [hash.digest('hex'), result.inputs.pairs.sha256]
  if (found === stored) return []
  const fault = isCrLf ? 'line-ends' : 'pairs'
  return [finding('evidence-edited', { fault, stored, found }, { file })]
}

/** Whether the stored cells have the digest that the result names. */
export async function cellsFileFaults(
  folder: string,
  { cells: { sha256: stored } }: Result,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const file = join(folder, FILES.cells)
  const found = await digestFile(file, MAX_BYTES_OF[FILES.cells], () => yieldToEventLoop(signal))
  if (found === stored) return []
  return [finding('evidence-edited', { fault: 'cells', stored, found }, { file })]
}

/**
 * The cells of an evidence folder, in order, after checking the digest that its result names.
 * @throws {ForeproofError} `invalid-input` at a line that `score` cannot have written; `interrupted`.
 */
export async function readCells(
  folder: string,
  result: Result,
  signal?: AbortSignal,
): Promise<CellLine[]> {
  assertSound('result', await cellsFileFaults(folder, result, signal))
  const file = join(folder, FILES.cells)
  const lines = readEvidence(folder, FILES.cells).toString('utf8').split('\n').slice(0, -1)
  return lines.map((line, at) => {
    const cell: unknown = JSON.parse(line)
    if (checkCellLine(cell).length > 0) throw invalidLineError(file, at + 1, 'is no cell')
    return cell as CellLine
  })
}

/** True for a finding that is not a difference of content. */
export const saysLineEnds = ({ code, args }: Finding): boolean =>
  code === 'evidence-edited' && 'fault' in args && args.fault === 'line-ends'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A model may have a very long name. */
const LONGEST_LINE = 16_777_216

/**
 * The stored pairs in order, in batches of thousands. Check the digest of the file first.
 * @throws {ForeproofError} `invalid-input` at a line that `score` cannot have written; `interrupted`.
 */
async function* readPairs<Line>(
  folder: string,
  read: LineReader<Line>,
  signal?: AbortSignal,
): AsyncGenerator<readonly Line[]> {
  for (const pairs of pairBatches(folder, read)) {
    await yieldToEventLoop(signal)
    yield pairs
  }
}

/** The attempts of a folder, one by one. @throws {ForeproofError} as `readPairs`. */
export function* pairLinesIn<Line>(
  folder: string,
  read: LineReader<Line>,
): Generator<Line, undefined> {
  for (const pairs of pairBatches(folder, read)) yield* pairs
  return undefined
}

function* pairBatches<Line>(folder: string, read: LineReader<Line>): Generator<readonly Line[]> {
  const file = join(folder, FILES.pairs)
  let before = 0
  for (const lines of splitLines(pairsIn(folder), file, LONGEST_LINE)) {
    yield lines.map((line, index) => {
      const pair = read(line)
      if (pair === undefined) throw invalidLineError(file, before + index + 1, 'is no attempt')
      return pair
    })
    before += lines.length
  }
}
