import { describe, expect, it } from 'vitest'
import { findInputs } from '../../src/page/inputs.js'
import { mount } from '../../src/page/stand-ins/fs.js'

const SHA = 'a'.repeat(64)
const RESULT = JSON.stringify({
  inputs: { vintage: { sha256: SHA }, registration: { sha256: SHA } },
})
const VINTAGE = JSON.stringify({ sha256: SHA })
const OTHER = JSON.stringify({ sha256: 'b'.repeat(64) })

/** Where a page finds the inputs among files that are given by their paths, with what is in them. */
function found(folder: string, recorded: object, files: Readonly<Record<string, string>>) {
  const all = {
    [`${folder}/result.json`]: RESULT,
    [`${folder}/inputs.json`]: JSON.stringify(recorded),
    ...files,
  }
  const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer
  const given = new Map(Object.entries(all).map(([path, text]) => [path, bytes(text)]))
  mount(given, {})
  const { paths, without } = findInputs(folder, given)
  const there = Object.entries(paths).filter(([name]) => !without.includes(name as never))
  return Object.fromEntries(there)
}

describe('the inputs of a folder that is given to the page', () => {
  it('are where the folder says, and those that are given by themselves before these', () => {
    const recorded = { outcomes: '../vintage', protocol: '../p', registration: '../r.json' }
    const files = {
      '/all/vintage/manifest.json': '{}',
      '/all/p/ledger.jsonl': '',
      '/all/r.json': '',
    }
    const there = { outcomes: '/all/vintage', protocol: '/all/p', registration: '/all/r.json' }
    expect(found('/all/run', recorded, files)).toEqual(there)
    const own = { '/vintage/manifest.json': '{}', '/protocols/ledger.jsonl': '' }
    expect(found('/all/run', recorded, { ...files, ...own })).toEqual({
      ...{ outcomes: '/vintage', protocol: '/protocols', registration: '/all/r.json' },
    })
  })

  it('are no folder of the same name: the evidence is no vintage', () => {
    const recorded = { outcomes: '../../data/run', protocol: '/elsewhere/protocols' }
    const files = { '/all/data/closes/manifest.json': VINTAGE, '/all/run/time/note': '' }
    expect(found('/all/run', recorded, files)).toEqual({ outcomes: '/all/data/closes' })
    expect(found('/vintage', { outcomes: '../vintage' }, {})).toEqual({})
    expect(found('/all/run', recorded, { '/all/protocols/note.txt': '' })).toEqual({})
  })

  it('are among several those of the result, else those whose path ends most alike', () => {
    const recorded = { outcomes: '../../x/2025/vintage' }
    const files = {
      '/all/old/vintage/manifest.json': OTHER,
      '/all/renamed/manifest.json': VINTAGE,
      '/all/2025/vintage/manifest.json': OTHER,
    }
    expect(found('/all/run', recorded, files)).toEqual({ outcomes: '/all/renamed' })
    const { '/all/renamed/manifest.json': _, ...others } = files
    expect(found('/all/run', recorded, others)).toEqual({ outcomes: '/all/2025/vintage' })
  })

  it.each([
    ['beside the database', '../state/history.sqlite', '/all/state/history.ndjson', true],
    [
      'at the top, above the folder of the database',
      '../.state/h.sqlite',
      '/all/history.ndjson',
      true,
    ],
    ['above all that belongs to it', '../.state/h.sqlite', '/history/history.ndjson', false],
    [
      'where the folder of the database was not given',
      '../../away/h.sqlite',
      '/all/history.ndjson',
      true,
    ],
    ['under a name of its own', '../mine.ndjson', '/all/mine.ndjson', true],
  ])('have a history in files %s', (_, history, path, isThere) => {
    const files = { [path]: '', '/all/.state/h.sqlite': 'x', '/all/state/history.sqlite': 'x' }
    expect(found('/all/run', { history }, files)).toEqual(isThere ? { history: path } : {})
  })

  it('take no history from further up than evidence and database', () => {
    const files = { '/all/below/h.sqlite': 'x', '/all/history.ndjson': '{}' }
    expect(found('/all/below/run', { history: '../h.sqlite' }, files)).toEqual({})
  })
})
