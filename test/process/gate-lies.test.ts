import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Repositories } from './repositories.js'

/**
 * Ways to make git tell another history than the commits do: v1 was edited on the branch and the edit
 * undone, and who looks at the truth finds it.
 */
const hasGit = spawnSync('git', ['--version']).status === 0
const all = new Repositories()
const before = { ...process.env }
afterEach(() => {
  process.env = { ...before }
})

function set(name: string, value: string): void {
  process.env[name] = value
}

/** An object under the name of another, as a damaged or a forged store has it. */
function forgeObject(name: string, type: string, bytes: Uint8Array): void {
  const path = join(all.root, '.git/objects', name.slice(0, 2), name.slice(2))
  chmodSync(path, 0o644)
  writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])))
}

const raw = (type: string, name: string) => Buffer.from(all.git('cat-file', type, name), 'latin1')

/** Rewrites the parent of HEAD in its bytes to the base, and keeps the name: a history without the edit. */
const withoutEdit = () =>
  Buffer.from(
    raw('commit', all.id('HEAD')).toString('latin1').replace(all.id('HEAD~1'), all.id('base')),
    'latin1',
  )

/** What lies, and what the gate says: the truth, or that it cannot tell. */
const LIES: readonly (readonly [string, () => void, readonly string[]])[] = [
  ['nothing', () => undefined, ['frozen-changed']],
  [
    'GIT_SHALLOW_FILE',
    () => {
      const shallow = join(all.root, 'cut')
      writeFileSync(shallow, `${all.id('HEAD')}\n`)
      set('GIT_SHALLOW_FILE', shallow)
    },
    ['frozen-changed'],
  ],
  [
    'a shallow file in a whole clone',
    () => writeFileSync(join(all.root, '.git/shallow'), `${all.id('HEAD')}\n`),
    ['!unavailable'],
  ],
  [
    'GIT_GRAFT_FILE',
    () => {
      writeFileSync(join(all.root, 'grafts'), `${all.id('HEAD')} ${all.id('base')}\n`)
      set('GIT_GRAFT_FILE', join(all.root, 'grafts'))
    },
    ['frozen-changed'],
  ],
  [
    'grafts in the repository',
    () => {
      mkdirSync(join(all.root, '.git/info'), { recursive: true })
      writeFileSync(join(all.root, '.git/info/grafts'), `${all.id('HEAD')} ${all.id('base')}\n`)
    },
    ['frozen-changed'],
  ],
  ['a replaced parent', () => all.git('replace', '--graft', 'HEAD', 'base'), ['frozen-changed']],
  [
    'a replaced parent under another name',
    () => {
      all.git('replace', '--graft', 'HEAD', 'base')
      all.git(
        'update-ref',
        `refs/other/${all.id('HEAD')}`,
        all.id(`refs/replace/${all.id('HEAD')}`),
      )
      set('GIT_REPLACE_REF_BASE', 'refs/other/')
    },
    ['frozen-changed'],
  ],
  [
    'a false commit-graph',
    () => {
      // Written while HEAD is replaced by a commit without the edit, and believed afterwards.
      const name = all.id('HEAD')
      const truth = raw('commit', name)
      forgeObject(name, 'commit', withoutEdit())
      all.git('commit-graph', 'write', '--reachable')
      forgeObject(name, 'commit', truth)
      all.git('config', 'core.commitGraph', 'true')
    },
    ['frozen-changed'],
  ],
  ['a false commit', () => forgeObject(all.id('HEAD'), 'commit', withoutEdit()), ['!unavailable']],
  [
    'a false document',
    () =>
      forgeObject(
        all.id('HEAD~2:protocols/v1.json'),
        'blob',
        raw('blob', all.id('base:protocols/v1.json')),
      ),
    ['!unavailable'],
  ],
  [
    'a false tree',
    () => {
      const name = all.id('HEAD~2:protocols')
      const bytes = execFileSync('git', ['cat-file', 'tree', 'base:protocols'], { cwd: all.root })
      forgeObject(name, 'tree', bytes)
    },
    ['!unavailable'],
  ],
  [
    'GIT_OBJECT_DIRECTORY with false objects',
    () => {
      const other = join(all.root, 'objects')
      cpSync(join(all.root, '.git/objects'), other, { recursive: true })
      const name = all.id('HEAD')
      const path = join(other, name.slice(0, 2), name.slice(2))
      chmodSync(path, 0o644)
      const bytes = withoutEdit()
      writeFileSync(
        path,
        deflateSync(Buffer.concat([Buffer.from(`commit ${bytes.length}\0`), bytes])),
      )
      set('GIT_OBJECT_DIRECTORY', other)
    },
    ['frozen-changed'],
  ],
  ['GIT_NAMESPACE', () => set('GIT_NAMESPACE', 'other'), ['frozen-changed']],
  [
    'GIT_COMMON_DIR with other refs',
    () => {
      const other = join(all.root, 'common')
      cpSync(join(all.root, '.git'), other, { recursive: true })
      writeFileSync(join(other, 'refs/tags/base'), `${all.id('HEAD~1')}\n`)
      set('GIT_COMMON_DIR', other)
    },
    ['frozen-changed'],
  ],
  ['GIT_ICASE_PATHSPECS', () => set('GIT_ICASE_PATHSPECS', '1'), ['frozen-changed']],
  ['GIT_GLOB_PATHSPECS', () => set('GIT_GLOB_PATHSPECS', '1'), ['frozen-changed']],
  ['GIT_TRACE', () => set('GIT_TRACE', '1'), ['frozen-changed']],
  [
    'settings for submodules, order and renames of diffs',
    () => {
      appendFileSync(
        join(all.root, '.git/config'),
        '[diff]\n renames = copies\n ignoreSubmodules = all\n orderFile = /nowhere\n[core]\n ignoreCase = true\n untrackedCache = true\n',
      )
    },
    ['frozen-changed'],
  ],
  [
    'index flags',
    () => {
      all.run('edit v1 purpose "p2"')
      all.git('update-index', '--assume-unchanged', 'protocols/v1.json')
    },
    ['frozen-changed', 'frozen-changed'],
  ],
  [
    'the flag of a sparse checkout on a file that is there',
    () => {
      all.run('edit v1 purpose "p2"')
      all.git('update-index', '--skip-worktree', 'protocols/v1.json')
    },
    ['frozen-changed', 'frozen-changed'],
  ],
  [
    'a filter',
    () => {
      writeFileSync(join(all.root, '.git/info/attributes'), '*.json filter=lie -diff\n')
      all.git('config', 'filter.lie.clean', 'git show base:protocols/v1.json')
      all.run('edit v1 purpose "p2"')
      all.git('add', 'protocols/v1.json')
    },
    ['frozen-changed', 'frozen-changed'],
  ],
]

describe.runIf(hasGit)('a gate to which git is made to lie', () => {
  it.each(LIES)('by %s', (_name, lie, expected) => {
    all.next()
    lie()
    expect(all.gate()).toEqual(expected)
  })

  it('runs no program that a setting names', () => {
    all.next()
    const ran = join(all.root, 'ran')
    all.git('config', 'core.fsmonitor', `touch ${ran}; false`)
    all.gate()
    expect(existsSync(ran)).toBe(false)
  })
})
