import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { MAX_BYTES } from '../document/read.js'
import { readLimited } from '../files/input.js'
import { verifyLedger } from '../protocol/verify.js'
import { type Base, findBase } from './git/base.js'
import { Blobs } from './git/blobs.js'
import { readHistory } from './git/history.js'
import { mergeBase, openRepository, type Repository } from './git/repository.js'
import { gitLine } from './git/run.js'
import { readIndex, readTree, type Tree } from './git/tree.js'
import { readWorkTree } from './git/worktree.js'
import type { GateInputs, GateOptions } from './inputs.js'
import { isWatched } from './watched.js'

/** Ledgers may be longer than documents. */
const MAX_BLOB_BYTES = 64 * MAX_BYTES

/**
 * Gathers what the gate looks at. Never touches the network.
 * @throws {ForeproofError} `unavailable` when git, the repository, the base or a part of the
 * history is missing; `not-found` when no revision has the folder; `refused` when the folder is a
 * symbolic link or a submodule.
 */
export function gatherInputs(options: GateOptions): GateInputs {
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
  const inputs: GateInputs = {
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
    hasModes: process.platform !== 'win32',
    ledgerAt: (path) => verifyLedger(dirname(join(top, path))),
    mergeDriver: (path) => gitLine(top, ['check-attr', 'merge', '--', path])?.split(': ').at(-1),
  }
  if (
    inputs.frozen.size + inputs.work.size + inputs.history.changes.length + inputs.index.size ===
    0
  ) {
    throw new ForeproofError('not-found', `${options.dir}: there is no such protocol folder`, {
      help: `Neither ${base.revision} nor HEAD nor the working tree has it. Name another: --dir FOLDER`,
    })
  }
  return inputs
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
