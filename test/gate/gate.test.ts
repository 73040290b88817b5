import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { runGate } from '../../src/gate/gate.js'
import { Repositories } from './repositories.js'
import { testHistories } from './run-history.js'

// A sample: test/slow/gate.test.ts runs all of them.
testHistories(10)

const all = new Repositories()
const found = () => runGate({ cwd: all.root, dir: 'protocols', base: 'base', env: {} })

describe('a gate', () => {
  it('finds a new file whose name is that of another on other file systems', () => {
    all.next()
    all.run('base', 'freeze w1', 'cp protocols/w1.json protocols/V1.JSON', 'commit')
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
    expect(found).toThrow('this file name is not valid UTF-8')
  })

  it('says of an edit that was undone where it is still, and what clears it', () => {
    all.next()
    const commit = all.id('HEAD~2').slice(0, 8)
    const { text, help } = messageOf(found().findings[0] as never)
    expect(text).toContain(`undone in the working tree, but still in commit ${commit}`)
    expect(help).toMatch(/^Squash the branch, or rebase/)
    all.git('reset', '-q', '--soft', 'base')
    all.run('commit')
    expect(all.gate()).toEqual([])
  })

  it('says that there is nothing to compare, and fails in CI', () => {
    all.next()
    const pushed = { GITLAB_CI: 'true', CI_COMMIT_BEFORE_SHA: all.id('HEAD') }
    expect(all.gate({ base: 'HEAD' })).toEqual(['nothing-compared'])
    expect(all.gate({ base: 'HEAD', env: { CI: 'true' } })).toEqual(['!unavailable'])
    expect(all.gate({ base: undefined, env: pushed })).toEqual(['!unavailable'])
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

  it('takes all that a forced push left behind as frozen', () => {
    all.next()
    all.git('checkout', '-q', '-B', 'main', 'base')
    all.run('freeze v2', 'commit')
    const left = all.id('HEAD')
    all.git('reset', '-q', '--hard', 'base')
    all.run('write b.txt b', 'commit')
    const pushed = { GITLAB_CI: 'true', CI_COMMIT_BEFORE_SHA: left, CI_DEFAULT_BRANCH: 'main' }
    const to = (branch: string) =>
      all.gate({ base: undefined, env: { ...pushed, CI_COMMIT_BRANCH: branch } })
    expect(to('main')).toEqual(['frozen-deleted', 'ledger-lines-rewritten'])
    expect(to('side')).toEqual([])
  })

  it('does not take one of several ancestors for all where the target is not in the clone', () => {
    all.next()
    all.run('git checkout -q -b feat base', 'write f.txt f', 'commit', 'git checkout -q main')
    all.run('cross main feat', 'git update-ref -d refs/heads/main')
    const merging = (from: string) => ({
      GITLAB_CI: 'true',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: from,
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    })
    const env = merging(all.id('base'))
    const linear = merging(all.id('HEAD'))
    expect(all.gate({ base: undefined, env })).toEqual(['!unavailable'])
    all.run('write g.txt g', 'commit')
    expect(all.gate({ base: undefined, env: linear })).toEqual([])
  })

  it('refuses a ledger that a clock of the future wrote, beyond five minutes', () => {
    all.next()
    all.run('base', 'freeze v2', 'freeze v3', 'commit')
    const second = 1_000_000
    // The clock of a script begins in 1970, at 2 s where there is a ledger, and goes on by a second at each freeze.
    expect(all.gate({ now: 4 * second })).toEqual([])
    expect(all.gate({ now: 4 * second - 300 * second })).toEqual([])
    expect(all.gate({ now: 4 * second - 301 * second })).toEqual(['ledger-time-future'])
    // Nor one that the base has already: verify says so, too.
    all.run('base', 'write c.txt c', 'commit')
    expect(all.gate({ now: 4 * second - 301 * second })).toEqual(['ledger-time-future'])
  })

  it('says of a ledger that does not verify at the base what verify says', () => {
    all.next()
    all.run('freeze v2', 'rm protocols/v2.json', 'commit', 'base', 'write c.txt c', 'commit')
    expect(all.gate()).toEqual(['ledger-file-missing'])
  })
})
