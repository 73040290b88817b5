import { type Finding, finding } from '../../contract/findings/finding.js'
import type { VerifyLedgerResult } from '../../protocol/verify.js'
import type { GateInputs } from '../inputs.js'
import { commitName, finalBytes } from '../watched.js'
import { INDEX, WORK_TREE } from './compare.js'

export interface LedgerOutcome {
  readonly findings: readonly Finding[]
  /** The ledger as it lies in the working tree, checked. */
  readonly ledger: VerifyLedgerResult | undefined
}

/**
 * Whether a ledger is what it was at the base plus new lines: now, and in every commit since. A
 * commit may not lose lines of the base that its parent had; before a branch took in the base, it
 * had not all of them.
 */
export function examineLedger(inputs: GateInputs, path: string): LedgerOutcome {
  const file = inputs.nameOf(path)
  const ours = linesOf(inputs, inputs.frozen.get(path)?.oid)
  const findings: Finding[] = []
  const isFile = inputs.work.get(path)?.kind === 'file'
  const bytes = finalBytes(inputs, path)
  const final = bytes && splitLines(bytes)
  if (inputs.work.has(path) && !isFile) {
    findings.push(finding('not-a-file', { where: WORK_TREE.name }, { file, pointer: '' }))
  } else if (final === undefined) {
    if (ours.length > 0)
      findings.push(
        finding(
          'ledger-deleted',
          { where: WORK_TREE.name, restored: false },
          { file, pointer: '' },
        ),
      )
  } else findings.push(...departure(ours, final, file, WORK_TREE.name))
  if (findings.length === 0) findings.push(...past(inputs, path, ours, file))
  const verified = isFile ? inputs.ledgerAt(path) : undefined
  const ledger = verified && { ...verified, file }
  if (ledger && final && !sameLines(ours, final)) {
    findings.push(...ledger.findings.map((each) => ({ ...each, file })))
    findings.push(...diverged(inputs, path, ours, final, file))
  }
  findings.push(...mergeDriver(inputs, path, file))
  return { findings, ledger }
}

/** States that lie behind: a line that was taken away and put back was taken away. */
function past(inputs: GateInputs, path: string, ours: readonly string[], file: string): Finding[] {
  for (const change of inputs.history.changes) {
    if (change.path !== path || change.before === undefined) continue
    const kept = commonLines(ours, linesOf(inputs, change.before.oid))
    const where = commitName(change.commit)
    if (change.after === undefined) {
      if (kept > 0)
        return [finding('ledger-deleted', { where, restored: true }, { file, pointer: '' })]
    } else {
      const found = departure(ours.slice(0, kept), linesOf(inputs, change.after.oid), file, where)
      if (found.length > 0) return found
    }
  }
  const staged = inputs.index.get(path) ?? []
  if (staged.some((each) => each.stage > 0))
    return [finding('merge-unresolved', {}, { file, pointer: '' })]
  return staged.flatMap((each) => departure(ours, linesOf(inputs, each.oid), file, INDEX.name))
}

/** The first line of the base that a state of the ledger does not have in its place. */
function departure(
  ours: readonly string[],
  state: readonly string[],
  file: string,
  where: string,
): Finding[] {
  const kept = commonLines(ours, state)
  const lost = ours[kept]
  if (lost === undefined) return []
  const change = state.includes(lost)
    ? 'moved'
    : state.length > kept && sequence(state[kept]) === sequence(lost)
      ? 'edited'
      : 'removed'
  const found = finding(
    'ledger-lines-rewritten',
    { where, change, line: kept + 1 },
    { file, pointer: '' },
  )
  return [where === WORK_TREE.name ? { ...found, position: { line: kept + 1, column: 1 } } : found]
}

function sequence(line: string | undefined): unknown {
  try {
    return (JSON.parse(line ?? '') as { seq?: unknown }).seq
  } catch {
    return undefined
  }
}

/** Both sides froze something since they parted: merging will conflict, and that is meant to be. */
function diverged(
  inputs: GateInputs,
  path: string,
  ours: readonly string[],
  final: readonly string[],
  file: string,
): Finding[] {
  if (inputs.ahead === undefined) return []
  const theirs = linesOf(inputs, inputs.ahead.get(path)?.oid)
  if (theirs.length <= ours.length || commonLines(theirs, final) === theirs.length) return []
  const args = { count: theirs.length - ours.length, revision: inputs.base.revision }
  return [finding('ledger-diverged', args, { file, pointer: '' })]
}

/** A union merge would put two freezes one after the other without anybody noticing. */
function mergeDriver(inputs: GateInputs, path: string, file: string): Finding[] {
  if (inputs.mergeDriver(path) !== 'union') return []
  return [finding('ledger-merge-union', {}, { file, pointer: '' })]
}

function linesOf(inputs: GateInputs, oid: string | undefined): readonly string[] {
  return oid === undefined ? [] : splitLines(inputs.blobs.get(oid))
}

function splitLines(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && commonLines(a, b) === a.length
}
