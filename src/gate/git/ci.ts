import { existsSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { readRegular } from '../../files/regular.js'

/** What a CI system says that a change builds on: a commit id, else a branch of the remote. */
export interface Candidate {
  readonly id?: string | undefined
  readonly branch?: string | undefined
  readonly from: string
  /** Whether the next candidate will do when this commit is not there. */
  readonly optional?: boolean
  /** The branch that the change is to be merged into, and the commit that it was at. */
  readonly target?: string | undefined
  readonly targetId?: string | undefined
  /** Whether HEAD takes the place of this commit. */
  readonly replaced?: boolean
}

/** True where a CI system runs this. */
export function isCi(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.GITHUB_ACTIONS || env.GITLAB_CI || (env.CI && env.CI !== 'false'))
}

/** The candidates that the environment names, best first; none outside of GitHub Actions and GitLab CI. */
export function ciCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  const all = [...githubCandidates(env), ...gitlabCandidates(env)]
  return all.filter(({ id, branch }) => (id && !/^0+$/.test(id)) || (!id && branch))
}

function githubCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  if (!env.GITHUB_ACTIONS) return []
  const event = readEvent(env.GITHUB_EVENT_PATH)
  const target = env.GITHUB_BASE_REF || event('pull_request', 'base', 'ref')
  const fallback = event('repository', 'default_branch')
  return [
    { id: event('pull_request', 'base', 'sha'), from: 'the pull request', target },
    { id: event('merge_group', 'base_sha'), from: 'the merge group' },
    { id: event('before'), from: 'the push', ...pushed(event('ref'), fallback) },
    { branch: env.GITHUB_BASE_REF, from: 'GITHUB_BASE_REF' },
    { branch: fallback, from: 'the default branch' },
  ]
}

/** Larger than any event that a runner writes. */
const MAX_EVENT_BYTES = 64 * 1_048_576

/** A text of the event by the names that lead to it; undefined where it has none. */
type EventText = (...names: readonly string[]) => string | undefined

/**
 * The event that started a workflow of GitHub; without its file, one that has no text.
 * @throws {ForeproofError} `unavailable` when it is not JSON or, once a text is asked for, when something
 * else stands there: a base of lesser rank, taken in its place, could hide what is looked for.
 */
function readEvent(path: string | undefined): EventText {
  // A runner without the event still has the branch names.
  if (!path || !existsSync(path)) return () => undefined
  const event = parseEvent(path)
  return (...names) => {
    let value: unknown = event
    for (const name of names) value = membersOf(value)[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string' && isPlain(value)) return value
    throw badEvent(path, `${names.join('.')} is not the name of a commit or a branch`)
  }
}

function parseEvent(path: string): unknown {
  const bytes = readRegular(path, MAX_EVENT_BYTES)
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw badEvent(path, 'this is not JSON')
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** What git can be asked for: no control characters, no endless text. */
function isPlain(name: string): boolean {
  return name.length <= 4096 && !/\p{Cc}/u.test(name)
}

function badEvent(path: string, says: string): ForeproofError {
  return new ForeproofError('unavailable', `GITHUB_EVENT_PATH: ${path}: ${says}`, {
    help: 'Let the runner write the event anew, or name the base: --base REV',
  })
}

function gitlabCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  if (!env.GITLAB_CI) return []
  const target = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME
  const targetId = env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA
  const fallback = env.CI_DEFAULT_BRANCH
  return [
    { id: env.CI_MERGE_REQUEST_DIFF_BASE_SHA, from: 'the merge request', target, targetId },
    { branch: target, from: 'the target branch', targetId },
    { id: env.CI_COMMIT_BEFORE_SHA, from: 'the push', ...pushed(env.CI_COMMIT_BRANCH, fallback) },
    { branch: fallback, from: 'the default branch' },
  ]
}

/**
 * After a forced push to a branch of its own the commit before may be gone, and the default branch is
 * the better base. On the default branch itself that would hide the very thing to look for: there
 * what was pushed takes the place of what stood there.
 */
function pushed(
  branch: string | undefined,
  defaultBranch: string | undefined,
): Pick<Candidate, 'optional' | 'replaced'> {
  const name = branch?.replace(/^refs\/heads\//, '')
  const side = name !== undefined && defaultBranch !== undefined && name !== defaultBranch
  return { optional: side, replaced: !side }
}
