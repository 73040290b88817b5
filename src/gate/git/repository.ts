import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { type GitResult, git, gitLine, tryGit } from './run.js'

export interface Repository {
  /** The top of the working tree, absolute. */
  readonly top: string
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined
  /** Commits whose parents a shallow clone left out. */
  readonly shallow: ReadonlySet<string>
  /** Hash that names objects: sha1 or sha256. */
  readonly hash: 'sha1' | 'sha256'
}

/**
 * The repository around a folder.
 * @throws {ForeproofError} `unavailable` when there is none, or one without a working tree.
 */
export function openRepository(cwd: string): Repository {
  const asked = ['--is-inside-work-tree', '--show-object-format', '--git-path', 'shallow']
  const answer = tryGit(cwd, ['rev-parse', ...asked, '--show-toplevel'])
  const [inside, hash, shallow = '', top] = answer.stdout.toString('utf8').split(/\r?\n/)
  if (answer.status !== 0 || inside !== 'true' || !top) throw noRepositoryError(cwd, answer)
  return {
    top,
    head: resolveHead(top),
    shallow: readShallowCommits(resolve(cwd, shallow)),
    hash: hash === 'sha256' ? 'sha256' : 'sha1',
  }
}

/**
 * The commit that is checked out; undefined before the first one.
 * @throws {ForeproofError} `unavailable` when HEAD is damaged: that is not a branch without a commit.
 */
function resolveHead(top: string): string | undefined {
  // Exactly HEAD: before the first commit, `rev-parse` would take a tag of that name.
  const head = gitLine(top, ['show-ref', '--verify', '--hash', 'HEAD'])
  if (head !== undefined) return head
  const branch = gitLine(top, ['symbolic-ref', '--quiet', 'HEAD'])
  const answer = branch && tryGit(top, ['for-each-ref', '--format=%(objecttype)', branch])
  if (answer && answer.status === 0 && answer.stderr === '') return undefined
  const message = answer ? answer.stderr.split('\n')[0] : 'HEAD leads to no commit'
  throw new ForeproofError('unavailable', `git: ${message}`, {
    help: 'Check out a branch or a commit, or clone anew. See: git fsck',
  })
}

function noRepositoryError(cwd: string, { stdout, stderr }: GitResult): ForeproofError {
  if (stdout.toString().startsWith('false')) {
    return new ForeproofError('unavailable', `${cwd}: this git folder has no working tree`, {
      help: 'Run this in a clone that has files checked out.',
    })
  }
  return new ForeproofError('unavailable', `git: ${stderr.split('\n')[0]}`, {
    help: /dubious ownership/.test(stderr)
      ? `Tell git that you trust this folder: git config --global --add safe.directory ${cwd}`
      : 'Run this in the working tree of a git repository.',
  })
}

function readShallowCommits(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set()
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
}

/** Every best common ancestor of two commits: more than one after criss-cross merges. */
export function mergeBases(top: string, a: string, b: string): string[] {
  return splitOutput(gitLine(top, ['merge-base', '--all', a, b]))
}

/** The commits that are not ancestors of another one in the list. */
export function independentCommits(top: string, commits: readonly string[]): string[] {
  const distinct = [...new Set(commits)]
  return distinct.length < 2
    ? distinct
    : splitOutput(gitLine(top, ['merge-base', '--independent', ...distinct]))
}

function splitOutput(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter(Boolean)
}

/** The first eight digits of a commit id. */
export function shortId(commit: string): string {
  return commit.slice(0, 8)
}

/** Resolves a full ref name, a full commit id, or an expression on one. */
export function resolveCommit(top: string, revision: string): string | undefined {
  const options = ['--verify', '--quiet', '--end-of-options']
  const commit = gitLine(top, ['rev-parse', ...options, `${revision}^{commit}`])
  // git also accepts `^main` and prints the excluded commit.
  return commit?.startsWith('^') ? undefined : commit
}

/**
 * Resolves `--base`.
 * @throws {ForeproofError} `usage` when it names several refs, a range, or something else than a commit.
 */
