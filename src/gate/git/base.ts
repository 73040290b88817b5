import { readFileSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { type Repository, resolveCommit } from './repository.js'
import { gitLine } from './run.js'

export interface Base {
  /** Undefined when the repository has no commit yet: then everything is new. */
  readonly commit: string | undefined
  /** The revision as it was named. */
  readonly revision: string
  /** Who named it. */
  readonly from: string
}

interface Candidate {
  readonly revision: string | undefined
  readonly from: string
  /** Whether the next candidate will do when this commit is not there. */
  readonly optional?: boolean
}

/**
 * The revision to compare with: the one asked for, else what GitHub Actions or GitLab CI say the
 * change builds on, else the branch that work is merged into, else the last commit.
 * @throws {ForeproofError} `unavailable` when a revision that was named is not in this clone.
 */
export function findBase(
  repository: Repository,
  asked: string | undefined,
  env: NodeJS.ProcessEnv,
): Base {
  const candidates =
    asked === undefined
      ? [...githubCandidates(env), ...gitlabCandidates(env)]
      : [{ revision: asked, from: '--base', optional: false }]
  for (const { revision, from, optional } of candidates) {
    if (!revision || /^0+$/.test(revision)) continue
    const commit = resolveCommit(repository.top, revision)
    if (commit !== undefined) return { commit, revision, from }
    if (!optional) throw absent(repository, revision, from)
  }
  return findPlainBase(repository, env)
}

function absent(repository: Repository, revision: string, from: string): ForeproofError {
  const fetch = repository.shallow.size > 0 ? 'git fetch --unshallow' : 'git fetch origin'
  return new ForeproofError('unavailable', `the base ${revision} (${from}) is not in this clone`, {
    help: `Fetch it: ${fetch} (in GitHub Actions: fetch-depth: 0; in GitLab CI: GIT_DEPTH: 0). Or name another: --base REV`,
  })
}

function githubCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  if (!env.GITHUB_ACTIONS) return []
  const event = readEvent(env.GITHUB_EVENT_PATH)
  const branch = env.GITHUB_BASE_REF
  const fallback = event?.repository?.default_branch
  return [
    { revision: event?.pull_request?.base?.sha, from: 'the pull request' },
    { revision: event?.merge_group?.base_sha, from: 'the merge group' },
    { revision: event?.before, from: 'the push', optional: isSide(event?.ref, fallback) },
    { revision: branch && `origin/${branch}`, from: 'GITHUB_BASE_REF' },
    { revision: fallback && `origin/${fallback}`, from: 'the default branch' },
  ]
}

interface GithubEvent {
  readonly pull_request?: { readonly base?: { readonly sha?: string } }
  readonly merge_group?: { readonly base_sha?: string }
  readonly before?: string
  readonly ref?: string
  readonly repository?: { readonly default_branch?: string }
}

function readEvent(path: string | undefined): GithubEvent | undefined {
  if (!path) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as GithubEvent
  } catch {
    // A runner without the event still has the branch names.
    return undefined
  }
}

function gitlabCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  if (!env.GITLAB_CI) return []
  const target = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME
  const fallback = env.CI_DEFAULT_BRANCH
  return [
    { revision: env.CI_MERGE_REQUEST_DIFF_BASE_SHA, from: 'the merge request' },
    { revision: target && `origin/${target}`, from: 'the target branch' },
    {
      revision: env.CI_COMMIT_BEFORE_SHA,
      from: 'the push',
      optional: isSide(env.CI_COMMIT_BRANCH, fallback),
    },
    { revision: fallback && `origin/${fallback}`, from: 'the default branch' },
  ]
}

/**
 * After a forced push to a branch of its own the commit before is gone, and the default branch is
 * the better base. On the default branch itself that would hide the very thing to look for.
 */
function isSide(branch: string | undefined, defaultBranch: string | undefined): boolean {
  const name = branch?.replace('refs/heads/', '')
  return name !== undefined && defaultBranch !== undefined && name !== defaultBranch
}

/**
 * Outside of CI: the remote's default branch, a local one of the usual names, else HEAD. Where the
 * clone holds a part of its remote, HEAD would be a guess under which nothing can be found.
 */
function findPlainBase({ top, head, shallow }: Repository, env: NodeJS.ProcessEnv): Base {
  const remote = gitLine(top, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'])
  const names = [remote, 'origin/main', 'origin/master', 'main', 'master']
  for (const revision of names) {
    const commit = revision && resolveCommit(top, `refs/${scope(revision)}/${revision}`)
    if (revision && commit) return { commit, revision, from: 'the branch that work goes into' }
  }
  if (shallow.size > 0 || (env.CI && gitLine(top, ['for-each-ref', '--count=1', 'refs/remotes']))) {
    throw nothingToCompareWith(shallow.size > 0)
  }
  return { commit: head, revision: 'HEAD', from: 'the last commit' }
}

function nothingToCompareWith(shallow: boolean): ForeproofError {
  const fetch = shallow ? 'git fetch --unshallow' : 'git fetch'
  return new ForeproofError(
    'unavailable',
    'this clone does not hold the branch that work goes into',
    {
      help: `Fetch all branches: git remote set-branches origin '*' && ${fetch}. Or name the base: --base REV`,
    },
  )
}

function scope(revision: string): string {
  return revision.includes('/') ? 'remotes' : 'heads'
}
