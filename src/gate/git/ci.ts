import { readFileSync } from 'node:fs'

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
  const target = env.GITHUB_BASE_REF || event?.pull_request?.base?.ref
  const fallback = event?.repository?.default_branch
  return [
    { id: event?.pull_request?.base?.sha, from: 'the pull request', target },
    { id: event?.merge_group?.base_sha, from: 'the merge group' },
    { id: event?.before, from: 'the push', ...pushed(event?.ref, fallback) },
    { branch: env.GITHUB_BASE_REF, from: 'GITHUB_BASE_REF' },
    { branch: fallback, from: 'the default branch' },
  ]
}

interface GithubEvent {
  readonly pull_request?: { readonly base?: { readonly sha?: string; readonly ref?: string } }
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
  const name = branch?.replace('refs/heads/', '')
  const side = name !== undefined && defaultBranch !== undefined && name !== defaultBranch
  return { optional: side, replaced: !side }
}
