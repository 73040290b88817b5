import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBase } from '../../src/gate/git/base.js'
import { openRepository } from '../../src/gate/git/repository.js'
import { temporaryFolder } from '../support/folder.js'
import { GIT_ENVIRONMENT } from './history-script.js'

const hasGit = spawnSync('git', ['--version']).status === 0

let root: string
const commits: Record<string, string> = {}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, env: GIT_ENVIRONMENT, stdio: 'pipe' }).toString().trim()

/** main: a - b - c; work, checked out, branches from b; origin/main is at b. */
beforeAll(() => {
  root = temporaryFolder()
  git('init', '-q', '-b', 'main')
  for (const name of ['a', 'b', 'c']) {
    git('commit', '-q', '--allow-empty', '-m', name)
    commits[name] = git('rev-parse', 'HEAD')
  }
  git('update-ref', 'refs/remotes/origin/main', commits.b as string)
  git('checkout', '-q', '-b', 'work', commits.b as string)
})

/** A GitHub run with this event. */
function github(event: object): Record<string, string> {
  const path = join(root, 'event.json')
  writeFileSync(path, JSON.stringify(event))
  return { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path }
}

describe.runIf(hasGit)('a base whose name others carry, too', () => {
  const moved = (ref: string) => git('update-ref', ref, commits.a as string)
  const named = (asked: string) => findBase(openRepository(root), asked, {}).commit

  it('takes branches for what CI and the clone name, never tags', () => {
    for (const name of ['main', 'origin/main', 'refs/remotes/origin/main']) {
      moved(`refs/tags/${name}`)
    }
    const merge = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', GITLAB_CI: '1' }
    const environments = [
      {},
      merge,
      github({ repository: { default_branch: 'main' } }),
      { ...github({}), GITHUB_BASE_REF: 'main' },
    ]
    const bases = environments.map((env) => findBase(openRepository(root), undefined, env).commit)
    expect(bases).toEqual(environments.map(() => commits.b))
  })

  it.each([
    ['main', 'refs/tags/main, refs/heads/main'],
    ['origin/main', 'refs/tags/origin/main, refs/remotes/origin/main'],
    ['main~1', 'refs/tags/main, refs/heads/main'],
    ['main^{commit}', 'refs/tags/main, refs/heads/main'],
    ['main@{0}', 'refs/tags/main, refs/heads/main'],
  ])('refuses --base %s and names the refs', (asked, refs) => {
    expect(() => named(asked)).toThrow(`--base ${asked} is ambiguous: it names ${refs}`)
  })

  it('refuses what is a commit in short and a tag, and HEAD where a branch has that name', () => {
    const abbreviated = (commits.b as string).slice(0, 7)
    moved(`refs/tags/${abbreviated}`)
    moved('refs/heads/HEAD')
    expect(() => named(abbreviated)).toThrow(
      `refs/tags/${abbreviated}, commit ${commits.b?.slice(0, 8)}`,
    )
    expect(() => named('HEAD')).toThrow('refs/heads/HEAD, HEAD')
  })

  it('takes full names and full ids for what they are', () => {
    moved(`refs/tags/${commits.b}`)
    moved(`refs/heads/${commits.b}`)
    moved('refs/tags/refs/heads/main')
    expect(named(commits.b as string)).toBe(commits.b)
    expect(named('refs/heads/main')).toBe(commits.c)
    expect(named('refs/heads/main~1')).toBe(commits.b)
    expect(named('refs/tags/main')).toBe(commits.a)
    expect(named('heads/main')).toBe(commits.c)
    const env = github({ pull_request: { base: { sha: commits.b } } })
    expect(findBase(openRepository(root), undefined, env).commit).toBe(commits.b)
  })

  it('takes only a full id for the id that CI gives', () => {
    const env = github({ pull_request: { base: { sha: 'main' } } })
    expect(() => findBase(openRepository(root), undefined, env)).toThrow(/not in this clone/)
  })

  it('never takes a tag for a branch that the clone lacks', () => {
    git('update-ref', '-d', 'refs/remotes/origin/main')
    git('update-ref', '-d', 'refs/heads/main')
    const env = { GITLAB_CI: '1', CI_DEFAULT_BRANCH: 'main' }
    expect(() => findBase(openRepository(root), undefined, env)).toThrow(/not in this clone/)
    expect(findBase(openRepository(root), undefined, {}).revision).toBe('HEAD')
  })
})
