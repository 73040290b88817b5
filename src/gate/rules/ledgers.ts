import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import type { VerifyLedgerResult } from '../../protocol/verify.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import type { GateInputs } from '../inputs.js'
import { commitName, entriesAtBase, finalBytes } from '../watched.js'
import { INDEX, WORK_TREE } from './compare.js'
import {
  beginsWith,
  firstLoss,
  furthest,
  type Lines,
  linesOf,
  prefixLength,
} from './ledger-lines.js'

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

  /** A document that a sparse checkout left out is not missing. */
  #isLeftOut(found: Finding): boolean {
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
    const inWorkTree = where === WORK_TREE.name
    const found = finding(
      'ledger-lines-rewritten',
      { where, undone: !inWorkTree, ...loss },
      this.#at,
    )
    return [inWorkTree ? { ...found, position: { line: loss.line, column: 1 } } : found]
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

  /** A union merge would put two freezes one after the other without anybody noticing. */
  #mergeDriver(): Finding[] {
    if (this.inputs.mergeDriver(this.path) !== 'union') return []
    return [finding('ledger-merge-union', {}, this.#at)]
  }

  get #at() {
    return { file: this.#file, pointer: '' }
  }
}

const hasLines = ({ length }: Lines) => length > 0
