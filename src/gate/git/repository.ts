import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { type GitResult, gitLine, tryGit } from './run.js'

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
  if (answer.status !== 0 || inside !== 'true' || !top) throw noRepository(cwd, answer)
  return {
    top,
    head: headOf(top),
    shallow: shallowCommits(resolve(cwd, shallow)),
    hash: hash === 'sha256' ? 'sha256' : 'sha1',
  }
}

/**
 * The commit that is checked out; undefined before the first one.
 * @throws {ForeproofError} `unavailable` when HEAD is damaged: that is not a branch without a commit.
 */
function headOf(top: string): string | undefined {
  // Exactly HEAD: before the first commit, `rev-parse` would take a tag of that name.
  const head = gitLine(top, ['show-ref', '--verify', '--hash', 'HEAD'])
  if (head !== undefined) return head
  const branch = gitLine(top, ['symbolic-ref', '--quiet', 'HEAD'])
  const answer = branch && tryGit(top, ['for-each-ref', '--format=%(objecttype)', branch])
  if (answer && answer.status === 0 && answer.stderr === '') return undefined
  const says = answer ? answer.stderr.split('\n')[0] : 'HEAD leads to no commit'
  throw new ForeproofError('unavailable', `git: ${says}`, {
    help: 'Check out a branch or a commit, or clone anew. See: git fsck',
  })
}

function noRepository(cwd: string, { stdout, stderr }: GitResult): ForeproofError {
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

function shallowCommits(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set()
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
}

/** Every best common ancestor of two commits: more than one after criss-cross merges. */
export function mergeBases(top: string, a: string, b: string): string[] {
  return lines(gitLine(top, ['merge-base', '--all', a, b]))
}

/** Those of some commits that are no ancestor of another one among them. */
export function independent(top: string, commits: readonly string[]): string[] {
  const distinct = [...new Set(commits)]
  return distinct.length < 2
    ? distinct
    : lines(gitLine(top, ['merge-base', '--independent', ...distinct]))
}

function lines(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter(Boolean)
}

/** First eight digits: what people recognise a commit by. */
export function short(commit: string): string {
  return commit.slice(0, 8)
}
