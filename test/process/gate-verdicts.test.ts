import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { runGate } from '../../src/gate/gate.js'
import { foreproof } from '../support/run.js'
import { Repositories } from './repositories.js'

const hasGit = spawnSync('git', ['--version']).status === 0
const all = new Repositories()

describe.runIf(hasGit)('a gate', () => {
  it('finds a new file whose name is that of another on other file systems', () => {
    all.next()
    for (const line of ['base', 'freeze w1', 'cp protocols/w1.json protocols/V1.JSON', 'commit']) {
      all.run(line)
    }
    expect(all.gate()).toEqual(['name-collides'])
  })

  it.each([
    'Protocols/v1.json',
    'PROTOCOLS/ledger.jsonl',
    'protocols./v1.json',
    'protocol\u017f/other.json',
    'Protocols',
  ])('finds %s, which is in the folder or in its place on other file systems', (path) => {
    all.next()
    all.run('base', `write ${path} x`, 'commit')
    expect(all.gate()).toEqual(['name-collides'])
    // What the base has already is not this change's doing.
    all.run('base', 'write c.txt c', 'commit')
    expect(all.gate()).toEqual([])
  })

  it('says nothing of other files in a folder of such a name', () => {
    all.next()
    all.run('base', 'write Protocols/a.md x', 'write protocols-2/v1.json x', 'commit')
    expect(all.gate()).toEqual([])
  })

  it('says of a name that is not UTF-8 that it is not', () => {
    all.next()
    writeFileSync(Buffer.from(`${all.root}/protocols/\xff.json`, 'latin1'), '{}')
    const gate = () => runGate({ cwd: all.root, dir: 'protocols', base: 'base', env: {} })
    expect(gate).toThrow('this file name is not valid UTF-8')
  })

  it('says of an edit that was undone where it is still, and what clears it', () => {
    all.next()
    const [found] = runGate({ cwd: all.root, dir: 'protocols', base: 'base', env: {} }).findings
    const commit = all.id('HEAD~2').slice(0, 8)
    const { text, help } = messageOf(found as never)
    expect(text).toContain(`undone in the working tree, but still in commit ${commit}`)
    expect(help).toMatch(/^Squash the branch, or rebase/)
    all.git('reset', '-q', '--soft', 'base')
    all.run('commit')
    expect(all.gate()).toEqual([])
  })

  describe('with nothing to compare', () => {
    const push = (sha: string) => ({ GITLAB_CI: 'true', CI_COMMIT_BEFORE_SHA: sha })

    it('says so, and fails in CI', () => {
      all.next()
      expect(all.gate({ base: 'HEAD' })).toEqual(['nothing-compared'])
      expect(all.gate({ base: 'HEAD', env: { CI: 'true' } })).toEqual(['!unavailable'])
      expect(all.gate({ base: undefined, env: push(all.id('HEAD')) })).toEqual(['!unavailable'])
      expect(all.gate({ base: undefined })).toEqual(['nothing-compared'])
      all.git('checkout', '-q', 'base')
      expect(all.gate({ base: 'main', env: { GITHUB_ACTIONS: 'true' } })).toEqual(['!unavailable'])
    })

    it('says nothing of it where work lies uncommitted, and finds what is wrong there', () => {
      all.next()
      all.run('freeze v2')
      expect(all.gate({ base: 'HEAD' })).toEqual([])
      all.run('edit v1 purpose "p2"')
      expect(all.gate({ base: 'HEAD' })).toEqual(['frozen-changed'])
    })

    it('exits with 3 in CI and tells how to give a base', async () => {
      all.next()
      const env = { ...process.env, CI: '', GITLAB_CI: '', GITHUB_ACTIONS: '' }
      const local = await foreproof(['gate'], { cwd: all.root, env })
      expect([local.code, local.stdout]).toEqual([
        0,
        expect.stringContaining('nothing was compared'),
      ])
      const ci = await foreproof(['gate'], { cwd: all.root, env: { ...env, GITLAB_CI: 'true' } })
      expect(ci.code).toBe(3)
      expect(ci.stderr).toMatch(/nothing was compared[\s\S]*--base/)
    })
  })

  it('takes all that a forced push left behind as frozen', () => {
    all.next()
    all.git('checkout', '-q', '-B', 'main', 'base')
    all.run('freeze v2')
    all.run('commit')
    const left = all.id('HEAD')
    all.git('reset', '-q', '--hard', 'base')
    all.run('write b.txt b')
    all.run('commit')
    const env = {
      GITLAB_CI: 'true',
      CI_COMMIT_BEFORE_SHA: left,
      CI_COMMIT_BRANCH: 'main',
      CI_DEFAULT_BRANCH: 'main',
    }
    expect(all.gate({ base: undefined, env })).toEqual(['frozen-deleted', 'ledger-lines-rewritten'])
    expect(all.gate({ base: undefined, env: { ...env, CI_COMMIT_BRANCH: 'side' } })).toEqual([])
  })

  it('does not take one of several ancestors for all where the target is not in the clone', () => {
    all.next()
    const lines = [
      'git checkout -q -b feat base',
      'write f.txt f',
      'commit',
      'git checkout -q main',
    ]
    for (const line of [...lines, 'cross main feat', 'git update-ref -d refs/heads/main'])
      all.run(line)
    const env = {
      GITLAB_CI: 'true',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: all.id('base'),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    }
    expect(all.gate({ base: undefined, env })).toEqual(['!unavailable'])
    const linear = { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: all.id('HEAD') }
    all.run('write g.txt g')
    all.run('commit')
    expect(all.gate({ base: undefined, env: linear })).toEqual([])
  })

  it('finds what a criss-cross merge hides, as a job of either system', async () => {
    all.next()
    all.git('checkout', '-q', '-B', 'main', 'base')
    all.run('git checkout -q -b feat', 'at 20', 'write f.txt f', 'commit')
    all.run('git checkout -q main', 'at 10', 'freeze v2', 'commit', 'at 30', 'cross main feat')
    all.run('rm protocols/v2.json', 'ledger remove 2', 'commit')
    const main = all.id('main')
    all.git('update-ref', 'refs/remotes/origin/main', main)
    const event = join(all.root, '.git', 'event.json')
    writeFileSync(event, JSON.stringify({ pull_request: { base: { sha: main } } }))
    const none = { ...process.env, CI: 'true', GITLAB_CI: '', GITHUB_ACTIONS: '' }
    const environments = [
      { ...none, GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event, GITHUB_BASE_REF: 'main' },
      {
        ...none,
        GITLAB_CI: 'true',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: all.git('merge-base', 'main', 'HEAD').trim(),
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      },
    ]
    for (const env of environments) {
      const { code, stdout } = await foreproof(['gate', '--format', 'json'], { cwd: all.root, env })
      const { findings } = JSON.parse(stdout) as { findings: { code: string }[] }
      expect([code, findings.map((each) => each.code).sort()]).toEqual([
        1,
        ['frozen-deleted', 'ledger-lines-rewritten'],
      ])
    }
  })

  it('refuses a ledger that a clock of the future wrote, beyond five minutes', () => {
    all.next()
    all.run('base', 'freeze v2', 'freeze v3', 'commit')
    const second = 1_000_000
    // The clock of a script begins in 1970 and goes on by a second at each freeze.
    expect(all.gate({ now: 2 * second })).toEqual([])
    expect(all.gate({ now: 2 * second - 300 * second })).toEqual([])
    expect(all.gate({ now: 2 * second - 301 * second })).toEqual(['ledger-time-future'])
    // Nor one that the base has already: verify says so, too.
    all.run('base', 'write c.txt c', 'commit')
    expect(all.gate({ now: 2 * second - 301 * second })).toEqual(['ledger-time-future'])
  })

  it('says of a ledger that does not verify at the base what verify says', () => {
    all.next()
    all.run('freeze v2', 'rm protocols/v2.json', 'commit', 'base', 'write c.txt c', 'commit')
    expect(all.gate()).toEqual(['ledger-file-missing'])
  })
})
