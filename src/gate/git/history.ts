import { ForeproofError } from '../../contract/error.js'
import { type Commit, verifyCommits, verifyTrees } from './objects.js'
import { type Repository, shortId } from './repository.js'
import { git, splitNul } from './run.js'
import type { TreeEntry } from './tree.js'

/** A file that differs between a commit and one of its parents. */
export interface FileChange {
  readonly commit: string
  readonly path: string
  /** Undefined where the file did not exist. */
  readonly before: TreeEntry | undefined
  readonly after: TreeEntry | undefined
}

export interface GitHistory {
  readonly commits: number
  /** Whether one of them is a merge. */
  readonly merges: boolean
  /** Oldest first; a merge counts against each of its parents. */
  readonly changes: readonly FileChange[]
}

/**
 * Every change below a folder in the commits that HEAD has and the base lacks, including merges and reverts.
 * @param base - commits reachable from any of these are skipped.
 * @param origins - where the branch left the base.
 * @throws {ForeproofError} `unavailable` if a shallow clone cuts this history off, or git disagrees with the objects.
 */
export function readGitHistory(
  repository: Repository,
  base: readonly string[],
  origins: readonly string[],
  folder: string,
): GitHistory {
  const { top, head } = repository
  if (head === undefined) return { commits: 0, merges: false, changes: [] }
  const since = listCommits(top, [head], base)
  // On the side of the base, too, because a common ancestor may lie beyond a cut or a false parent.
  const aside = base.length === 0 ? [] : listCommits(top, base, [head])
  assertNotShallow(repository, [...since, ...aside])
  verifyCommits(repository, [...since, ...aside])
  const seen = since.flatMap(({ id, parents }) => [id, ...parents])
  verifyTrees(repository, [...origins, ...base, ...seen], folder)
  const merges = since.some(({ parents }) => parents.length > 1)
  if (since.length === 0) return { commits: 0, merges, changes: [] }
  const args = ['diff-tree', '--stdin', '-m', '-r', '--root', '-z', '--raw', '--no-renames']
  const plain = [...args, '--no-abbrev', '--ignore-submodules=none', '--']
  const commits = since.map(({ id }) => id).join('\n')
  const output = git(top, folder === '' ? plain : [...plain, folder], `${commits}\n`)
  return { commits: since.length, merges, changes: parseChanges(splitNul(output)) }
}

/** Commits that some have and others have not, oldest first. */
function listCommits(top: string, of: readonly string[], not: readonly string[]): Commit[] {
  const args = ['rev-list', '--parents', '--reverse', '--topo-order', '--stdin']
  const output = git(top, args, `${[...of, ...not.map((commit) => `^${commit}`)].join('\n')}\n`)
  const lines = output.toString('latin1').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [id = '', ...parents] = line.split(' ')
    return { id, parents }
  })
}

function parseChanges(tokens: readonly string[]): FileChange[] {
  const changes: FileChange[] = []
  let commit = ''
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(token)
    if (!match) commit = token
    else {
      const [, modeBefore = '', modeAfter = '', before = '', after = ''] = match
      at++
      const sides = {
        before: toTreeEntry(modeBefore, before),
        after: toTreeEntry(modeAfter, after),
      }
      changes.push({ commit, path: tokens[at] as string, ...sides })
    }
  }
  return changes
}

function toTreeEntry(mode: string, oid: string): TreeEntry | undefined {
  return /^0+$/.test(mode) ? undefined : { mode, oid }
}

/** If a shallow clone cuts off the commits to check, the changes in them are unknown. */
function assertNotShallow({ shallow }: Repository, commits: readonly Commit[]): void {
  const cut = commits.find(({ id }) => shallow.has(id))
  if (cut === undefined) return
  const message = `this shallow clone ends at ${shortId(cut.id)}, inside the history to look at`
  throw new ForeproofError('unavailable', message, {
    help: 'Fetch the rest: git fetch --unshallow (in GitHub Actions: fetch-depth: 0; in GitLab CI: GIT_DEPTH: 0)',
  })
}
