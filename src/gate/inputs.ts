import type { Instant } from '../contract/instant.js'
import type { VerifyLedgerResult } from '../protocol/verify.js'
import type { Base } from './git/base.js'
import type { Blobs } from './git/blobs.js'
import type { History } from './git/history.js'
import type { Repository } from './git/repository.js'
import type { IndexEntry, Tree, TreeEntry } from './git/tree.js'
import type { WorkFile } from './git/worktree.js'

export interface GateOptions {
  /** The folder that `dir` and the names in findings are relative to. */
  readonly cwd: string
  /** The protocol folder. */
  readonly dir: string
  /** The revision to compare with; found by itself when absent. */
  readonly base?: string | undefined
  /** Whether a change of formatting or mode alone fails too. */
  readonly strictBytes?: boolean
  readonly env: NodeJS.ProcessEnv
  /** What the clock says; no entry of a ledger may be later. The clock of this machine when absent. */
  readonly now?: Instant
}

/** Everything the gate looks at, gathered once. */
export interface GateInputs {
  readonly repository: Repository
  readonly base: Base
  /** The protocol folder, from the top, with forward slashes; '' is the top itself. */
  readonly folder: string
  /** What was frozen where this branch left the base: in any of the best common ancestors. */
  readonly frozen: Tree
  /** What others of them hold at a path, where that is not what `frozen` has. */
  readonly rivals: ReadonlyMap<string, readonly TreeEntry[]>
  /** What the base holds now, when it went on since. */
  readonly ahead: Tree | undefined
  readonly history: History
  readonly index: ReadonlyMap<string, readonly IndexEntry[]>
  readonly work: ReadonlyMap<string, WorkFile>
  readonly blobs: Blobs
  readonly strictBytes: boolean
  /** How a path from the top is named to the user. */
  readonly nameOf: (path: string) => string
  /** Reads a file of the working tree. */
  readonly read: (path: string) => Uint8Array
  /** Whether files here have a bit that makes them executable: on Windows none has. */
  readonly hasModes: boolean
  /** A ledger of the working tree, checked together with the files it names. */
  readonly ledgerAt: (path: string) => VerifyLedgerResult | undefined
  /** What git was told to merge a file with: `union`, say. */
  readonly mergeDriver: (path: string) => string | undefined
}