export function resolveAsked(repository: Repository, asked: string): string | undefined {
  const commit = resolveNamed(repository, asked)
  if (commit !== undefined) return commit
  const kind = findOtherMeaning(repository.top, asked)
  if (kind === undefined) return undefined
  throw new ForeproofError('usage', `--base ${asked}: this is ${kind}, not one commit`, {
    help: 'Name one commit, branch or tag: --base origin/main',
  })
}

function findOtherMeaning(top: string, asked: string): string | undefined {
  if (asked.trim() === '') return 'empty'
  if (asked.startsWith('-')) return undefined
  const revisions = gitLine(top, ['rev-parse', '--revs-only', asked, '--'])?.split('\n') ?? []
  if (revisions.length > 1 || revisions[0]?.startsWith('^')) return 'a range'
  const type = revisions[0] && gitLine(top, ['cat-file', '-t', revisions[0]])
  if (type === 'commit') return 'a search'
  return type ? `a ${type}` : undefined
}

/** Those of some full names that are refs of this repository. */
function existingRefs(top: string, names: readonly string[]): string[] {
  const full = names.filter((name) => name.startsWith('refs/'))
  const listing = git(top, ['for-each-ref', '--format=%(refname)', ...full]).toString('utf8')
  const refs = new Set(listing.split('\n'))
  return full.filter((name) => refs.has(name))
}

/**
 * Resolves a branch name from a CI system: the remote branch, else the local one, never a tag of that name.
 */
export function branchCommit(top: string, branch: string): string | undefined {
  const names = [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]
  const [ref] = existingRefs(top, names)
  return ref === undefined ? undefined : resolveCommit(top, ref)
}

/** A commit by its full id, as a CI system gives it. */
export function resolveCommitId({ top, hash }: Repository, id: string): string | undefined {
  return isFullId(id, hash) ? resolveCommit(top, id) : undefined
}

function isFullId(text: string, hash: Repository['hash']): boolean {
  return text.length === (hash === 'sha1' ? 40 : 64) && /^[0-9a-f]+$/i.test(text)
}

/**
 * Resolves a revision named by the user. Git takes the first of several refs with one name (tags before branches);
 * here the name must be unique.
 * @throws {ForeproofError} `usage` when the name belongs to several.
 */
function resolveNamed(repository: Repository, asked: string): string | undefined {
  const { top, hash } = repository
  const name = /^.*?(?=[~^:]|@\{|$)/s.exec(asked)?.[0] ?? ''
  if (name === '' || isFullId(name, hash)) return resolveCommit(top, asked)
  const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
  const names = [...prefixes.map((place) => `${place}${name}`), `refs/remotes/${name}/HEAD`]
  const refs = existingRefs(top, names)
  const [ref] = refs
  // A full name is one alone: git, too, takes it before all others.
  if (ref === undefined || ref === name) return resolveCommit(top, asked)
  const carriers = [...refs, ...resolveAbbreviation(top, name)]
  // What git itself takes may lie outside of refs/: HEAD, FETCH_HEAD.
  if (refs.length === 1 && resolveCommit(top, name) !== resolveCommit(top, ref)) carriers.push(name)
  if (carriers.length > 1) throw ambiguousError(asked, carriers)
  return resolveCommit(top, `${ref}${asked.slice(name.length)}`)
}

function resolveAbbreviation(top: string, name: string): string[] {
  if (!/^[0-9a-f]{4,}$/i.test(name)) return []
  const ids = gitLine(top, ['rev-parse', `--disambiguate=${name}`])?.split('\n') ?? []
  return ids.filter((id) => resolveCommit(top, id) === id).map((id) => `commit ${shortId(id)}`)
}

function ambiguousError(asked: string, carriers: readonly string[]): ForeproofError {
  const refs = carriers.join(', ')
  return new ForeproofError('usage', `--base ${asked} is ambiguous: it names ${refs}`, {
    help: 'Give the full name of the one you mean (refs/heads/…, refs/remotes/origin/…) or the full commit id.',
  })
}
