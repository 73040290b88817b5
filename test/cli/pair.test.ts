import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeWorld } from '../evaluation/world.js'
import { alter } from '../history/support.js'
import { inProcess } from '../support/in-process.js'

let folder = ''
beforeAll(async () => {
  folder = (await makeWorld({ replicates: 200 })).folder
})
const inside = (name: string) => join(folder, name)

const INPUTS = '--protocol @/protocols/made-1.json --history @/history.sqlite --outcomes @/vintage'
/** Pairs the inputs, or others in their place; @ is the folder of the world. */
const pair = (more = '', inputs = INPUTS) =>
  inProcess(`pair ${inputs}${more}`.replaceAll('@', folder))

// Which status an attempt has is written down by hand in test/pairing/by-hand.test.ts.
describe('pair', () => {
  it('prints the same summary and writes the same bytes in every run, in either form', async () => {
    const written = async (name: string) => {
      const ran = await pair(` --format json --out @/${name}`)
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      return { ran, rows: readFileSync(inside(name), 'utf8').trimEnd().split('\n') }
    }
    const csv = await written('a.csv')
    expect(await written('a.csv')).toEqual(csv)
    const ndjson = await written('a.ndjson')
    const { summary, lines } = JSON.parse(csv.ran.stdout)
    const { expected, scored, failed, abstained, missing, ineligible } = summary.total
    expect(scored + failed + abstained + missing + ineligible).toBe(expected)
    expect(lines).toEqual({ file: inside('a.csv'), format: 'csv', count: expected })
    expect([csv.rows.length, ndjson.rows.length]).toEqual([expected + 1, expected])
    const piped = await pair(' --out -')
    expect(piped.stdout).toBe(`${ndjson.rows.join('\n')}\n`)
    expect(piped.stderr).toContain(`${expected} expected attempts`)
  })

  it('never prints a loss or a score', async () => {
    const { stdout } = await pair()
    expect(stdout).toMatch(/^ {2}seer, step 2 +\d+ /m)
    expect(stdout).not.toMatch(/loss|error rate|pinball|coverage|accuracy/i)
  })

  it('judges by --as-of', async () => {
    const { stdout } = await pair(' --format json --as-of 2025-01-05')
    expect(JSON.parse(stdout).summary.reasons).toEqual({ not_matured: 1152 })
  })

  it('warns of a registered model that the history does not have, and names the nearest', async () => {
    cpSync(inside('history.sqlite'), inside('other.sqlite'))
    alter(inside('other.sqlite'), "UPDATE forecast_predictions SET model_name = 'sear'")
    const inputs = INPUTS.replace('history.sqlite', 'other.sqlite')
    const { code, stdout } = await pair(' --registration @/registration.json', inputs)
    expect([code, stdout]).toEqual([0, expect.stringContaining('Did you mean sear?')])
  })

  it.each([
    ['a missing history', 'history.sqlite', 'nothing.sqlite', '', 2, /no such file/],
    ['a history that is no database', 'history.sqlite', 'registration.json', '', 1, /SQLite/],
    ['missing outcomes', '/vintage', '/nothing', '', 2, /no such file/],
    ['outcomes that are none', '/vintage', '/registration.json', '', 1, /:1:1: the header/],
    ['a time without an offset', '', '', ' --from 2025-07-31T12:00:00', 2, /offset/],
    ['a window from back to front', '', '', ' --from 2026-01-01', 2, /before it begins/],
    [
      'a window without an hour',
      ...(['', '', ' --from 2025-01-05T12:10:00Z --to 2025-01-05T12:20:00Z', 1] as const),
      /no origin/,
    ],
    ['a missing registration', '', '', ' --registration @/nothing.json', 2, /no such file/],
    ['an output that is an input', '', '', ' --out @/history.sqlite', 2, /would replace an input/],
    ['an output in no folder', '', '', ' --out @/nowhere/p.ndjson', 2, /no such file/],
    ['an output that is a folder', '', '', ' --out @', 2, /folder/],
  ] as const)('%s has its own exit code', async (_name, input, other, more, code, says) => {
    const before = readdirSync(folder)
    const ran = await pair(more, INPUTS.replace(input, other))
    expect(ran).toMatchObject({ code, stderr: expect.stringMatching(says) })
    expect(ran.stderr).not.toContain('    at ')
    expect(readdirSync(folder)).toEqual(before)
  })
})
