import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runGate } from '../../../src/gate/gate.js'
import { findBase } from '../../../src/gate/git/base.js'
import { openRepository } from '../../../src/gate/git/repository.js'
import { temporaryFolder } from '../../support/folder.js'
import { GIT_ENVIRONMENT } from '../history-script.js'

type Environment = Record<string, string>
const ZEROS = '0'.repeat(40)
const ELSEWHERE = 'f'.repeat(40)

/** main: a - b - c; work, checked out, branches from b to w; origin/main is at b. */
class Repository {
  readonly root = temporaryFolder()
  readonly commits: Record<string, string> = {}

  constructor() {
    this.git('init', '-q', '-b', 'main')
    for (const name of ['a', 'b', 'c']) this.#commit(name)
    this.git('update-ref', 'refs/remotes/origin/main', this.id('b'))
    this.git('checkout', '-q', '-b', 'work', this.id('b'))
    this.#commit('w')
  }

  git(...args: string[]): string {
    const options = { cwd: this.root, env: GIT_ENVIRONMENT, stdio: 'pipe' } as const
    return execFileSync('git', args, options).toString().trim()
  }

  id(name: string): string {
    return this.commits[name] ?? name
  }

  base(asked?: string, environment: Environment = {}) {
    return findBase(openRepository(this.root), asked, environment)
  }

  /** The variables of a GitHub run, whose event names commits as `@a`. */
  github(event: unknown, more: Environment = {}): Environment {
    const path = join(this.root, '.git', 'event.json')
    writeFileSync(path, this.#named(JSON.stringify(event)))
    return { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path, ...more }
  }

  gitlab(before: string, more: Environment): Environment {
    const given = { GITLAB_CI: 'true', CI_COMMIT_BEFORE_SHA: before, ...more }
    return JSON.parse(this.#named(JSON.stringify(given)))
  }

  #named(text: string): string {
    return text.replace(/@(\w)/g, (_, name: string) => this.id(name))
  }

  #commit(name: string): void {
    this.git('commit', '-q', '--allow-empty', '-m', name)
    this.commits[name] = this.git('rev-parse', 'HEAD')
  }
}

const repository = { default_branch: 'main' }
const GITLAB_MAIN = { CI_DEFAULT_BRANCH: 'main' }
const GITLAB_SIDE = { CI_COMMIT_BRANCH: 'work', ...GITLAB_MAIN }
const OF_REQUEST = 'CI_MERGE_REQUEST_DIFF_BASE_SHA'
const FORCED = { before: ELSEWHERE, ref: 'refs/heads/work', repository }
const EVENTLESS = { GITHUB_ACTIONS: '1', GITHUB_EVENT_PATH: '/nowhere', GITHUB_BASE_REF: 'main' }

