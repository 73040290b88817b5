import { ForeproofError } from '../../contract/error.js'
import { type Repository, short } from './repository.js'
import { git, splitNul } from './run.js'
import type { TreeEntry } from './tree.js'

/** One file that a commit left different from one of its parents. */
export interface Change {
  readonly commit: string
  readonly path: string
  /** Undefined where the file did not exist. */
  readonly before: TreeEntry | undefined
  readonly after: TreeEntry | undefined
}

export interface History {
  readonly commits: number
  /** Oldest first; a merge counts against each of its parents. */
  readonly changes: readonly Change[]
}

/**
 * Every change below a folder in the commits that HEAD has and the base has not: merges, reverts
 * and branches that were merged included.
 * @throws {ForeproofError} `unavailable` when a shallow clone cut that history off.
 */
export function readHistory(
  repository: Repository,
  base: string | undefined,
  folder: string,
): History {
  const { top, head } = repository
  if (head === undefined) return { commits: 0, changes: [] }
  const not = base === undefined ? [] : [`^${base}`]
  const list = git(top, ['rev-list', '--reverse', '--topo-order', head, ...not, '--'])
  const commits = list.toString('latin1').split('\n').filter(Boolean)
  refuseShallow(repository, base, commits)
  if (commits.length === 0) return { commits: 0, changes: [] }
  const args = ['diff-tree', '--stdin', '-m', '-r', '--root', '-z', '--raw', '--no-renames']
  const paths = folder === '' ? [] : [folder]
  const output = git(top, [...args, '--no-abbrev', '--', ...paths], `${commits.join('\n')}\n`)
  return { commits: commits.length, changes: parseChanges(splitNul(output)) }
}

function parseChanges(tokens: readonly string[]): Change[] {
  const changes: Change[] = []
  let commit = ''
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(token)
    if (!match) commit = token
    else {
      const [, modeBefore = '', modeAfter = '', before = '', after = ''] = match
      at++
      changes.push({
        commit,
        path: tokens[at] as string,
        before: side(modeBefore, before),
        after: side(modeAfter, after),
      })
    }
  }
  return changes
}

function side(mode: string, oid: string): TreeEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, oid }
}

/** Where the clone is cut off inside the stretch to look at, what happened there cannot be known. */
function refuseShallow(
  { top, head, shallow }: Repository,
  base: string | undefined,
  commits: readonly string[],
): void {
  if (shallow.size === 0) return
  const cut = commits.find((commit) => shallow.has(commit)) ?? cutBehind(top, head, base, shallow)
  if (cut === undefined) return
  throw new ForeproofError(
    'unavailable',
    `this shallow clone ends at ${short(cut)}, inside the history to look at`,
    {
      help: 'Fetch the rest: git fetch --unshallow (in GitHub Actions: fetch-depth: 0; in GitLab CI: GIT_DEPTH: 0)',
    },
  )
}

/** The same on the side of the base: a common ancestor may lie beyond the cut. */
function cutBehind(
  top: string,
  head: string | undefined,
  base: string | undefined,
  shallow: ReadonlySet<string>,
): string | undefined {
  if (head === undefined || base === undefined) return undefined
  const list = git(top, ['rev-list', base, `^${head}`, '--'])
    .toString('latin1')
    .split('\n')
  return list.find((commit) => shallow.has(commit))
}
