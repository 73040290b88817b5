import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runGate } from '../../src/gate/gate.js'
import { findBase } from '../../src/gate/git/base.js'
import { openRepository } from '../../src/gate/git/repository.js'
import { temporaryFolder } from '../support/folder.js'
import { GIT_ENVIRONMENT } from './history-script.js'

const hasGit = spawnSync('git', ['--version']).status === 0
const ZEROS = '0'.repeat(40)

let folder: string
let root: string
const commits: Record<string, string> = {}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, env: GIT_ENVIRONMENT }).toString().trim()

/** main: a - b - c; work, checked out, branches from b; origin/main is at b. */
beforeAll(() => {
  folder = temporaryFolder()
  root = join(folder, 'repository')
  mkdirSync(root)
  git('init', '-q', '-b', 'main')
  for (const name of ['a', 'b', 'c']) {
    git('commit', '-q', '--allow-empty', '-m', name)
    commits[name] = git('rev-parse', 'HEAD')
  }
  git('update-ref', 'refs/remotes/origin/main', commits.b as string)
  git('checkout', '-q', '-b', 'work', commits.b as string)
  git('commit', '-q', '--allow-empty', '-m', 'w')
  commits.w = git('rev-parse', 'HEAD')
})

type Environment = Record<string, string>

/** The event of a GitHub run, with commits named by their letters. */
function github(event: unknown, more: Environment = {}): Environment {
  const path = join(folder, 'event.json')
  const text = JSON.stringify(event).replace(/@(\w)/g, (_, name: string) => commits[name] as string)
  writeFileSync(path, text)
  return { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path, ...more }
}

const gitlab = (more: Environment): Environment => {
  const named = Object.entries(more).map(([key, value]) => [
    key,
    value.replace(/^@(\w)$/, (_, n) => commits[n] as string),
  ])
  return { GITLAB_CI: 'true', ...Object.fromEntries(named) }
}

const repository = { default_branch: 'main' }
const CASES: readonly (readonly [string, string | undefined, () => Environment, string, string])[] =
  [
    ['a named revision', 'main~2', () => ({}), 'a', '--base'],
    ['a named revision in CI', 'main', () => github({ before: '@a' }), 'c', '--base'],
    [
      'a pull request',
      undefined,
      () => github({ pull_request: { base: { sha: '@c' } }, repository }),
      'c',
      'the pull request',
    ],
    [
      'a merge group',
      undefined,
      () => github({ merge_group: { base_sha: '@a' } }),
      'a',
      'the merge group',
    ],
    ['a push', undefined, () => github({ before: '@a', repository }), 'a', 'the push'],
    [
      'the push of a new branch',
      undefined,
      () => github({ before: ZEROS, repository }),
      'b',
      'the default branch',
    ],
    ['a scheduled run', undefined, () => github({ repository }), 'b', 'the default branch'],
    [
      'a run without its event',
      undefined,
      () => ({ GITHUB_ACTIONS: '1', GITHUB_EVENT_PATH: '/nowhere', GITHUB_BASE_REF: 'main' }),
      'b',
      'GITHUB_BASE_REF',
    ],
    [
      'a merge request',
      undefined,
      () => gitlab({ CI_MERGE_REQUEST_DIFF_BASE_SHA: '@b', CI_COMMIT_BEFORE_SHA: ZEROS }),
      'b',
      'the merge request',
    ],
    [
      'a push in GitLab',
      undefined,
      () => gitlab({ CI_COMMIT_BEFORE_SHA: '@a', CI_DEFAULT_BRANCH: 'main' }),
      'a',
      'the push',
    ],
    [
      'a new branch in GitLab',
      undefined,
      () => gitlab({ CI_COMMIT_BEFORE_SHA: ZEROS, CI_DEFAULT_BRANCH: 'main' }),
      'b',
      'the default branch',
    ],
    [
      'a forced push to a side branch',
      undefined,
      () => github({ before: 'f'.repeat(40), ref: 'refs/heads/work', repository }),
      'b',
      'the default branch',
    ],
    [
      'the same in GitLab',
      undefined,
      () =>
        gitlab({
          CI_COMMIT_BEFORE_SHA: 'f'.repeat(40),
          CI_COMMIT_BRANCH: 'work',
          CI_DEFAULT_BRANCH: 'main',
        }),
      'b',
      'the default branch',
    ],
    ['a plain clone', undefined, () => ({}), 'b', 'the branch that work goes into'],
  ]

