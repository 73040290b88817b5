import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { runGate } from '../../src/gate/gate.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { documentOf } from '../protocol/sample.js'
import { WEEKS, weekly } from '../protocol/weekly.js'
import { Repositories } from './repositories.js'

const all = new Repositories()
const LIST = 'protocols/admissions-1.periods.csv'
const DOCUMENT = 'protocols/admissions-1.json'
const there = (path: string) => join(all.root, path)
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(there(path), change(readFileSync(there(path), 'utf8')))
const cut = () => edit(LIST, (text) => text.split('\n').slice(0, 40).join('\n'))
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

function freeze(): void {
  const folder = there('protocols')
  freezeProtocol(documentOf(weekly()), { folder, now: 3_000_000, periods: WEEKS })
}

/** What is found, with the file that it is about. */
const found = () =>
  runGate({ cwd: all.root, dir: 'protocols', base: 'base', env: {} }).findings.map(
    (each) => `${each.code} ${each.file}`,
  )

beforeEach(() => all.next())

describe('a new protocol is verified with its list', () => {
  beforeEach(() => {
    all.run('base')
    freeze()
  })

  it('which is there', () => {
    expect(found()).toEqual([])
    all.run('commit')
    expect(found()).toEqual([])
    edit(LIST, crlf)
    expect(found()).toEqual([])
  })

  it.each<[string, string, () => void]>([
    ['is missing', `series-periods ${DOCUMENT}`, () => rmSync(there(LIST))],
    ['is cut', `series-periods ${DOCUMENT}`, cut],
    ['is cut in a line', `table-row ${LIST}`, () => edit(LIST, (text) => text.slice(0, -50))],
    [
      'is a link',
      `not-a-file ${LIST}`,
      () => {
        renameSync(there(LIST), there('elsewhere.csv'))
        symlinkSync('../elsewhere.csv', there(LIST))
      },
    ],
    [
      'is ignored by git',
      `outside-git ${LIST}`,
      () => writeFileSync(there('.gitignore'), '*.periods.csv\n'),
    ],
  ])('which %s', (_, expected, change) => {
    change()
    expect(found()).toContain(expected)
    all.run('commit')
    expect(found()).toContain(expected)
  })

  it('which git does not track yet: it is called untracked', () => {
    all.git('add', DOCUMENT, 'protocols/ledger.jsonl')
    const { findings, added, untracked } = runGate({
      ...{ cwd: all.root, dir: 'protocols', base: 'base', env: {} },
    })
    expect({ findings, added, untracked }).toEqual({ findings: [], added: 1, untracked: 1 })
  })

  it('and with the ledger, all the same', () => {
    all.run('rm protocols/ledger.jsonl', 'commit')
    expect(found()).not.toEqual([])
  })
})

describe('a list that was frozen', () => {
  beforeEach(() => {
    freeze()
    all.run('commit', 'base')
  })

  it.each<[string, string[], () => unknown]>([
    ['is left alone', [], () => all.run('write a.txt b', 'commit')],
    ['has other line ends', [], () => edit(LIST, crlf)],
    ['has other line ends, committed', [], () => [edit(LIST, crlf), all.run('commit')]],
    ['lost its last line end', [], () => edit(LIST, (text) => text.trimEnd())],
    ['is cut', [`time-evidence-lost ${LIST}`], cut],
    ['is deleted', [`time-evidence-lost ${LIST}`], () => rmSync(there(LIST))],
    [
      'says something else',
      [`time-evidence-lost ${LIST}`],
      () => edit(LIST, (text) => text.replace('2025-W32', '2025-X32')),
    ],
  ])('and %s', (_, expected, change) => {
    all.run('write other.txt x', 'commit')
    change()
    expect(found()).toEqual(expected)
  })
})

describe('a list that never verified was never frozen', () => {
  let whole = ''
  beforeEach(() => {
    freeze()
    whole = readFileSync(there(LIST), 'utf8')
  })
  const begin = (change: () => void) => {
    change()
    all.run('commit', 'base', 'write a.txt b', 'commit')
  }

  it.each([
    ['cut', cut],
    ['missing', () => rmSync(there(LIST))],
  ])('%s, it may be repaired, and by its own periods alone', (_, change) => {
    begin(change)
    expect(found()).toEqual([])
    writeFileSync(there(LIST), whole.replace('2025-W32', '2025-X32'))
    expect(found()).toEqual([`series-periods ${DOCUMENT}`])
    writeFileSync(there(LIST), whole)
    expect(found()).toEqual([])
    all.run('commit')
    expect(found()).toEqual([])
  })

  it('it is called frozen once it was repaired at the base', () => {
    begin(cut)
    writeFileSync(there(LIST), whole)
    all.run('commit', 'base', 'write a.txt c', 'commit')
    cut()
    expect(found()).toEqual([`time-evidence-lost ${LIST}`])
  })
})

describe('text beside a ledger whose line ends a checkout changed', () => {
  it.each([
    ['LF to CRLF', (text: string) => text, crlf],
    ['CRLF to LF', crlf, (text: string) => text.replaceAll('\r\n', '\n')],
  ])('%s, staged or not, is the same', (_, before, after) => {
    all.run('write protocols/anchors/a.pem x')
    edit('protocols/anchors/a.pem', () => before('one\ntwo\n'))
    all.run('commit', 'base', 'write a.txt b', 'commit')
    edit('protocols/anchors/a.pem', after)
    expect(found()).toEqual([])
    all.run('commit')
    expect(found()).toEqual([])
  })

  it('and an anchor that says something else is not', () => {
    all.run('write protocols/anchors/a.pem x', 'commit', 'base', 'write protocols/anchors/a.pem y')
    expect(found()).toContain('time-evidence-lost protocols/anchors/a.pem')
  })
})

it('a ledger of the gate names the record of readings that does not hold', () => {
  all.run('base', 'readings', 'commit')
  const { access } = { access: `protocols/access/${'a'.repeat(64)}.jsonl` }
  edit(access, (text) => text.replace('2026', '2025'))
  const { findings } = runGate({ cwd: all.root, dir: 'protocols', base: 'base', env: {} })
  const record = findings.find(({ code }) => code === 'access-chain-broken')
  expect(record && [record.file, formatMessage(record).text]).toEqual([
    access,
    expect.stringContaining('broken at this line'),
  ])
})
