import { cpSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
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

  it.each([
    ['a submodule', true],
    ['another repository', false],
  ])('refuses a folder in %s by name, with the command that works there', (what, isAdded) => {
    all.next()
    all.git('init', '-q', '-b', 'main', join(all.root, 'studies/sub'))
    all.run('git -C studies/sub commit -q --allow-empty -m a')
    cpSync(join(all.root, 'protocols'), join(all.root, 'studies/sub/protocols'), {
      recursive: true,
    })
    if (isAdded) all.git('add', 'studies/sub')
    const gate = (dir: string) => runGate({ cwd: all.root, dir, base: 'base', env: {} })
    const help = (dir: string) =>
      `Run the gate inside it: cd studies/sub && foreproof gate --dir ${dir}`
    for (const [dir, there] of [
      ['studies/sub/protocols', 'protocols'],
      ['studies/sub', '.'],
    ] as const) {
      expect(() => gate(dir)).toThrow(
        expect.objectContaining({ message: `studies/sub is ${what}`, help: help(there) }),
      )
    }
    // A folder above it does not count what is in it.
    const { findings } = gate('studies')
    expect(findings.map(({ code, file, args }) => [code, file, args])).toEqual([
      ['outside-git', 'studies/sub', { fault: isAdded ? 'submodule' : 'repository' }],
    ])
  })

  it('refuses a link to a folder below the protocols, whatever it is called', () => {
    all.next()
    all.run('base', 'write other/v9.json {}')
    const at = (name: string) => join(all.root, 'protocols', name)
    symlinkSync('../other', at('more'))
    symlinkSync('nowhere', at('broken'))
    symlinkSync('circle', at('circle'))
    symlinkSync('../a.txt', at('notes.md'))
    const expected = [['outside-git', 'protocols/more', { fault: 'link' }]]
    const links = () => found().findings.map(({ code, file, args }) => [code, file, args])
    expect(links()).toEqual(expected)
    all.run('commit')
    expect(links()).toEqual(expected)
  })

  it('refuses what git ignores, and says how many new documents are untracked', () => {
    all.next()
    all.run('base', 'write .gitignore protocols/v2.*', 'commit', 'freeze v2')
    const ignored = found()
    expect(ignored.findings.map(({ code, file }) => [code, file])).toEqual([
      ['outside-git', 'protocols/v2.json'],
    ])
    all.git('add', '--force', 'protocols/v2.json')
    expect(found()).toMatchObject({ findings: [], added: 1, untracked: 0 })
    all.run('freeze v3')
    expect(found()).toMatchObject({ findings: [], added: 2, untracked: 1 })
  })

  it('says of a name that is not UTF-8 that it is not', () => {
    all.next()
    writeFileSync(Buffer.from(`${all.root}/protocols/\xff.json`, 'latin1'), '{}')
    expect(found).toThrow('this file name is not valid UTF-8')
  })

  it('says of an edit that was undone where it is still, and what clears it', () => {
    all.next()
    const commit = all.id('HEAD~2').slice(0, 8)
    const { text, help } = formatMessage(found().findings[0] as never)
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

// States of the index, of modes and of refs that a working tree does not show.

const V1 = 'protocols/v1.json'
const LEDGER = 'protocols/ledger.jsonl'
const LINK = '120000'
const SUBMODULE = '160000'
const EXECUTABLE = '100755'

/** Stages what a path holds, or another object, under another mode. */
function stage(mode: string, path: string, object?: string): void {
  const of = object ?? all.id(mode === SUBMODULE ? 'HEAD' : `:${path}`)
  all.git('update-index', '--add', '--cacheinfo', `${mode},${of},${path}`)
}

const unstage = (path: string) => all.git('rm', '-q', '-r', '--cached', path)
const GONE = ['frozen-deleted', 'ledger-deleted']

const commitStaged = () => void all.git('commit', '-q', '-m', 'staged')

/** A commit that holds the object of a path under another mode, and one that takes it back. */
function commitAndUndo(mode: string, path: string): void {
  stage(mode, path)
  commitStaged()
  all.git('reset', '-q', 'HEAD~1', '--', '.')
  commitStaged()
}

/** HEAD on a branch whose file holds a text. */
function headAt(text: string): void {
  all.git('symbolic-ref', 'HEAD', 'refs/heads/broken')
  writeFileSync(join(all.root, '.git/refs/heads/broken'), `${text}\n`)
}

/** What is done, from where v1 is frozen and untouched; then what a gate on `start` finds. */
it.each<[string, () => unknown, ...string[]]>([
  ['a staged deletion of everything', () => unstage('.'), ...GONE],
  ['a ledger deleted in the index', () => unstage(LEDGER), 'ledger-deleted'],
  [
    'an index that is gone',
    () => renameSync(join(all.root, '.git/index'), join(all.root, '.git/old')),
    ...GONE,
  ],
  [
    'a document and a ledger that are announced only (git add -N)',
    () => {
      unstage('protocols')
      all.git('add', '-N', 'protocols')
    },
    ...['frozen-unreadable', 'ledger-lines-rewritten'],
  ],
  ['a document staged as a link', () => stage(LINK, V1), 'not-a-file'],
  ['a ledger staged as a link', () => stage(LINK, LEDGER), 'not-a-file'],
  ['a document staged as a submodule', () => stage(SUBMODULE, V1), 'not-a-file'],
  ['a ledger staged as a submodule', () => stage(SUBMODULE, LEDGER), 'not-a-file'],
  ['a document that was a link for one commit', () => commitAndUndo(LINK, V1), 'not-a-file'],
  ['a ledger that was a link for one commit', () => commitAndUndo(LINK, LEDGER), 'not-a-file'],
  ['a ledger that was a submodule once', () => commitAndUndo(SUBMODULE, LEDGER), 'not-a-file'],
  ['a document staged as executable, which is the same file', () => stage(EXECUTABLE, V1)],
  ['a document that was executable once', () => commitAndUndo(EXECUTABLE, V1)],
  [
    'a sparse checkout of a link',
    () => {
      stage(LINK, V1)
      all.git('update-index', '--skip-worktree', V1)
      all.run(`rm ${V1}`)
    },
    ...['frozen-deleted', 'not-a-file'],
  ],
  [
    'a sparse checkout of an edit',
    () => {
      writeFileSync(join(all.root, '.git/empty'), '')
      stage('100644', V1, all.git('hash-object', '-w', '.git/empty').trim())
      all.git('update-index', '--skip-worktree', V1)
      all.run(`rm ${V1}`)
    },
    ...['document-empty', 'frozen-unreadable'],
  ],
  [
    'a sparse checkout without documents',
    () => all.git('sparse-checkout', 'set', '--no-cone', `/${LEDGER}`),
  ],
  ['a sparse index', () => all.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'x')],
  [
    'a branch without a commit, with an edit',
    () => {
      all.git('checkout', '-q', '--orphan', 'other')
      all.run('edit v1 purpose "x"')
    },
    'frozen-changed',
  ],
  [
    'a branch without a commit and an empty index',
    () => {
      all.git('checkout', '-q', '--orphan', 'other')
      all.git('read-tree', '--empty')
    },
    ...GONE,
  ],
  ['a HEAD whose branch is damaged', () => headAt('junk'), '!unavailable'],
  ['a HEAD whose branch leads to no object', () => headAt('1'.repeat(40)), '!unavailable'],
  [
    'a HEAD that is no object',
    () => writeFileSync(join(all.root, '.git/HEAD'), `${'1'.repeat(40)}\n`),
    '!unavailable',
  ],
])('a gate on %s', (_name, make, ...expected) => {
  all.next()
  all.git('tag', 'start')
  all.run('write b.txt b', 'commit')
  make()
  expect(all.gate({ base: 'start' }).toSorted()).toEqual(expected)
})

describe('a gate on what is staged alone, or in one of several ancestors', () => {
  it('says of a link that is staged alone what to do', () => {
    all.next()
    stage(LINK, V1)
    const { findings } = runGate({ cwd: all.root, dir: 'protocols', base: 'HEAD', env: {} })
    expect(findings).toMatchObject([{ args: { where: 'the index', undone: true } }])
  })

  it.each([10, 30])(
    'keeps a file that another of several ancestors has as a link, made at %d',
    (at) => {
      all.next()
      const commitNow = (...parents: string[]) => {
        const words = parents.flatMap((id) => ['-p', id])
        return all.git('commit-tree', '-m', 'x', ...words, all.git('write-tree').trim()).trim()
      }
      all.git('reset', '-q', '--hard', 'base')
      all.run('at 20')
      const ours = commitNow(all.id('base'))
      stage(LINK, V1)
      all.run(`at ${at}`)
      const theirs = commitNow(all.id('base'))
      all.git('update-ref', 'refs/heads/target', commitNow(theirs, ours))
      const both = commitNow(ours, theirs)
      all.git('rm', '-q', '-f', '--cached', V1)
      all.git('reset', '-q', '--hard', commitNow(both))
      expect(all.git('merge-base', '--all', 'target', 'HEAD').trim().split('\n')).toHaveLength(2)
      expect(all.gate({ base: 'target' })).toContain('frozen-deleted')
    },
  )
})
