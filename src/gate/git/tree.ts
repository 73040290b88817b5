import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'
import { git, splitNul } from './run.js'

/** The modes of a symbolic link and of a submodule. */
export const LINK_MODE = '120000'
export const SUBMODULE_MODE = '160000'

/** A file as git holds it: mode 100644 or 100755, or one of these. */
export interface TreeEntry {
  readonly mode: string
  readonly oid: string
}

/** A regular file: not a symbolic link, a submodule or a folder. */
export function isRegular({ mode }: TreeEntry): boolean {
  return mode.startsWith('100')
}

/** The same content as the same kind of file; an executable bit makes no other kind. */
export function isSameFile(a: TreeEntry, b: TreeEntry): boolean {
  return a.oid === b.oid && a.mode.slice(0, 3) === b.mode.slice(0, 3)
}

export type Tree = ReadonlyMap<string, TreeEntry>

/** Everything below `folder` in a commit, by path from the top; empty without a commit. */
export function readTree(top: string, commit: string | undefined, folder: string): Tree {
  if (commit === undefined) return new Map()
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--']
  const output = git(top, folder === '' ? args : [...args, folder])
  const tree = new Map<string, TreeEntry>()
  for (const line of splitNul(output)) {
    const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
    if (mode && oid && path) tree.set(path, { mode, oid })
  }
  return tree
}

export interface IndexEntry extends TreeEntry {
  /** 0, or 1 to 3 while a merge is not resolved. */
  readonly stage: number
  /** Left out of the working tree on purpose, by a sparse checkout. */
  readonly skipped: boolean
}

/** What is staged below `folder`, with every stage of an unresolved merge. */
export function readIndex(top: string, folder: string): ReadonlyMap<string, readonly IndexEntry[]> {
  const args = ['ls-files', '-t', '-s', '-z', '--']
  const output = git(top, folder === '' ? args : [...args, folder])
  const index = new Map<string, IndexEntry[]>()
  for (const line of splitNul(output)) {
    const match = /^(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line)
    const [, tag, mode, oid, stage, path] = match ?? []
    if (!mode || !oid || !path) continue
    const entry = { mode, oid, stage: Number(stage), skipped: tag === 'S' }
    const entries = index.get(path)
    if (entries) entries.push(entry)
    else index.set(path, [entry])
  }
  return index
}

/** The mode of what a commit has at exactly this path; undefined where it has nothing there. */
export function treeModeAt(top: string, commit: string, path: string): string | undefined {
  const output = git(top, ['ls-tree', '-z', '--full-tree', commit, '--', path])
  return splitNul(output)
    .find((line) => line.endsWith(`\t${path}`))
    ?.slice(0, LINK_MODE.length)
}

/** The same of the index, which holds no folders. */
export function indexModeAt(top: string, path: string): string | undefined {
  return readIndex(top, path).get(path)?.[0]?.mode
}

/** Files below a folder that git does not track, by path from the top. */
export interface Untracked {
  /** Those that its rules ignore: they are in no commit unless somebody forces it. */
  readonly ignored: ReadonlySet<string>
  /** The others: `git add` takes them. */
  readonly others: ReadonlySet<string>
}

export function readUntracked(top: string, folder: string): Untracked {
  const list = (...more: readonly string[]) => {
    const args = ['ls-files', '--others', '--exclude-standard', ...more, '-z', '--']
    return new Set(splitNul(git(top, folder === '' ? args : [...args, folder])))
  }
  return { ignored: list('--ignored'), others: list() }
}

/** Every path of the index, each once. */
export function indexPaths(top: string): string[] {
  return [...new Set(splitNul(git(top, ['ls-files', '-z'])))]
}

/** What the working tree has at a path. A symbolic link is not followed: what it leads to can change without git knowing. */
export type WorkFile = 'file' | 'link' | 'other'

export interface WorkTree {
  /** By path from the top. */
  readonly work: ReadonlyMap<string, WorkFile>
  /** Folders that are the top of another repository, submodules among them; what is in them is not in `work`. */
  readonly nested: readonly string[]
  /** Symbolic links to folders; what is behind them is not in `work`. */
  readonly linked: readonly string[]
}

/**
 * Every file below a folder of the working tree whose path from the top `wanted` accepts, hidden and untracked
 * ones included; empty when there is no such folder.
 */
export function readWorkTree(
  top: string,
  folder: string,
  wanted: (path: string) => boolean,
): WorkTree {
  const tree = { work: new Map<string, WorkFile>(), nested: [], linked: [] }
  gatherFiles(top, folder, wanted, tree)
  return tree
}

function gatherFiles(
  top: string,
  folder: string,
  wanted: (path: string) => boolean,
  tree: {
    readonly work: Map<string, WorkFile>
    readonly nested: string[]
    readonly linked: string[]
  },
): void {
  let entries: Dirent[]
  try {
    entries = readdirSync(join(top, folder), { withFileTypes: true })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return
    throw fileError(cause, join(top, folder))
  }
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (!entry.isDirectory()) {
      const kind = entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other'
      if (wanted(path)) tree.work.set(path, kind)
      else if (kind === 'link' && isFolder(join(top, path))) tree.linked.push(path)
    } else if (entry.name === '.git') continue
    else if (existsSync(join(top, path, '.git'))) tree.nested.push(path)
    else gatherFiles(top, path, wanted, tree)
  }
}

/** Whether a link leads to a folder; one that leads in a circle or nowhere does not. */
const isFolder = (path: string): boolean => existsSync(`${path}/.`)
