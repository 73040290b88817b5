import { spawnSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runGate } from '../../src/gate/gate.js'
import { Repositories } from './repositories.js'

/** States of the index, of modes and of refs that a working tree does not show. */
const hasGit = spawnSync('git', ['--version']).status === 0
const all = new Repositories()

const V1 = 'protocols/v1.json'
const LEDGER = 'protocols/ledger.jsonl'

/** Stages what a path holds, or another object, under another mode. */
function stage(mode: string, path: string, object = all.id(`:${path}`)): void {
  all.git('update-index', '--add', '--cacheinfo', `${mode},${object},${path}`)
}

const commitStaged = () => void all.git('commit', '-q', '-m', 'staged')

/** A commit that holds the object of a path under another mode, and one that takes it back. */
function commitAndUndo(mode: string, path: string): void {
  stage(mode, path)
  commitStaged()
  all.git('reset', '-q', 'HEAD~1', '--', '.')
  commitStaged()
}

/** What is done, from where v1 is frozen and untouched; then what a gate on `start` finds. */
const STATES: readonly (readonly [string, () => void, readonly string[]])[] = [
  [
    'a staged deletion of everything',
    () => all.git('rm', '-q', '-r', '--cached', '.'),
    ['frozen-deleted', 'ledger-deleted'],
  ],
  [
    'a ledger deleted in the index',
    () => all.git('rm', '-q', '--cached', LEDGER),
    ['ledger-deleted'],
  ],
  [
    'an index that is gone',
    () => renameSync(join(all.root, '.git/index'), join(all.root, '.git/old')),
    ['frozen-deleted', 'ledger-deleted'],
  ],
  [
    'a document and a ledger that are announced only (git add -N)',
    () => {
      all.git('rm', '-q', '-r', '--cached', 'protocols')
      all.git('add', '-N', 'protocols')
    },
    ['frozen-unreadable', 'ledger-lines-rewritten'],
  ],
  ['a document staged as a link', () => stage('120000', V1), ['not-a-file']],
  ['a ledger staged as a link', () => stage('120000', LEDGER), ['not-a-file']],
  ['a document staged as a submodule', () => stage('160000', V1, all.id('HEAD')), ['not-a-file']],
  ['a ledger staged as a submodule', () => stage('160000', LEDGER, all.id('HEAD')), ['not-a-file']],
  ['a document that was a link for one commit', () => commitAndUndo('120000', V1), ['not-a-file']],
  [
    'a ledger that was a link for one commit',
    () => commitAndUndo('120000', LEDGER),
    ['not-a-file'],
  ],
  [
    'a ledger that was a submodule for one commit',
    () => {
      stage('160000', LEDGER, all.id('HEAD'))
      commitStaged()
      all.git('reset', '-q', 'HEAD~1', '--', '.')
      commitStaged()
    },
    ['not-a-file'],
  ],
  ['a document staged as executable', () => stage('100755', V1), ['frozen-mode-changed']],
  [
    'a document that was executable for one commit',
    () => commitAndUndo('100755', V1),
    ['frozen-mode-changed'],
  ],
  [
    'a sparse checkout of a link',
    () => {
      stage('120000', V1)
      all.git('update-index', '--skip-worktree', V1)
      all.run(`rm ${V1}`)
    },
    ['frozen-deleted', 'not-a-file'],
  ],
  [
    'a sparse checkout of an edit',
    () => {
      writeFileSync(join(all.root, '.git/empty'), '')
      stage('100644', V1, all.git('hash-object', '-w', '.git/empty').trim())
      all.git('update-index', '--skip-worktree', V1)
      all.run(`rm ${V1}`)
    },
    ['document-empty', 'frozen-unreadable'],
  ],
  [
    'a sparse checkout without documents',
    () => all.git('sparse-checkout', 'set', '--no-cone', `/${LEDGER}`),
    [],
  ],
  ['a sparse index', () => all.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'x'), []],
  [
    'a branch without a commit, with an edit',
    () => {
      all.git('checkout', '-q', '--orphan', 'other')
      all.run('edit v1 purpose "x"')
    },
    ['frozen-changed'],
  ],
  [
    'a branch without a commit and an empty index',
    () => {
      all.git('checkout', '-q', '--orphan', 'other')
      all.git('read-tree', '--empty')
    },
    ['frozen-deleted', 'ledger-deleted'],
  ],
  [
    'a HEAD whose branch is damaged',
    () => {
      all.git('symbolic-ref', 'HEAD', 'refs/heads/broken')
      writeFileSync(join(all.root, '.git/refs/heads/broken'), 'junk\n')
    },
    ['!unavailable'],
  ],
  [
    'a HEAD whose branch leads to no object',
    () => {
      all.git('symbolic-ref', 'HEAD', 'refs/heads/broken')
      writeFileSync(join(all.root, '.git/refs/heads/broken'), `${'1'.repeat(40)}\n`)
    },
    ['!unavailable'],
  ],
  [
    'a HEAD that is no object',
    () => writeFileSync(join(all.root, '.git/HEAD'), `${'1'.repeat(40)}\n`),
    ['!unavailable'],
  ],
]

describe.runIf(hasGit)('a gate', () => {
  it.each(STATES)('on %s', (_name, make, expected) => {
    all.next()
    all.git('tag', 'start')
    all.run('write b.txt b', 'commit')
    make()
    expect(all.gate({ base: 'start' }).toSorted()).toEqual(expected)
  })

  it.each([
    ['a mode', '100755'],
    ['a link', '120000'],
  ])('says of %s that is staged alone what to do', (_name, mode) => {
    all.next()
    stage(mode, V1)
    const { findings } = runGate({ cwd: all.root, dir: 'protocols', base: 'HEAD', env: {} })
    expect(findings.map(({ args }) => args)).toEqual([
      expect.objectContaining({ where: 'the index', undone: true }),
    ])
  })

  it.each([10, 30])(
    'keeps a file that another of several ancestors has as a link, made at %d',
    (at) => {
      all.next()
      const commitOf = (tree: string, ...parents: string[]) =>
        all.git('commit-tree', '-m', 'x', ...parents.flatMap((id) => ['-p', id]), tree).trim()
      const treeNow = () => all.git('write-tree').trim()
      all.git('reset', '-q', '--hard', 'base')
      all.run('at 20')
      const ours = commitOf(treeNow(), all.id('base'))
      stage('120000', V1)
      all.run(`at ${at}`)
      const theirs = commitOf(treeNow(), all.id('base'))
      all.git('update-ref', 'refs/heads/target', commitOf(treeNow(), theirs, ours))
      const both = commitOf(treeNow(), ours, theirs)
      all.git('rm', '-q', '-f', '--cached', V1)
      all.git('reset', '-q', '--hard', commitOf(treeNow(), both))
      expect(all.git('merge-base', '--all', 'target', 'HEAD').trim().split('\n')).toHaveLength(2)
      expect(all.gate({ base: 'target' })).toContain('frozen-deleted')
    },
  )
})
