import type { Instant } from '../contract/instant.js'
import { LEDGER_NAME } from '../protocol/ledger-file.js'
import type { VerifyLedgerResult } from '../protocol/verify.js'
import type { Base } from './git/base.js'
import type { GitHistory } from './git/history.js'
import type { Blobs } from './git/objects.js'
import { type Repository, shortId } from './git/repository.js'
import {
  type IndexEntry,
  isRegular,
  type Tree,
  type TreeEntry,
  type Untracked,
  type WorkFile,
} from './git/tree.js'

export interface GateOptions {
  /** The folder that `dir` and the names in findings are relative to. */
  readonly cwd: string
  /** The protocol folder. */
  readonly dir: string
  /** The revision to compare with; found by itself when absent. */
  readonly base?: string | undefined
  /** Whether a change of formatting alone fails too. */
  readonly strictBytes?: boolean
  readonly env: NodeJS.ProcessEnv
  /** What the clock says; no entry of a ledger may be later. The clock of this machine when absent. */
  readonly now?: Instant
}

/** All inputs of the gate, gathered once. */
export interface GateInputs {
  readonly repository: Repository
  readonly base: Base
  /** The protocol folder, from the top, with forward slashes; '' is the top itself. */
  readonly folder: string
  /** Frozen files where this branch left the base: in any of the best common ancestors. */
  readonly frozen: Tree
  /** Other versions of a path in these ancestors, if they differ from `frozen`. */
  readonly rivals: ReadonlyMap<string, readonly TreeEntry[]>
  /** The current files of the base, if it has new commits. */
  readonly ahead: Tree | undefined
  readonly history: GitHistory
  readonly index: ReadonlyMap<string, readonly IndexEntry[]>
  readonly work: ReadonlyMap<string, WorkFile>
  /** Folders below the protocol folder that are another repository. */
  readonly nested: readonly string[]
  /** Symbolic links below it that lead to folders. */
  readonly linked: readonly string[]
  readonly untracked: Untracked
  readonly blobs: Blobs
  readonly strictBytes: boolean
  /** How a path from the top is named to the user. */
  readonly toName: (path: string) => string
  /** Reads a file of the working tree. */
  readonly read: (path: string) => Uint8Array
  /** A ledger of the working tree, checked together with the files it names. */
  readonly ledgerAt: (path: string) => VerifyLedgerResult | undefined
}

/** Every watched path that any revision, the index or the working tree has, in order. */
export function listPaths(inputs: GateInputs): string[] {
  const paths = new Set([
    ...inputs.frozen.keys(),
    ...inputs.history.changes.map((change) => change.path),
    ...inputs.index.keys(),
    ...inputs.work.keys(),
  ])
  return [...paths].filter(isWatched).sort()
}

/** Every state of a path that counts as frozen: one, or several after criss-cross merges. */
export function entriesAtBase(inputs: GateInputs, path: string): readonly TreeEntry[] {
  return [inputs.frozen.get(path) ?? [], inputs.rivals.get(path) ?? []].flat()
}

/** The files the gate is about: documents, ledgers, and what beside these proves their time. */
export function isWatched(path: string): boolean {
  return isDocument(path) || isLedger(path) || classifyEvidence(path) !== undefined
}

export function isDocument(path: string): boolean {
  return path.endsWith('.json')
}

export function isLedger(path: string): boolean {
  return path === LEDGER_NAME || path.endsWith(`/${LEDGER_NAME}`)
}

/**
 * Files beside a ledger that must not disappear: stamps, anchors, records of readings, lists of periods.
 */
export type EvidenceKind = 'stamp' | 'list' | 'anchor' | 'readings' | 'periods'

const EVIDENCE: readonly (readonly [EvidenceKind, RegExp])[] = [
  ['stamp', /(?:^|\/)stamps\/[0-9a-f]{64}\/[^/]+\.tsr$/],
  ['list', /(?:^|\/)anchors\/[^/.][^/]*\.crl$/],
  ['anchor', /(?:^|\/)anchors\/[^/.][^/]*$/],
  ['readings', /(?:^|\/)access\/[0-9a-f]{64}\.jsonl$/],
  ['periods', /\.periods\.csv$/],
]

export function classifyEvidence(path: string): EvidenceKind | undefined {
  return EVIDENCE.find(([, pattern]) => pattern.test(path))?.[0]
}

/** The bytes in the working tree or, where a sparse checkout leaves the file out, in the index. */
export function finalBytes(inputs: GateInputs, path: string): Uint8Array | undefined {
  if (inputs.work.get(path) === 'file') return inputs.read(path)
  const skipped = inputs.index.get(path)?.find((each) => each.skipped && isRegular(each))
  return skipped && !inputs.work.has(path) ? inputs.blobs.get(skipped.oid) : undefined
}

/** A commit as findings name it. */
export function commitName(commit: string): string {
  return `commit ${shortId(commit)}`
}
