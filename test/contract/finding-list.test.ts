import { describe, expect, it } from 'vitest'
import { finding, messageOf } from '../../src/contract/findings/finding.js'
import { FindingList } from '../../src/contract/findings/finding-list.js'

const literal = (line: number, file = 'a.ndjson') =>
  finding('json-form', { fault: 'literal', found: 'x' }, { file, position: { line, column: 1 } })

const said = (list: FindingList) => list.all().map((each) => messageOf(each).text)

describe('a list of findings', () => {
  it('keeps so many and no more of a million, and counts them all', () => {
    const list = new FindingList(10)
    for (let line = 1; line <= 1_000_000; line++) list.add(literal(line))
    expect(list.all()).toHaveLength(11)
    expect(list.withheld).toBe(999_990)
    expect(said(list).at(-1)).toBe('999990 more of json-form in lines 11 to 1000000 of a.ndjson')
  })

  it('stays small where no two lines touch, and names the last', () => {
    const list = new FindingList(1)
    for (let line = 1; line <= 400_001; line += 4) list.add(literal(line))
    const words =
      '100000 more of json-form in lines 5, 9, 13, 17, 21, 25, 29, 33 and others up to 400001 of a.ndjson'
    expect(said(list).at(-1)).toBe(words)
    expect(JSON.stringify(list.all()).length).toBeLessThan(1000)
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
      '2 more of json-form in lines 2 to 3 of a.ndjson',
      '1 more of json-form in line 4 of a.ndjson',
    ])
  })

  it('names a few files and says that there are others', () => {
    const list = new FindingList(0)
    for (let file = 0; file < 50; file++) list.add(literal(file + 1, `${file}.ndjson`))
    const [text] = said(list)
    expect(text).toMatch(/^50 more of json-form in line 1 of 0\.ndjson, .*, other files$/)
    expect(text?.length).toBeLessThan(300)
  })

  it('says nothing of places where a finding has none', () => {
    const list = new FindingList(0)
    list.add(finding('json-form', { fault: 'literal', found: 'x' }))
    expect(said(list)).toEqual(['1 more of json-form'])
  })
})
