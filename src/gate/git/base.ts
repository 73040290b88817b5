import { ForeproofError } from '../../contract/error.js'
import { type Candidate, ciCandidates, isCi } from './ci.js'
import type { Repository } from './repository.js'
import { branchCommit, commitOfId, resolveAsked, resolveCommit } from './revision.js'
import { gitLine } from './run.js'

export interface BaseName {
  /** Undefined when the repository has no commit yet: then everything is new. */
  readonly commit: string | undefined
  /** The revision as it was named. */
  readonly revision: string
  /** Who named it. */
  readonly from: string
}

export interface Base extends BaseName {
  /** Further commits that the change builds on; the last one is the newest known of its target. */
  readonly also: readonly string[]
  /** A branch that was named as the target and is not in this clone. */
  readonly absent: string | undefined
  /** True where HEAD takes the place of the base: then all that the base holds is frozen. */
  readonly replaced: boolean
}

const ALONE = { also: [], absent: undefined, replaced: false } as const

/**
 * The revision to compare with: the one asked for, else what GitHub Actions or GitLab CI say the
 * change builds on, else the branch that work is merged into, else the last commit.
 * @throws {ForeproofError} `unavailable` when a revision that was named is not in this clone; `usage`
 * when the one asked for is the name of several refs.
 */
export function findBase(
  repository: Repository,
  asked: string | undefined,
  env: NodeJS.ProcessEnv,
): Base {
  if (asked !== undefined) {
    const commit = resolveAsked(repository, asked)
    if (commit === undefined) throw notInClone(repository, asked, '--base')
    return { commit, revision: asked, from: '--base', ...ALONE }
  }
  for (const candidate of ciCandidates(env)) {
    const { id, branch, from, optional } = candidate
    const revision = id ?? `origin/${branch}`
    const commit = id ? commitOfId(repository, id) : branchCommit(repository.top, `${branch}`)
    if (commit !== undefined) return withTarget(repository, candidate, { commit, revision, from })
    if (!optional) throw notInClone(repository, revision, from)
  }
  return findPlainBase(repository, env)
}

/** What the target of a merge request holds now counts beside the commit that it was opened on. */
function withTarget(
  repository: Repository,
  { target, targetId, replaced }: Candidate,
  base: BaseName,
): Base {
  const tip = target && branchCommit(repository.top, target)
  const merged = targetId && commitOfId(repository, targetId)
  return {
    ...base,
    also: [merged, tip].flatMap((commit) => commit || []),
    absent: tip || merged ? undefined : target,
    replaced: replaced ?? false,
  }
}

function notInClone(repository: Repository, revision: string, from: string): ForeproofError {
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
 * Outside of CI: the remote's default branch, a local one of the usual names, else HEAD. Where the
 * clone holds a part of its remote, HEAD would be a guess under which nothing can be found.
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
  if (
    shallow.size > 0 ||
    (isCi(env) && gitLine(top, ['for-each-ref', '--count=1', 'refs/remotes']))
  ) {
    throw nothingToCompareWith(shallow.size > 0)
  }
  return { commit: head, revision: 'HEAD', from: 'the last commit', ...ALONE }
}

function nothingToCompareWith(shallow: boolean): ForeproofError {
  const fetch = shallow ? 'git fetch --unshallow' : 'git fetch'
  return new ForeproofError('unavailable', 'this clone does not have the branch to compare with', {
    help: `Fetch all branches: git remote set-branches origin '*' && ${fetch}. Or name the base: --base REV`,
  })
}
