import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../src/contract/findings/catalogue.js'
import { inProcess } from '../support/in-process.js'

describe('explain', () => {
  it('says what a code means and what to do', async () => {
    const { code, stdout, stderr } = await inProcess(['explain', 'json-depth'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('json-depth: error')
    expect(stdout).toContain('nesting goes beyond 64 levels')
    expect(stdout).toContain('What to do: Check that this is the right file.')
  })

  it('names every severity that a code may have', async () => {
    const { stdout } = await inProcess(['explain', 'difference'])
    expect(stdout).toContain('difference: note or warning')
  })

  it('says the same to a machine', async () => {
    const { code, stdout } = await inProcess(['explain', 'empty-text', '--format', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      code: 'empty-text',
      subject: 'Form: what a document or payload may hold',
      severities: ['error'],
      example: 'must not be empty',
      help: expect.stringMatching(/^Correct the value at the place /),
    })
  })

  it('lists every code with one line without a code', async () => {
    const text = await inProcess(['explain'])
    const lines = text.stdout.trimEnd().split('\n')
    const codes = lines.map((line) => line.split(' ')[0])
    expect([...codes].sort()).toEqual(Object.keys(CATALOGUE).sort())
    const json = await inProcess(['explain', '--format', 'json'])
    const listed: { code: string; help: string }[] = JSON.parse(json.stdout).codes
    expect(listed.map(({ code }) => code)).toEqual(codes)
    // What to do is there for every one.
    expect(listed.filter(({ help }) => !/\w{3}/.test(help))).toEqual([])
  })

  it('refuses an unknown code and names the nearest', async () => {
    const near = await inProcess(['explain', 'json-dept'])
    expect(near).toMatchObject({ code: 2, stdout: '' })
    expect(near.stderr).toContain('Did you mean json-depth?')
    const far = await inProcess(['explain', 'something-else-altogether'])
    expect(far.code).toBe(2)
    expect(far.stderr).toContain('`foreproof explain` lists every code.')
  })
})