describe('findBase', () => {
  const own = new Repository()
  const github = own.github.bind(own)
  const gitlab = own.gitlab.bind(own)

  const named = (sha: string) => own.github({ pull_request: { base: { sha } }, repository })
  it.each<[string, () => Environment, string, string, string?]>([
    ['a named revision', () => ({}), 'a', '--base', 'main~2'],
    ['a named revision in CI', () => github({ before: '@a' }), 'c', '--base', 'main'],
    ['a pull request', () => named('@c'), 'c', 'the pull request'],
    ['a merge group', () => github({ merge_group: { base_sha: '@a' } }), 'a', 'the merge group'],
    ['a push', () => github({ before: '@a', repository }), 'a', 'the push'],
    ['a new branch', () => github({ before: ZEROS, repository }), 'b', 'the default branch'],
    ['a scheduled run', () => github({ repository }), 'b', 'the default branch'],
    ['a run without its event', () => ({ ...EVENTLESS }), 'b', 'GITHUB_BASE_REF'],
    ['a merge request', () => gitlab(ZEROS, { [OF_REQUEST]: '@b' }), 'b', 'the merge request'],
    ['a push in GitLab', () => gitlab('@a', GITLAB_MAIN), 'a', 'the push'],
    ['a new branch in GitLab', () => gitlab(ZEROS, GITLAB_MAIN), 'b', 'the default branch'],
    ['a forced push to a side branch', () => github(FORCED), 'b', 'the default branch'],
    ['the same in GitLab', () => gitlab(ELSEWHERE, GITLAB_SIDE), 'b', 'the default branch'],
    ['a plain clone', () => ({}), 'b', 'the branch that work goes into'],
  ])('%s', (_name, environment, commit, from, asked) => {
    expect(own.base(asked, environment())).toMatchObject({ commit: own.id(commit), from })
  })

  const pushed = { GITLAB_CI: '1', CI_COMMIT_BEFORE_SHA: ELSEWHERE }
  it.each<[string | undefined, Environment]>([
    ['nowhere', {}],
    [undefined, pushed],
    [undefined, { ...pushed, CI_COMMIT_BRANCH: 'main', ...GITLAB_MAIN }],
    ['--output=x', {}],
  ])('refuses %s, which is not in the clone, and says how to fetch it', (asked, env) => {
    expect(() => own.base(asked, env)).toThrow(/not in this clone/)
  })

  it.each([
    ['main..work', 'a range'],
    ['main...work', 'a range'],
    ['^main', 'a range'],
    ['main^!', 'a range'],
    [':/a', 'a search'],
    ['', 'empty'],
    ['main^{tree}', 'a tree'],
  ])('refuses --base "%s": it is %s, not one commit', (asked, kind) => {
    const refused = () => own.base(asked)
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
    const refused = () => own.base(undefined, github(event))
    expect(refused).toThrow(`${member} is not the name of a commit or a branch`)
    expect(refused).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('refuses an event that cannot be read, and waits for no pipe', () => {
    const path = join(temporaryFolder(), 'other.json')
    const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path, GITHUB_BASE_REF: 'main' }
    writeFileSync(path, '{')
    expect(() => own.base(undefined, env)).toThrow('this is not JSON')
    execFileSync('mkfifo', [`${path}.pipe`])
    const pipe = { ...env, GITHUB_EVENT_PATH: `${path}.pipe` }
    expect(() => own.base(undefined, pipe)).toThrow('is a named pipe')
  })

  it.each([null, 5, 'x', [], { pull_request: null, ref: null, repository: 7 }])(
    'goes by the names of branches where the event is %j',
    (event) => {
      const base = own.base(undefined, github(event, { GITHUB_BASE_REF: 'main' }))
      expect(base.from).toBe('GITHUB_BASE_REF')
    },
  )
})

describe('a clone without the branch that work goes into', () => {
  const own = new Repository()
  own.git('update-ref', '-d', 'refs/remotes/origin/main')
  own.git('branch', '-q', '-m', 'main', 'other')

  it('is compared with its last commit', () => {
    expect(own.base()).toMatchObject({ commit: own.id('w'), revision: 'HEAD' })
  })

  it('is not where it is of a side branch, shallow or in CI', () => {
    own.git('checkout', '-q', 'other')
    const clone = (...args: string[]) => {
      const folder = temporaryFolder()
      own.git('clone', ...args, '-q', '--single-branch', '-b', 'work', `file://${own.root}`, folder)
      return openRepository(folder)
    }
    const refusal = /does not have the branch to compare with/
    expect(() => findBase(clone('--depth=1'), undefined, {})).toThrow(refusal)
    const whole = clone()
    for (const env of [{ CI: 'true' }, { GITLAB_CI: 'true' }]) {
      expect(() => findBase(whole, undefined, env)).toThrow(refusal)
    }
    expect(findBase(whole, undefined, {}).revision).toBe('HEAD')
    expect(findBase(whole, undefined, { CI: 'false' }).revision).toBe('HEAD')
  })

  it('is of no use to a gate on a file: a folder has to be named', () => {
    mkdirSync(join(own.root, 'protocols'))
    writeFileSync(join(own.root, 'protocols', 'a.json'), '{}')
    own.git('add', '.')
    own.git('commit', '-q', '-m', 'a file')
    const gate = () => runGate({ cwd: own.root, dir: 'protocols/a.json', base: 'HEAD', env: {} })
    expect(gate).toThrow(/is a file/)
  })
})

describe('a base whose name others carry, too', () => {
  const own = new Repository()
  const moved = (ref: string) => own.git('update-ref', ref, own.id('a'))
  const named = (asked: string) => own.base(asked).commit
  const request = (sha: string) => own.github({ pull_request: { base: { sha } } })

  it('takes branches for what CI and the clone name, never tags', () => {
    for (const name of ['main', 'origin/main', 'refs/remotes/origin/main']) {
      moved(`refs/tags/${name}`)
    }
    for (const env of [
      {},
      { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', GITLAB_CI: '1' },
      own.github({ repository }),
      own.github({}, { GITHUB_BASE_REF: 'main' }),
    ]) {
      expect(own.base(undefined, env).commit).toBe(own.id('b'))
    }
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
    const short = own.id('b').slice(0, 7)
    moved(`refs/tags/${short}`)
    moved('refs/heads/HEAD')
    const both = `refs/tags/${short}, commit ${own.id('b').slice(0, 8)}`
    expect(() => named(short)).toThrow(both)
    expect(() => named('HEAD')).toThrow('refs/heads/HEAD, HEAD')
  })

  it('takes full names and full ids for what they are', () => {
    moved(`refs/tags/${own.id('b')}`)
    moved(`refs/heads/${own.id('b')}`)
    moved('refs/tags/refs/heads/main')
    for (const [asked, commit] of [
      [own.id('b'), 'b'],
      ['refs/heads/main', 'c'],
      ['refs/heads/main~1', 'b'],
      ['refs/tags/main', 'a'],
      ['heads/main', 'c'],
    ] as const) {
      expect(named(asked), asked).toBe(own.id(commit))
    }
    expect(own.base(undefined, request('@b')).commit).toBe(own.id('b'))
  })

  it('takes only a full id for the id that CI gives', () => {
    expect(() => own.base(undefined, request('main'))).toThrow(/not in this clone/)
  })

  it('never takes a tag for a branch that the clone lacks', () => {
    own.git('update-ref', '-d', 'refs/remotes/origin/main')
    own.git('update-ref', '-d', 'refs/heads/main')
    const gitlab = { GITLAB_CI: '1', ...GITLAB_MAIN }
    expect(() => own.base(undefined, gitlab)).toThrow(/not in this clone/)
    expect(own.base().revision).toBe('HEAD')
  })
})
