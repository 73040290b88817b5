import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { readingsFolder } from '../../protocol/readings.js'
import { checkEntry, identityOf, type LedgerEntry } from '../../protocol/rules/entry.js'
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
 * Whether a ledger is what it was at the base plus new lines: now, and in every commit since. A
 * commit may not lose lines of the base that its parent had; before a branch took in the base, it
 * had not all of them.
 */
export function examineLedger(inputs: GateInputs, path: string): LedgerOutcome {
  const isFile = inputs.work.get(path)?.kind === 'file'
  const verified = isFile ? inputs.ledgerAt(path) : undefined
  const ledger = verified && { ...verified, file: inputs.nameOf(path) }
  const examiner = new LedgerExaminer(inputs, path, ledger)
  return { findings: examiner.run(), ledger, untouched: examiner.untouched }
}

class LedgerExaminer {
  readonly #file: string
  /** The ledger at the base; after criss-cross merges there may be two that went on apart. */
  readonly #bases: readonly Lines[]
  readonly #final: Lines | undefined

  constructor(
    private readonly inputs: GateInputs,
    private readonly path: string,
    private readonly ledger: VerifyLedgerResult | undefined,
  ) {
    this.#file = inputs.nameOf(path)
    this.#bases = furthest(entriesAtBase(inputs, path).map((entry) => this.#lines(entry)))
    const bytes = finalBytes(inputs, path)
    this.#final = bytes && linesOf(bytes)
  }

  run(): Finding[] {
    // Markers of a conflict are one fault, and one command mends it.
    const conflict = this.ledger?.findings.find(({ code }) => code === 'ledger-conflict')
    if (conflict) return [{ ...conflict, file: this.#file }]
    const now = this.#now()
    const findings = now.length > 0 ? now : [...this.#past(), ...this.#staged()]
    // What the base has already is as wrong as what is new: `verify` says so, too.
    const own = this.ledger?.findings.filter((each) => !this.#isLeftOut(each)) ?? []
    findings.push(...own.map((each) => ({ ...each, file: this.#file })))
    if (this.ledger && this.#final && !this.untouched) findings.push(...this.#diverged(this.#final))
    return [...findings, ...this.#mergeDriver()]
  }

  /** None of what is not a regular file: its content is somewhere else. */
  #lines(entry: TreeEntry | undefined): Lines {
    return entry && isRegular(entry) ? linesOf(this.inputs.blobs.get(entry.oid)) : []
  }

  /** What a sparse checkout left out is not missing: a document, or the records of readings. */
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
    if (inputs.work.has(path) && inputs.work.get(path)?.kind !== 'file') {
      return [finding('not-a-file', args, this.#at)]
    }
    if (this.#final !== undefined) return this.#lost(WORK_TREE.name, this.#final)
    return this.#bases.some(hasLines) ? [finding('ledger-deleted', args, this.#at)] : []
  }

  /** States that lie behind: a line that was taken away and put back was taken away. */
  #past(): Finding[] {
    for (const { commit, path, before, after } of this.inputs.history.changes) {
      if (path !== this.path) continue
      const where = commitName(commit)
      if (after !== undefined && !isRegular(after)) return [this.#notAFile(where)]
      if (before === undefined) continue
      const earlier = this.#lines(before)
      if (after !== undefined) {
        const found = this.#lost(where, this.#lines(after), earlier)
        if (found.length > 0) return found
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
    const loss = firstLoss(this.#bases, state, before)
    if (loss === undefined) return []
    const undone = where !== WORK_TREE.name
    const position = undone ? undefined : { line: loss.line, column: 1 }
    const args = { where, undone, ...loss }
    return [finding('ledger-lines-rewritten', args, { ...this.#at, position })]
  }

  /** Both sides froze something since they parted: merging will conflict, and that is meant to be. */
  #diverged(final: Lines): Finding[] {
    const { ahead, base } = this.inputs
    const theirs = this.#lines(ahead?.get(this.path))
    const ours = Math.max(0, ...this.#bases.map(({ length }) => length))
    if (theirs.length <= ours || beginsWith(final, theirs)) return []
    const args = { count: theirs.length - ours, revision: base.revision }
    return [finding('ledger-diverged', args, this.#at)]
  }

  /** A union merge would put two freezes one after the other unnoticed. */
  #mergeDriver(): Finding[] {
    if (this.inputs.mergeDriver(this.path) !== 'union') return []
    return [finding('ledger-merge-union', {}, this.#at)]
  }

  get #at() {
    return { file: this.#file, pointer: '' }
  }
}

const hasLines = ({ length }: Lines) => length > 0

/** A ledger as text, without line ends: a chain can be made anew, its bytes cannot. */
export type Lines = readonly string[]

/** The first line of a ledger that another state of it does not have in its place. */
export interface Loss {
  readonly change: 'moved' | 'edited' | 'removed'
  readonly line: number
}

export function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How many lines two ledgers begin with in common. */
export function prefixLength(a: Lines, b: Lines): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

export function beginsWith(lines: Lines, start: Lines): boolean {
  return prefixLength(lines, start) === start.length
}

/** The ledgers among some that none of the others goes on from: one, unless histories criss-crossed. */
export function furthest(ledgers: readonly Lines[]): Lines[] {
  return ledgers.filter((lines, index) =>
    ledgers.every((other, at) => {
      const goesOn = other.length > lines.length || (other.length === lines.length && at < index)
      return !(goesOn && beginsWith(other, lines))
    }),
  )
}

/**
 * What a state of a ledger lacks of the ledgers that it has to go on from. Of two that went on from
 * each other's start, it begins with one and has the entries of the other behind, chained anew.
 * @param bases - none of them begins with another.
 * @param before - the state that this one came from; what that one lacked may be lacking still.
 */
export function firstLoss(bases: readonly Lines[], state: Lines, before?: Lines): Loss | undefined {
  const known =
    before === undefined ? bases : bases.map((base) => base.slice(0, prefixLength(base, before)))
  if (!bases.some((base) => beginsWith(state, base))) {
    const [longest = []] = known.toSorted((a, b) => b.length - a.length)
    const loss = departure(longest, state)
    if (loss !== undefined) return loss
  }
  return bases.length < 2 ? undefined : missingEntry(bases, state, before)
}

function departure(base: Lines, state: Lines): Loss | undefined {
  const kept = prefixLength(base, state)
  const lost = base[kept]
  if (lost === undefined) return undefined
  const edited = state[kept] !== undefined && member(state[kept], 'seq') === member(lost, 'seq')
  const change = state.includes(lost) ? 'moved' : edited ? 'edited' : 'removed'
  return { change, line: kept + 1 }
}

function missingEntry(
  bases: readonly Lines[],
  state: Lines,
  before: Lines | undefined,
): Loss | undefined {
  const present = new Set(state.map(identity))
  const earlier = before && new Set(before.map(identity))
  for (const base of bases) {
    for (const [index, line] of base.entries()) {
      const entry = identity(line)
      if (present.has(entry) || earlier?.has(entry) === false) continue
      const version = member(line, 'protocol_version')
      const edited = state.some((each) => member(each, 'protocol_version') === version)
      return { change: edited ? 'edited' : 'removed', line: index + 1 }
    }
  }
  return undefined
}

/** What an entry says, at any place of a chain; of a line that is no entry, its text. */
function identity(line: string): string {
  const document = readDocument(Buffer.from(line), '')
  return document.ok && checkEntry(document.value).length === 0
    ? identityOf(document.value as LedgerEntry)
    : line
}

function member(line: string, name: string): unknown {
  try {
    return (JSON.parse(line) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}
