import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { MAX_BYTES } from '../document/read.js'
import { readLimited } from '../files/input.js'
import { verifyLedger } from '../protocol/verify.js'
import { type Base, findBase } from './git/base.js'
import { readGitHistory } from './git/history.js'
import { Blobs } from './git/objects.js'
import {
  independentCommits,
  mergeBases,
  openRepository,
  type Repository,
} from './git/repository.js'
import {
  indexModeAt,
  isSameFile,
  LINK_MODE,
  readIndex,
  readTree,
  readUntracked,
  readWorkTree,
  SUBMODULE_MODE,
  type Tree,
  type TreeEntry,
  treeModeAt,
} from './git/tree.js'
import { type GateInputs, type GateOptions, isWatched } from './inputs.js'

/** Ledgers may be longer than documents. */
const MAX_BLOB_BYTES = 64 * MAX_BYTES

/**
 * Gathers the inputs of the gate, without network access.
 * @throws {ForeproofError} `unavailable` when git, the repository, the base or a part of the history is missing;
 * `not-found` when no revision has the folder; `refused` when the folder is a symbolic link or a submodule.
 */
export function gatherInputs(options: GateOptions): GateInputs {
  const repository = openRepository(options.cwd)
  const { top } = repository
  const folder = resolveFolder(repository, options)
  const base = findBase(repository, options.base, options.env)
  const tips = base.commit === undefined ? [] : independentCommits(top, [base.commit, ...base.also])
  const origins = base.replaced ? tips : commonAncestors(repository, base, tips)
  const trees = origins.map((commit) => readTree(top, commit, folder))
  const { frozen, rivals } = mergeTrees(trees)
  const tip = base.also.at(-1) ?? base.commit
  const ahead = tip && !origins.includes(tip) ? readTree(top, tip, folder) : undefined
  const here = realpathSync(options.cwd)
  const real = realpathSync(top)
  const toName = (path: string) => relative(here, join(real, path)).split(sep).join('/')
  assertPlainFolder(repository, folder, [...origins, ...(tip ? [tip] : [])], toName)
  if (frozen.has(folder)) {
    throw new ForeproofError('usage', `--dir ${options.dir}: is a file`, {
      help: 'Name the folder that holds the protocols.',
    })
  }
  const history = readGitHistory(repository, tips, origins, folder)
  if (base.absent !== undefined && history.merges) throw unknownTargetError(base)
  const inputs: GateInputs = {
    repository,
    base,
    folder,
    frozen,
    rivals,
    ahead,
    history,
    index: readIndex(top, folder),
    ...readWorkTree(top, folder, isWatched),
    untracked: readUntracked(top, folder),
    blobs: new Blobs(repository, MAX_BLOB_BYTES),
    strictBytes: options.strictBytes ?? false,
    toName,
    read: (path) => readLimited(join(top, path), MAX_BLOB_BYTES),
    ledgerAt: (path) => verifyLedger(dirname(join(top, path)), options.now),
  }
  const { work, index, nested, linked } = inputs
  const outside = nested.length + linked.length
  const paths = [frozen.size, work.size, outside, history.changes.length, index.size]
  if (paths.every((count) => count === 0)) {
    throw new ForeproofError('not-found', `${options.dir}: this protocol folder does not exist`, {
      help: `Neither ${base.revision} nor HEAD nor the working tree has it. Name another: --dir FOLDER`,
    })
  }
  return inputs
}

function resolveFolder({ top }: Repository, { cwd, dir }: GateOptions): string {
  const here = realpathSync(cwd)
  const folder = relative(realpathSync(top), resolve(here, dir)).split(sep).join('/')
  if (folder !== '..' && !folder.startsWith('../')) return folder
  throw new ForeproofError('usage', `${dir} is outside the repository ${top}`, {
    help: 'Run the gate in the repository that holds the protocols.',
  })
}

/**
 * After criss-cross merges there are several, and each may have frozen documents that the others lack.
 */
function commonAncestors(
  { top, head, shallow }: Repository,
  base: Base,
  tips: readonly string[],
): readonly string[] {
  if (head === undefined) return tips
  const bases = tips.flatMap((tip) => mergeBases(top, tip, head))
  const common = independentCommits(top, bases)
  if (common.length > 0) return common
  if (shallow.size === 0) return tips
  const message = `this shallow clone holds no common ancestor of ${base.revision} and HEAD`
  throw new ForeproofError('unavailable', message, {
    help: 'Fetch the rest: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)',
  })
}

/**
 * Merges several trees. If they differ at a path, the first counts and the others are its rivals.
 */
function mergeTrees(trees: readonly Tree[]): Pick<GateInputs, 'frozen' | 'rivals'> {
  const [first = new Map<string, TreeEntry>(), ...others] = trees
  if (others.length === 0) return { frozen: first, rivals: new Map() }
  const frozen = new Map(first)
  const rivals = new Map<string, TreeEntry[]>()
  for (const [path, entry] of others.flatMap((tree) => [...tree])) {
    const entries = [frozen.get(path) ?? [], rivals.get(path) ?? []].flat()
    if (entries.length === 0) frozen.set(path, entry)
    else if (!entries.some((each) => isSameFile(each, entry))) {
      rivals.set(path, [...(rivals.get(path) ?? []), entry])
    }
  }
  return { frozen, rivals }
}

function unknownTargetError({ absent, revision }: Base): ForeproofError {
  const message = `this clone does not hold the target branch ${absent}, and there are merges since ${revision}`
  return new ForeproofError('unavailable', message, {
    help: `Without it, the gate does not know what the target froze. Fetch all branches (in GitLab CI: GIT_DEPTH: 0), or this one: git fetch origin ${absent}:refs/remotes/origin/${absent}`,
  })
}

/**
 * Rejects links, submodules and nested repositories, because their content can change without a commit here.
 * @param commits - whose state of the folder counts.
 */
function assertPlainFolder(
  { top }: Repository,
  folder: string,
  commits: readonly string[],
  toName: GateInputs['toName'],
): void {
  for (let path = folder; path !== '' && path !== '.'; path = dirname(path)) {
    const modes = [
      ...commits.map((commit) => treeModeAt(top, commit, path)),
      indexModeAt(top, path),
    ]
    const isSubmodule = modes.includes(SUBMODULE_MODE)
    if (isSubmodule || existsSync(join(top, path, '.git'))) {
      const rest = relative(path, folder) || '.'
      throw new ForeproofError(
        'refused',
        `${toName(path)} is ${isSubmodule ? 'a submodule' : 'another repository'}`,
        { help: `Run the gate inside it: cd ${toName(path)} && foreproof gate --dir ${rest}` },
      )
    }
    if (modes.includes(LINK_MODE) || isLink(join(top, path))) {
      throw new ForeproofError('refused', `${toName(path)} is a symbolic link`, {
        help: 'Name the folder it leads to: --dir FOLDER',
      })
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
