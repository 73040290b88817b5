import { describe, expect, it } from 'vitest'
import { CATALOGUE, SECTIONS } from '../../src/contract/findings/catalogue.js'
import {
  type Finding,
  finding,
  formatMessage,
  isCode,
} from '../../src/contract/findings/finding.js'
import { FindingList } from '../../src/contract/findings/finding-list.js'
import { inProcess } from '../support/in-process.js'

const known = SECTIONS.flatMap(({ rows }) => Object.keys(rows))

describe('the catalogue of findings', () => {
  it('has each code once, in words and hyphens, and in one section', () => {
    expect(known.filter((code, index) => known.indexOf(code) !== index)).toEqual([])
    expect(known.filter((code) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(code))).toEqual([])
    expect([...known].sort()).toEqual(Object.keys(CATALOGUE).sort())
  })

  it.each(known.filter(isCode))('gives %s an example of which a sentence can be made', (code) => {
    const { example, faults } = CATALOGUE[code]
    const own = faults.map((fault) => ({ ...example, fault }))
    for (const args of [example, ...own]) {
      const { text, help } = formatMessage({ code, args, severity: 'error' } as Finding)
      expect(text).not.toBe('')
      expect(`${text} ${help ?? ''}`).not.toMatch(
        /undefined|\bNaN (?!is no|One)|\[object|\{\w+[}: ]/,
      )
    }
  })

  it('sets the models of the wrong history apart from one another', () => {
    const { text, help } = formatMessage(
      finding('history-without-models', { models: ['seer', 'oracle'], found: ['sear', 'orcale'] }),
    )
    expect(text).toContain('(seer, oracle)')
    expect(help).toContain('It has rows of: sear, orcale.')
  })
})

describe('finding', () => {
  it('takes the severity from the catalogue, and leaves out what is not given', () => {
    expect(
      finding('json-more', { count: 3 }, { file: 'a.json', pointer: undefined }),
    ).toStrictEqual({
      code: 'json-more',
      severity: 'note',
      file: 'a.json',
      args: { count: 3 },
    })
  })

  it('does not compile with a wrong code or a wrong argument', () => {
    // @ts-expect-error no such code
    expect(() => finding('json-mere', { count: 3 })).toThrow()
    // @ts-expect-error a text is no number
    finding('json-more', { count: '3' })
    // @ts-expect-error an argument is missing
    finding('page-too-long', { limit: 3 })
    // @ts-expect-error no such argument
    finding('json-more', { faults: 3 })
    // @ts-expect-error two codes whose arguments differ
    finding(known.length > 3 ? 'json-more' : 'json-depth', { count: 3 })
  })
})

const literal = (line: number, file = 'a.ndjson') =>
  finding('json-form', { fault: 'literal', found: 'x' }, { file, position: { line, column: 1 } })

const said = (list: FindingList) => list.all().map((each) => formatMessage(each).text)

describe('a list of findings', () => {
  it('keeps so many and no more of a million, and counts them all', () => {
    const list = new FindingList(10)
    for (let line = 1; line <= 1_000_000; line++) list.add(literal(line))
    expect(list.all()).toHaveLength(11)
    expect(list.withheld).toBe(999_990)
    expect(said(list).at(-1)).toBe('999990 more of json-form, the last in line 1000000 of a.ndjson')
  })

  it('counts every kind by itself: a code with a severity', () => {
    const list = new FindingList(1)
    for (const line of [1, 2, 3]) list.add(literal(line))
    list.add({ ...literal(4), severity: 'warning' })
    const rests = list.all().slice(1)
    expect(rests.map(({ code, severity }) => [code, severity])).toEqual([
      ['more-findings', 'error'],
      ['more-findings', 'warning'],
    ])
    expect(said(list).slice(1)).toEqual([
      '2 more of json-form, the last in line 3 of a.ndjson',
      '1 more of json-form in line 4 of a.ndjson',
    ])
  })

  it('adds what another list counted to its own count', () => {
    const [first, both] = [new FindingList(2), new FindingList(1)]
    for (const line of [1, 2, 3, 4]) first.add(literal(line))
    for (const each of [...first.all(), literal(5)]) both.add(each)
    expect(said(both).slice(1)).toEqual(['4 more of json-form, the last in line 5 of a.ndjson'])
    expect(both.withheld).toBe(4)
  })

  it('says as much of a place as a finding does', () => {
    const list = new FindingList(0)
    list.add(finding('json-form', { fault: 'literal', found: 'x' }))
    list.add(finding('json-depth', { limit: 64 }, { file: 'a.json' }))
    expect(said(list)).toEqual(['1 more of json-form', '1 more of json-depth in a.json'])
  })
})

describe('explain', () => {
  it('says what a code means and what to do, to a person and to a machine', async () => {
    const { code, stdout, stderr } = await inProcess('explain json-depth')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^json-depth: error\n.*nesting goes beyond 64 levels\nWhat to do: \w/s)
    expect((await inProcess('explain difference')).stdout).toContain('difference: note or warning')
    expect(JSON.parse((await inProcess('explain empty-text --format json')).stdout)).toEqual({
      code: 'empty-text',
      subject: 'Form: what a document or payload may hold',
      severities: ['error'],
      example: 'must not be empty',
      help: expect.stringMatching(/^Correct the value at the place /),
    })
  })

  it('lists every code with one line without a code', async () => {
    const { stdout } = await inProcess('explain')
    const lines = stdout.trimEnd().split('\n')
    const codes = lines.map((line) => line.split(' ')[0])
    // Reasons of results come after the codes of findings.
    const ofFindings = codes.slice(0, Object.keys(CATALOGUE).length)
    expect([...ofFindings].sort()).toEqual(Object.keys(CATALOGUE).sort())
    const json = await inProcess('explain --format json')
    const listed: { code: string; help: string }[] = JSON.parse(json.stdout).codes
    expect(listed.map(({ code }) => code)).toEqual(ofFindings)
    // What to do is there for every one.
    expect(listed.filter(({ help }) => !/\w{3}/.test(help))).toEqual([])
  })

  it.each([
    ['json-dept', 'Did you mean json-depth?'],
    ['something-else-altogether', '`foreproof explain` lists every code.'],
  ])('refuses the code %s: %s', async (code, says) => {
    const stderr = expect.stringContaining(says)
    expect(await inProcess(`explain ${code}`)).toEqual({ code: 2, stdout: '', stderr })
  })
})
