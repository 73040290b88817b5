import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { git, gitLine, tryGit } from './run.js'

export interface Repository {
  /** The top of the working tree, absolute. */
  readonly top: string
  /** Path of the current folder below the top, `''` or ending in a slash. */
  readonly prefix: string
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
  const inside = tryGit(cwd, ['rev-parse', '--is-inside-work-tree'])
  if (inside.status !== 0 || inside.stdout.toString().trim() !== 'true') {
    const owner = /dubious ownership/.test(inside.stderr)
    throw new ForeproofError(
      'unavailable',
      inside.status === 0
        ? `${cwd}: a git folder without a working tree`
        : `git: ${inside.stderr.split('\n')[0]}`,
      {
        help: owner
          ? `Tell git that you trust this folder: git config --global --add safe.directory ${cwd}`
          : 'Run this in the working tree of a git repository.',
      },
    )
  }
  const top = git(cwd, ['rev-parse', '--show-toplevel'])
    .toString('utf8')
    .replace(/\r?\n$/, '')
  return {
    top,
    prefix: gitLine(cwd, ['rev-parse', '--show-prefix']) ?? '',
    head: resolveCommit(top, 'HEAD'),
    shallow: shallowCommits(top),
    hash: gitLine(top, ['rev-parse', '--show-object-format']) === 'sha256' ? 'sha256' : 'sha1',
  }
}

/** The full name of the commit that a revision stands for, or undefined. */
export function resolveCommit(top: string, revision: string): string | undefined {
  return gitLine(top, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ])
}

function shallowCommits(top: string): ReadonlySet<string> {
  const path = gitLine(top, ['rev-parse', '--git-path', 'shallow'])
  if (path === undefined) return new Set()
  const file = resolve(top, path)
  if (!existsSync(file)) return new Set()
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
}

/** The best common ancestor of two commits, or undefined when they share no history. */
export function mergeBase(top: string, a: string, b: string): string | undefined {
  return gitLine(top, ['merge-base', a, b]) || undefined
}

/** First eight digits: what people recognise a commit by. */
export function short(commit: string): string {
  return commit.slice(0, 8)
}
