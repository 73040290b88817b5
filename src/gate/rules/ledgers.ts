import { basename, dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { readingsFolder } from '../../protocol/readings.js'
import { checkEntry, entryIdentity, type LedgerEntry } from '../../protocol/rules/entry.js'
import type { VerifyLedgerResult } from '../../protocol/verify.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import { commitName, entriesAtBase, finalBytes, type GateInputs } from '../inputs.js'
import { INDEX, WORK_TREE } from './content.js'

export interface LedgerOutcome {
  readonly findings: readonly Finding[]
  /** The ledger as it lies in the working tree, checked. */
  readonly ledger: VerifyLedgerResult | undefined
  /** True when the working tree has the ledger of the base. */
  readonly untouched: boolean
}

/**
 * Checks that a ledger is that of the base plus new lines, now and in every commit since. A commit must not lose
 * lines of the base that its parent had.
 */
export function checkLedgerHistory(inputs: GateInputs, path: string): LedgerOutcome {
  const isFile = inputs.work.get(path) === 'file'
  const verified = isFile ? inputs.ledgerAt(path) : undefined
  const ledger = verified && { ...verified, file: inputs.toName(path) }
  const examiner = new LedgerChecker(inputs, path, ledger)
  return { findings: examiner.run(), ledger, untouched: examiner.untouched }
}

class LedgerChecker {
  readonly #file: string
  /** The ledger at the base; after criss-cross merges there may be two that diverged. */
  readonly #bases: readonly Lines[]
  readonly #final: Lines | undefined

  constructor(
    private readonly inputs: GateInputs,
    private readonly path: string,
    private readonly ledger: VerifyLedgerResult | undefined,
  ) {
    this.#file = inputs.toName(path)
    this.#bases = longestLedgers(entriesAtBase(inputs, path).map((entry) => this.#lines(entry)))
    const bytes = finalBytes(inputs, path)
    this.#final = bytes && splitLedger(bytes)
  }

  run(): Finding[] {
    // Conflict marks are one fault, and one command repairs them.
    const conflict = this.ledger?.findings.find(({ code }) => code === 'ledger-conflict')
    if (conflict) return [{ ...conflict, file: this.#file }]
    const now = this.#now()
    const findings = now.length > 0 ? now : [...this.#past(), ...this.#staged()]
    // Faults that the base already has are reported, too, as `verify` does.
    const faults = this.ledger?.findings.filter((each) => !this.#isLeftOut(each)) ?? []
    findings.push(...faults.map((each) => ({ ...each, file: this.#toName(each) })))
    return findings
  }

  /** The ledger, or the record of readings beside it that a finding is about. */
  #toName({ code, file = '' }: Finding): string {
    if (code !== 'access-chain-broken') return this.#file
    return this.inputs.toName(join(readingsFolder(dirname(this.path)), basename(file)))
  }

  /** Empty for anything but a regular file, because its content is elsewhere. */
  #lines(entry: TreeEntry | undefined): Lines {
    return entry && isRegular(entry) ? splitLedger(this.inputs.blobs.get(entry.oid)) : []
  }

  /** Files that a sparse checkout leaves out are not missing. */
  #isLeftOut(found: Finding): boolean {
    if (found.code === 'ledger-readings-gone') {
      const folder = readingsFolder(dirname(this.path))
      return [...this.inputs.index].some(
        ([path, entries]) => dirname(path) === folder && entries.some(({ skipped }) => skipped),
      )
    }
    if (found.code !== 'ledger-file-missing') return false
    const path = join(dirname(this.path), found.args.frozen)
    return !this.inputs.work.has(path) && finalBytes(this.inputs, path) !== undefined
  }

  get untouched(): boolean {
    const [base = [], ...others] = this.#bases
    const final = this.#final ?? []
    return others.length === 0 && base.length === final.length && beginsWith(final, base)
  }

  #now(): Finding[] {
    const { inputs, path } = this
    const args = { where: WORK_TREE.name, undone: false }
    if (inputs.work.has(path) && inputs.work.get(path) !== 'file') {
      return [finding('not-a-file', args, this.#at)]
    }
    if (this.#final !== undefined) return this.#lost(WORK_TREE.name, this.#final)
    return this.#bases.some(hasLines) ? [finding('ledger-deleted', args, this.#at)] : []
  }

  /** Past states: a line that was removed and restored was still removed. */
  #past(): Finding[] {
    for (const { commit, path, before, after } of this.inputs.history.changes) {
      if (path !== this.path) continue
      const where = commitName(commit)
      if (after !== undefined && !isRegular(after)) return [this.#notAFile(where)]
      if (before === undefined) continue
      const earlier = this.#lines(before)
      if (after !== undefined) {
        const lost = this.#lost(where, this.#lines(after), earlier)
        if (lost.length > 0) return lost
      } else if (this.#bases.some((base) => prefixLength(base, earlier) > 0)) {
        return [finding('ledger-deleted', { where, undone: true }, this.#at)]
      }
    }
    return []
  }

  #staged(): Finding[] {
    const staged = this.inputs.index.get(this.path) ?? []
    if (staged.some((each) => each.stage > 0)) return [finding('merge-unresolved', {}, this.#at)]
    if (!staged.every(isRegular)) return [this.#notAFile(INDEX.name)]
    if (staged.length === 0 && this.#final !== undefined && this.#bases.some(hasLines)) {
      return [finding('ledger-deleted', { where: INDEX.name, undone: true }, this.#at)]
    }
    return staged.flatMap((entry) => this.#lost(INDEX.name, this.#lines(entry)))
  }

  #notAFile(where: string): Finding {
    const undone = this.#final !== undefined
    return finding('not-a-file', { where, undone }, this.#at)
  }

  #lost(where: string, state: Lines, before?: Lines): Finding[] {
    const line = findFirstLoss(this.#bases, state, before)
    if (line === undefined) return []
    const undone = where !== WORK_TREE.name
    const position = undone ? undefined : { line, column: 1 }
    return [finding('ledger-lines-rewritten', { where, undone, line }, { ...this.#at, position })]
  }

  get #at() {
    return { file: this.#file, pointer: '' }
  }
}

const hasLines = ({ length }: Lines) => length > 0

/** A ledger as lines of text, without line ends. */
type Lines = readonly string[]

export function splitLedger(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How many lines two ledgers begin with in common. */
function prefixLength(a: Lines, b: Lines): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

export function beginsWith(lines: Lines, start: Lines): boolean {
  return prefixLength(lines, start) === start.length
}

/** The ledgers that no other one continues: a single one, except after criss-cross merges. */
function longestLedgers(ledgers: readonly Lines[]): Lines[] {
  return ledgers.filter((lines, index) =>
    ledgers.every((other, at) => {
      const goesOn = other.length > lines.length || (other.length === lines.length && at < index)
      return !(goesOn && beginsWith(other, lines))
    }),
  )
}

/**
 * The first line of the bases that a state of a ledger lacks. With two diverged bases, it must begin with one and
 * then have the entries of the other.
 * @param bases - none is a prefix of another.
 * @param before - the previous state; lines missing there may still be missing.
 */
function findFirstLoss(bases: readonly Lines[], state: Lines, before?: Lines): number | undefined {
  if (!bases.some((base) => beginsWith(state, base))) {
    const lengths = bases.map((base) => (before ? prefixLength(base, before) : base.length))
    const longest = lengths.indexOf(Math.max(...lengths))
    const kept = prefixLength(bases[longest] ?? [], state)
    if (kept < (lengths[longest] ?? 0)) return kept + 1
  }
  if (bases.length < 2) return undefined
  const present = new Set(state.map(lineIdentity))
  const earlier = before && new Set(before.map(lineIdentity))
  for (const base of bases) {
    const lost = base
      .map(lineIdentity)
      .findIndex((entry) => !present.has(entry) && earlier?.has(entry) !== false)
    if (lost >= 0) return lost + 1
  }
  return undefined
}

/** The content of an entry, independent of its position; for an invalid line, its text. */
function lineIdentity(line: string): string {
  const document = readDocument(Buffer.from(line), '')
  return document.ok && checkEntry(document.value).length === 0
    ? entryIdentity(document.value as LedgerEntry)
    : line
}
