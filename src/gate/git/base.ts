import { existsSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { valueAt } from '../../contract/pointer.js'
import { readRegular } from '../../files/regular.js'
import {
  branchCommit,
  type Repository,
  resolveAsked,
  resolveCommit,
  resolveCommitId,
} from './repository.js'
import { gitLine } from './run.js'

export interface BaseRevision {
  /** Undefined when the repository has no commit yet: then everything is new. */
  readonly commit: string | undefined
  /** The revision as it was named. */
  readonly revision: string
  /** Who named it. */
  readonly from: string
}

export interface Base extends BaseRevision {
  /**
   * Further commits that the change builds on; the last is the newest known commit of its target.
   */
  readonly also: readonly string[]
  /** A branch that was named as the target and is not in this clone. */
  readonly absent: string | undefined
  /** Whether HEAD replaces the base; then everything in the base counts as frozen. */
  readonly replaced: boolean
}

const ALONE = { also: [], absent: undefined, replaced: false } as const

/**
 * Finds the revision to compare with: the requested one, else the base named by GitHub Actions or GitLab CI, else the
 * default branch, else the last commit.
 * @throws {ForeproofError} `unavailable` if a named revision is not in this clone; `usage` if the requested name is
 * ambiguous.
 */
export function findBase(
  repository: Repository,
  asked: string | undefined,
  env: NodeJS.ProcessEnv,
): Base {
  if (asked !== undefined) {
    const commit = resolveAsked(repository, asked)
    if (commit === undefined) throw notInCloneError(repository, asked, '--base')
    return { commit, revision: asked, from: '--base', ...ALONE }
  }
  for (const candidate of ciCandidates(env)) {
    const { id, branch, from, optional } = candidate
    const revision = id ?? `origin/${branch}`
    const commit = id ? resolveCommitId(repository, id) : branchCommit(repository.top, `${branch}`)
    if (commit !== undefined) return withTarget(repository, candidate, { commit, revision, from })
    if (!optional) throw notInCloneError(repository, revision, from)
  }
  return findPlainBase(repository, env)
}

/** The current target of a merge request counts as well as the commit on which it was opened. */
function withTarget(
  repository: Repository,
  { target, targetId, replaced }: Candidate,
  base: BaseRevision,
): Base {
  const tip = target && branchCommit(repository.top, target)
  const merged = targetId && resolveCommitId(repository, targetId)
  return {
    ...base,
    also: [merged, tip].flatMap((commit) => commit || []),
    absent: tip || merged ? undefined : target,
    replaced: replaced ?? false,
  }
}

function notInCloneError(repository: Repository, revision: string, from: string): ForeproofError {
  const fetch = repository.shallow.size > 0 ? 'git fetch --unshallow' : 'git fetch origin'
  return new ForeproofError('unavailable', `the base ${revision} (${from}) is not in this clone`, {
    help: `Fetch it: ${fetch} (in GitHub Actions: fetch-depth: 0; in GitLab CI: GIT_DEPTH: 0). Or name another: --base REV`,
  })
}

const USUAL = [
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
]

/**
 * Outside of CI: the remote's default branch, else a local branch with a usual name, else HEAD. In a partial clone
 * HEAD would be a guess that hides changes.
 */
function findPlainBase({ top, head, shallow }: Repository, env: NodeJS.ProcessEnv): Base {
  const remote = gitLine(top, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'])
  for (const ref of [remote, ...USUAL]) {
    // Exactly this ref: `rev-parse` would go on to tags.
    const id = ref && gitLine(top, ['show-ref', '--verify', '--hash', ref])
    const commit = id && resolveCommit(top, id)
    if (ref && commit) {
      const revision = ref.replace(/^refs\/(?:remotes|heads)\//, '')
      return { commit, revision, from: 'the branch that work goes into', ...ALONE }
    }
  }
  const isCut = shallow.size > 0
  if (!isCut && !(isCi(env) && gitLine(top, ['for-each-ref', '--count=1', 'refs/remotes']))) {
    return { commit: head, revision: 'HEAD', from: 'the last commit', ...ALONE }
  }
  const fetch = isCut ? 'git fetch --unshallow' : 'git fetch'
  throw new ForeproofError('unavailable', 'this clone does not have the branch to compare with', {
    help: `Fetch all branches: git remote set-branches origin '*' && ${fetch}. Or name the base: --base REV`,
  })
}

/** A base named by a CI system: a commit id, else a branch of the remote. */
export interface Candidate {
  readonly id?: string | undefined
  readonly branch?: string | undefined
  readonly from: string
  /** Whether to try the next candidate if this commit is missing. */
  readonly optional?: boolean
  /** The target branch of the change, and its commit at that time. */
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
  const target = env.GITHUB_BASE_REF || event('/pull_request/base/ref')
  const fallback = event('/repository/default_branch')
  return [
    { id: event('/pull_request/base/sha'), from: 'the pull request', target },
    { id: event('/merge_group/base_sha'), from: 'the merge group' },
    { id: event('/before'), from: 'the push', ...pushCandidates(event('/ref'), fallback) },
    { branch: env.GITHUB_BASE_REF, from: 'GITHUB_BASE_REF' },
    { branch: fallback, from: 'the default branch' },
  ]
}

/** Larger than any event that a runner writes. */
const MAX_EVENT_BYTES = 64 * 1_048_576

/** Reads a text of the event by its pointer; undefined if missing. */
type EventText = (pointer: string) => string | undefined

/**
 * Reads the event that started a GitHub workflow; empty without its file.
 * @throws {ForeproofError} `unavailable` if it is not JSON, or a requested member is not a text: falling back to a
 * lower-ranked base could hide changes.
 */
function readEvent(path: string | undefined): EventText {
  // A runner without the event still has the branch names.
  if (!path || !existsSync(path)) return () => undefined
  const bytes = readRegular(path, MAX_EVENT_BYTES)
  let event: unknown
  try {
    event = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw badEventError(path, 'this is not JSON')
  }
  return (pointer) => {
    const value = valueAt(event, pointer) ?? undefined
    // Texts that can be passed to git: without control characters, and short.
    if (value === undefined || (typeof value === 'string' && /^\P{Cc}{0,4096}$/u.test(value))) {
      return value
    }
    const name = pointer.slice(1).replaceAll('/', '.')
    throw badEventError(path, `${name} is not the name of a commit or a branch`)
  }
}

function badEventError(path: string, message: string): ForeproofError {
  return new ForeproofError('unavailable', `GITHUB_EVENT_PATH: ${path}: ${message}`, {
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
    {
      id: env.CI_COMMIT_BEFORE_SHA,
      from: 'the push',
      ...pushCandidates(env.CI_COMMIT_BRANCH, fallback),
    },
    { branch: fallback, from: 'the default branch' },
  ]
}

/**
 * After a forced push to a feature branch, the earlier commit may be gone, and the default branch is the better base.
 * On the default branch itself, that would hide the rewritten history, so the pushed commit is compared with the one
 * it replaced.
 */
function pushCandidates(
  branch: string | undefined,
  defaultBranch: string | undefined,
): Pick<Candidate, 'optional' | 'replaced'> {
  const name = branch?.replace(/^refs\/heads\//, '')
  const side = name !== undefined && defaultBranch !== undefined && name !== defaultBranch
  return { optional: side, replaced: !side }
}
