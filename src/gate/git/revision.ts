import { ForeproofError } from '../../contract/error.js'
import { type Repository, short } from './repository.js'
import { git, gitLine } from './run.js'

/** The commit that a full ref name, a full commit id or an expression on one stands for. */
export function resolveCommit(top: string, revision: string): string | undefined {
  const options = ['--verify', '--quiet', '--end-of-options']
  const found = gitLine(top, ['rev-parse', ...options, `${revision}^{commit}`])
  // `^main` is taken, too, and answered by the commit to leave out.
  return found?.startsWith('^') ? undefined : found
}

/**
 * The commit that `--base` stands for.
 * @throws {ForeproofError} `usage` when it names several refs, a range, or something else than a commit.
 */
export function resolveAsked(repository: Repository, asked: string): string | undefined {
  const commit = resolveNamed(repository, asked)
  if (commit !== undefined) return commit
  const kind = otherThanCommit(repository.top, asked)
  if (kind === undefined) return undefined
  throw new ForeproofError('usage', `--base ${asked}: this is ${kind}, not one commit`, {
    help: 'Name one commit, branch or tag: --base origin/main',
  })
}

function otherThanCommit(top: string, asked: string): string | undefined {
  if (asked.trim() === '') return 'empty'
  if (asked.startsWith('-')) return undefined
  const found = gitLine(top, ['rev-parse', '--revs-only', asked, '--'])?.split('\n') ?? []
  if (found.length > 1 || found[0]?.startsWith('^')) return 'a range'
  const type = found[0] && gitLine(top, ['cat-file', '-t', found[0]])
  return type ? `a ${type}` : undefined
}

/** Those of some full names that are refs of this repository. */
function existing(top: string, names: readonly string[]): string[] {
  const full = names.filter((name) => name.startsWith('refs/'))
  const found = git(top, ['for-each-ref', '--format=%(refname)', ...full]).toString('utf8')
  const refs = new Set(found.split('\n'))
  return full.filter((name) => refs.has(name))
}

/**
 * A branch by its name alone, as a CI system gives it: what the remote has of it, else the local
 * one. Never a tag, whatever its name.
 */
export function branchCommit(top: string, branch: string): string | undefined {
  const names = [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]
  const [ref] = existing(top, names)
  return ref === undefined ? undefined : resolveCommit(top, ref)
}

/** A commit by its full id, as a CI system gives it. */
export function commitOfId({ top, hash }: Repository, id: string): string | undefined {
  return isFullId(id, hash) ? resolveCommit(top, id) : undefined
}

function isFullId(text: string, hash: Repository['hash']): boolean {
  return text.length === (hash === 'sha1' ? 40 : 64) && /^[0-9a-f]+$/i.test(text)
}

/**
 * A revision as a person names it. Git takes the first of several refs of one name, tags before
 * branches: here the name has to belong to one alone.
 * @throws {ForeproofError} `usage` when the name belongs to several.
 */
function resolveNamed(repository: Repository, asked: string): string | undefined {
  const { top, hash } = repository
  const name = /^.*?(?=[~^:]|@\{|$)/s.exec(asked)?.[0] ?? ''
  if (name === '' || isFullId(name, hash)) return resolveCommit(top, asked)
  const places = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
  const names = [...places.map((place) => `${place}${name}`), `refs/remotes/${name}/HEAD`]
  const refs = existing(top, names)
  const [ref] = refs
  // A full name is one alone: git, too, takes it before all others.
  if (ref === undefined || ref === name) return resolveCommit(top, asked)
  const carriers = [...refs, ...commitsOfAbbreviation(top, name)]
  // What git itself takes may lie outside of refs/: HEAD, FETCH_HEAD.
  if (refs.length === 1 && resolveCommit(top, name) !== resolveCommit(top, ref)) carriers.push(name)
  if (carriers.length > 1) throw ambiguous(asked, carriers)
  return resolveCommit(top, `${ref}${asked.slice(name.length)}`)
}

function commitsOfAbbreviation(top: string, name: string): string[] {
  if (!/^[0-9a-f]{4,}$/i.test(name)) return []
  const ids = gitLine(top, ['rev-parse', `--disambiguate=${name}`])?.split('\n') ?? []
  return ids.filter((id) => resolveCommit(top, id) === id).map((id) => `commit ${short(id)}`)
}

function ambiguous(asked: string, carriers: readonly string[]): ForeproofError {
  const refs = carriers.join(', ')
  return new ForeproofError('usage', `--base ${asked} is ambiguous: it names ${refs}`, {
    help: 'Give the full name of the one you mean (refs/heads/…, refs/remotes/origin/…) or the full commit id.',
  })
}
