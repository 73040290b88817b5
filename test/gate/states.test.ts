import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runGate } from '../../src/gate/gate.js'
import { Repositories } from './repositories.js'

/** States of the index, of modes and of refs that a working tree does not show. */
const all = new Repositories()

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
  ['a document staged as executable', () => stage(EXECUTABLE, V1), 'frozen-mode-changed'],
  [
    'a document that was executable once',
    () => commitAndUndo(EXECUTABLE, V1),
    'frozen-mode-changed',
  ],
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

describe('a gate', () => {
  it.each([
    ['a mode', EXECUTABLE],
    ['a link', LINK],
  ])('says of %s that is staged alone what to do', (_name, mode) => {
    all.next()
    stage(mode, V1)
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
