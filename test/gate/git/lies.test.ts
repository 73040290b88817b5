import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Repositories } from '../repositories.js'

/**
 * Ways to make git show another history than the commits do: v1 was edited on the branch and the edit
 * undone, and who looks at the truth finds it.
 */
const all = new Repositories()
afterEach(() => void vi.unstubAllEnvs())

const inside = (path: string) => join(all.root, path)
const set = (name: string, value: string) => void vi.stubEnv(name, value)

/** An object under the name of another, as a damaged or a forged store has it. */
function forgeObject(name: string, type: string, bytes: Uint8Array, store = '.git/objects'): void {
  const path = inside(`${store}/${name.slice(0, 2)}/${name.slice(2)}`)
  chmodSync(path, 0o644)
  writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])))
}

const raw = (type: string, name: string) => Buffer.from(all.git('cat-file', type, name), 'latin1')

/** The bytes of HEAD with the base as its parent: a history without the edit. */
const withoutEdit = () => {
  const text = raw('commit', all.id('HEAD')).toString('latin1')
  return Buffer.from(text.replace(all.id('HEAD~1'), all.id('base')), 'latin1')
}

type Lies = Readonly<Record<string, () => void>>

const IN_VAIN: Lies = {
  nothing: () => undefined,
  GIT_SHALLOW_FILE: () => {
    writeFileSync(inside('cut'), `${all.id('HEAD')}\n`)
    set('GIT_SHALLOW_FILE', inside('cut'))
  },
  GIT_GRAFT_FILE: () => {
    writeFileSync(inside('grafts'), `${all.id('HEAD')} ${all.id('base')}\n`)
    set('GIT_GRAFT_FILE', inside('grafts'))
  },
  'grafts in the repository': () => {
    mkdirSync(inside('.git/info'), { recursive: true })
    writeFileSync(inside('.git/info/grafts'), `${all.id('HEAD')} ${all.id('base')}\n`)
  },
  'a replaced parent': () => all.git('replace', '--graft', 'HEAD', 'base'),
  'a replaced parent under another name': () => {
    all.git('replace', '--graft', 'HEAD', 'base')
    const head = all.id('HEAD')
    all.git('update-ref', `refs/other/${head}`, all.id(`refs/replace/${head}`))
    set('GIT_REPLACE_REF_BASE', 'refs/other/')
  },
  'a false commit-graph': () => {
    // Written while HEAD is replaced by a commit without the edit, and believed afterwards.
    const name = all.id('HEAD')
    const truth = raw('commit', name)
    forgeObject(name, 'commit', withoutEdit())
    all.git('commit-graph', 'write', '--reachable')
    forgeObject(name, 'commit', truth)
    all.git('config', 'core.commitGraph', 'true')
  },
  'GIT_OBJECT_DIRECTORY with false objects': () => {
    cpSync(inside('.git/objects'), inside('objects'), { recursive: true })
    forgeObject(all.id('HEAD'), 'commit', withoutEdit(), 'objects')
    set('GIT_OBJECT_DIRECTORY', inside('objects'))
  },
  GIT_NAMESPACE: () => set('GIT_NAMESPACE', 'other'),
  'GIT_COMMON_DIR with other refs': () => {
    cpSync(inside('.git'), inside('common'), { recursive: true })
    writeFileSync(inside('common/refs/tags/base'), `${all.id('HEAD~1')}\n`)
    set('GIT_COMMON_DIR', inside('common'))
  },
  GIT_ICASE_PATHSPECS: () => set('GIT_ICASE_PATHSPECS', '1'),
  GIT_GLOB_PATHSPECS: () => set('GIT_GLOB_PATHSPECS', '1'),
  GIT_TRACE: () => set('GIT_TRACE', '1'),
  'settings for submodules, order and renames of diffs': () => {
    const diff = '[diff]\n renames = copies\n ignoreSubmodules = all\n orderFile = /nowhere\n'
    const core = '[core]\n ignoreCase = true\n untrackedCache = true\n'
    appendFileSync(inside('.git/config'), diff + core)
  },
}

/** What hides an edit of the working tree, too. */
const HIDING: Lies = {
  'index flags': () => {
    all.run('edit v1 purpose "p2"')
    all.git('update-index', '--assume-unchanged', 'protocols/v1.json')
  },
  'the flag of a sparse checkout on a file that is there': () => {
    all.run('edit v1 purpose "p2"')
    all.git('update-index', '--skip-worktree', 'protocols/v1.json')
  },
  'a filter': () => {
    writeFileSync(inside('.git/info/attributes'), '*.json filter=lie -diff\n')
    all.git('config', 'filter.lie.clean', 'git show base:protocols/v1.json')
    all.run('edit v1 purpose "p2"')
    all.git('add', 'protocols/v1.json')
  },
}

/** Where the gate says that it cannot know. */
const DAMAGE: Lies = {
  'a shallow file in a whole clone': () =>
    writeFileSync(inside('.git/shallow'), `${all.id('HEAD')}\n`),
  'a false commit': () => forgeObject(all.id('HEAD'), 'commit', withoutEdit()),
  'a false document': () => {
    const [edited = '', frozen = ''] = ['HEAD~2', 'base'].map((at) =>
      all.id(`${at}:protocols/v1.json`),
    )
    forgeObject(edited, 'blob', raw('blob', frozen))
  },
  'a false tree': () => {
    const bytes = execFileSync('git', ['cat-file', 'tree', 'base:protocols'], { cwd: all.root })
    forgeObject(all.id('HEAD~2:protocols'), 'tree', bytes)
  },
}

describe('a gate to which git is made to lie', () => {
  describe.each([
    ['finds the edit', ['frozen-changed'], IN_VAIN],
    ['finds both edits', ['frozen-changed', 'frozen-changed'], HIDING],
    ['cannot tell', ['!unavailable'], DAMAGE],
  ])('%s', (_what, expected, lies) => {
    it.each(Object.entries(lies))('by %s', (_name, lie) => {
      all.next()
      lie()
      expect(all.gate()).toEqual(expected)
    })
  })

  it('runs no program that a setting names', () => {
    all.next()
    all.git('config', 'core.fsmonitor', `touch ${inside('ran')}; false`)
    all.gate()
    expect(existsSync(inside('ran'))).toBe(false)
  })
})
