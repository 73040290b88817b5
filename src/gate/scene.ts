import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { MAX_BYTES } from '../document/read.js'
import { readLimited } from '../files/input.js'
import { LEDGER_NAME } from '../protocol/ledger-file.js'
import { type Base, findBase } from './git/base.js'
import { Blobs } from './git/blobs.js'
import { type History, readHistory } from './git/history.js'
import { mergeBase, openRepository, type Repository, short } from './git/repository.js'
import { type IndexEntry, readIndex, readTree, type Tree } from './git/tree.js'
import { readWorkTree, type WorkFile } from './git/worktree.js'

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
}

/** Everything the gate looks at, gathered once. */
export interface Scene {
  readonly repository: Repository
  readonly base: Base
  /** The protocol folder, from the top, with forward slashes; '' is the top itself. */
  readonly folder: string
  /** What was frozen where this branch left the base. */
  readonly frozen: Tree
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
}

/** Ledgers may be longer than documents. */
const MAX_BLOB_BYTES = 64 * MAX_BYTES

/**
 * Gathers what the gate looks at. Never touches the network.
 * @throws {ForeproofError} `unavailable` when git, the repository, the base or a part of the
 * history is missing; `not-found` when no revision has the folder; `refused` when the folder is a
 * symbolic link or a submodule.
 */
export function gatherScene(options: GateOptions): Scene {
  const repository = openRepository(options.cwd)
  const { top } = repository
  const folder = folderOf(repository, options)
  const base = findBase(repository, options.base, options.env)
  const common = commonAncestor(repository, base)
  const origin = common ?? base.commit
  const frozen = readTree(top, origin, folder)
  const ahead = common === base.commit ? undefined : readTree(top, base.commit, folder)
  refuseIndirection(top, folder, [frozen, ahead])
  if (frozen.has(folder)) {
    throw new ForeproofError('usage', `--dir ${options.dir}: is a file`, {
      help: 'Name the folder that the protocols lie in.',
    })
  }
  const here = realpathSync(options.cwd)
  const real = realpathSync(top)
  const scene: Scene = {
    repository,
    base,
    folder,
    frozen,
    ahead,
    history: readHistory(repository, base.commit, folder),
    index: readIndex(top, folder),
    work: readWorkTree(top, folder, isWatched),
    blobs: new Blobs(top, MAX_BLOB_BYTES),
    strictBytes: options.strictBytes ?? false,
    nameOf: (path) => relative(here, join(real, path)).split(sep).join('/'),
    read: (path) => readLimited(join(top, path), MAX_BLOB_BYTES),
  }
  if (scene.frozen.size + scene.work.size + scene.history.changes.length + scene.index.size === 0) {
    throw new ForeproofError('not-found', `${options.dir}: there is no such protocol folder`, {
      help: `Neither ${base.revision} nor HEAD nor the working tree has it. Name another: --dir FOLDER`,
    })
  }
  return scene
}

/** Every watched path that any revision, the index or the working tree has, in order. */
export function pathsOf(scene: Scene): string[] {
  const paths = new Set([
    ...scene.frozen.keys(),
    ...scene.history.changes.map((change) => change.path),
    ...scene.index.keys(),
    ...scene.work.keys(),
  ])
  return [...paths].filter(isWatched).sort()
}

/** The files the gate is about: documents and ledgers. */
export function isWatched(path: string): boolean {
  return isDocument(path) || isLedger(path)
}

export function isDocument(path: string): boolean {
  return path.endsWith('.json')
}

export function isLedger(path: string): boolean {
  return path === LEDGER_NAME || path.endsWith(`/${LEDGER_NAME}`)
}

function folderOf({ top }: Repository, { cwd, dir }: GateOptions): string {
  const here = realpathSync(cwd)
  const folder = relative(realpathSync(top), resolve(here, dir)).split(sep).join('/')
  if (folder !== '..' && !folder.startsWith('../')) return folder
  throw new ForeproofError('usage', `${dir} lies outside of the repository ${top}`, {
    help: 'Run the gate in the repository that holds the protocols.',
  })
}

function commonAncestor({ top, head, shallow }: Repository, base: Base): string | undefined {
  if (head === undefined || base.commit === undefined) return base.commit
  const common = mergeBase(top, base.commit, head)
  if (common !== undefined || shallow.size === 0) return common
  throw new ForeproofError(
    'unavailable',
    `this shallow clone holds no common ancestor of ${base.revision} and HEAD`,
    { help: 'Fetch the rest: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)' },
  )
}

/** What a link or a submodule shows can change without a commit here. */
function refuseIndirection(
  top: string,
  folder: string,
  trees: readonly (Tree | undefined)[],
): void {
  for (let path = folder; path !== '' && path !== '.'; path = dirname(path)) {
    const kinds = trees.map((tree) => tree?.get(path)?.mode)
    if (kinds.includes('160000')) {
      throw new ForeproofError('refused', `${path} is a submodule`, {
        help: `Run the gate inside it: cd ${path}`,
      })
    }
    if (kinds.includes('120000') || isLink(join(top, path))) {
      throw new ForeproofError('refused', `${path} is a symbolic link`, {
        help: 'Name the folder it leads to: --dir FOLDER',
      })
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/** The bytes in the working tree or, where a sparse checkout leaves the file out, in the index. */
export function finalBytes(scene: Scene, path: string): Uint8Array | undefined {
  if (scene.work.get(path)?.kind === 'file') return scene.read(path)
  const skipped = scene.index.get(path)?.find((each) => each.skipped)
  return skipped && !scene.work.has(path) ? scene.blobs.get(skipped.oid) : undefined
}

/** A commit as findings name it. */
export function commitName(commit: string): string {
  return `commit ${short(commit)}`
}
