import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../src/contract/findings/catalogue.js'
import { inProcess } from '../support/in-process.js'

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
    expect([...codes].sort()).toEqual(Object.keys(CATALOGUE).sort())
    const json = await inProcess('explain --format json')
    const listed: { code: string; help: string }[] = JSON.parse(json.stdout).codes
    expect(listed.map(({ code }) => code)).toEqual(codes)
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