describe.runIf(hasGit)('findBase', () => {
  it.each(CASES)('%s', (_name, asked, environment, commit, from) => {
    const base = findBase(openRepository(root), asked, environment())
    expect([base.commit, base.from]).toEqual([commits[commit], from])
  })

  it.each([
    ['nowhere', {}],
    [undefined, { GITLAB_CI: '1', CI_COMMIT_BEFORE_SHA: 'f'.repeat(40) }],
    [
      undefined,
      {
        GITLAB_CI: '1',
        CI_COMMIT_BEFORE_SHA: 'f'.repeat(40),
        CI_COMMIT_BRANCH: 'main',
        CI_DEFAULT_BRANCH: 'main',
      },
    ],
    ['--output=x', {}],
  ])('refuses %s, which is not in the clone, and says how to fetch it', (asked, env) => {
    const repository = openRepository(root)
    expect(() => findBase(repository, asked, env)).toThrow(/not in this clone/)
  })

  it.each([
    ['main..work', 'a range'],
    ['main...work', 'a range'],
    ['^main', 'a range'],
    ['main^!', 'a range'],
    ['', 'empty'],
    ['main^{tree}', 'a tree'],
  ])('refuses --base "%s": it is %s, not one commit', (asked, kind) => {
    const refused = () => findBase(openRepository(root), asked, {})
    expect(refused).toThrow(`--base ${asked}: this is ${kind}, not one commit`)
    expect(refused).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  it.each([
    ['ref', { ref: 5, before: 'x' }],
    ['ref', { ref: ['x'], before: 'x' }],
    ['repository.default_branch', { repository: { default_branch: {} } }],
    ['repository.default_branch', { repository: { default_branch: 'ma\u0000in' } }],
    ['repository.default_branch', { repository: { default_branch: 'm'.repeat(200_000) } }],
    ['pull_request.base.sha', { pull_request: { base: { sha: 1e40 } } }],
    ['pull_request.base.ref', { pull_request: { base: { ref: true } } }],
    ['merge_group.base_sha', { merge_group: { base_sha: ['@a'] } }],
    ['before', { before: {}, repository }],
  ])('refuses an event whose %s is not a name', (member, event) => {
    const refused = () => findBase(openRepository(root), undefined, github(event))
    expect(refused).toThrow(`${member} is not the name of a commit or a branch`)
    expect(refused).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('refuses an event that cannot be read, and waits for no pipe', () => {
    const path = join(folder, 'other.json')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path, GITHUB_BASE_REF: 'main' }
    writeFileSync(path, '{')
    expect(() => findBase(openRepository(root), undefined, env)).toThrow('this is not JSON')
    execFileSync('mkfifo', [`${path}.pipe`])
    const pipe = { ...env, GITHUB_EVENT_PATH: `${path}.pipe` }
    expect(() => findBase(openRepository(root), undefined, pipe)).toThrow('is a named pipe')
  })

  it.each([null, 5, 'x', [], { pull_request: null, ref: null, repository: 7 }])(
    'goes by the names of branches where the event is %j',
    (event) => {
      const base = findBase(
        openRepository(root),
        undefined,
        github(event, { GITHUB_BASE_REF: 'main' }),
      )
      expect(base.from).toBe('GITHUB_BASE_REF')
    },
  )

  it('takes the last commit where there is nothing else', () => {
    git('update-ref', '-d', 'refs/remotes/origin/main')
    git('branch', '-q', '-m', 'main', 'other')
    const base = findBase(openRepository(root), undefined, {})
    expect([base.commit, base.revision]).toEqual([commits.w, 'HEAD'])
  })
  it('does not fall back to the last commit in a clone of a side branch, shallow or in CI', () => {
    git('checkout', '-q', 'other')
    const clone = (name: string, ...args: string[]) => {
      const from = ['-q', '--single-branch', '-b', 'work', `file://${root}`, join(folder, name)]
      git('clone', ...args, ...from)
      return openRepository(join(folder, name))
    }
    const refusal = /does not have the branch to compare with/
    const shallow = clone('shallow', '--depth=1')
    expect(() => findBase(shallow, undefined, {})).toThrow(refusal)
    const whole = clone('whole')
    expect(() => findBase(whole, undefined, { CI: 'true' })).toThrow(refusal)
    expect(() => findBase(whole, undefined, { GITLAB_CI: 'true' })).toThrow(refusal)
    expect(findBase(whole, undefined, {}).revision).toBe('HEAD')
    expect(findBase(whole, undefined, { CI: 'false' }).revision).toBe('HEAD')
  })

  it('is of no use to a gate on a file: a folder has to be named', () => {
    mkdirSync(join(root, 'protocols'))
    writeFileSync(join(root, 'protocols', 'a.json'), '{}')
    git('add', '.')
    git('commit', '-q', '-m', 'a file')
    const gate = () => runGate({ cwd: root, dir: 'protocols/a.json', base: 'HEAD', env: {} })
    expect(gate).toThrow(/is a file/)
  })
})
