import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()
const file = join(folder, 'health.json')
const write = (...stages: string[]) =>
  inProcess(['health', 'write', ...stages.flatMap((each) => ['--stage', each]), '--out', file])
const check = (...args: string[]) => inProcess(['health', 'check', file, ...args])

describe('health write', () => {
  it('writes a report of the published schema, as bad as its worst stage', async () => {
    const schema = JSON.parse((await inProcess(['schema', 'pipeline-health'])).stdout)
    const isReport = new Ajv.default().compile(schema)
    for (const [stages, overall] of [
      [['forecast=healthy'], 'healthy'],
      [['forecast=healthy', 'market_data=degraded:half_open'], 'degraded'],
      [['a=b=unavailable:open', 'c=degraded'], 'unavailable'],
    ] as const) {
      expect(await write(...stages)).toEqual({ code: 0, stdout: '', stderr: '' })
      const report = JSON.parse(readFileSync(file, 'utf8'))
      expect([isReport(report), report.overall_health]).toEqual([true, overall])
      expect((await check()).stdout).toContain(overall)
    }
    expect(JSON.parse(readFileSync(file, 'utf8')).stages).toEqual({
      'a=b': { health: 'unavailable', circuit_state: 'open' },
      c: { health: 'degraded', circuit_state: 'closed' },
    })
    expect(readdirSync(folder)).toEqual(['health.json'])
  })

  const TWICE = ['a=healthy', 'a=degraded']
  it.each(
    [['forecast'], ['forecast=fine'], ['=healthy'], ['a=healthy:shut'], [], TWICE].map((of) => [
      of,
    ]),
  )('refuses %j and leaves the file as it was', async (stages) => {
    writeFileSync(file, 'as it was')
    const { code, stderr } = await write(...stages)
    expect([code, stderr]).toEqual([2, expect.stringContaining('stage')])
    expect(readFileSync(file, 'utf8')).toBe('as it was')
  })
})

describe('health check', () => {
  it('names what is wrong, with its line', async () => {
    writeFileSync(file, '{\n "overall_health": "fine",\n "stages": {"a": {"health": "healthy"}}}')
    const { code, stdout } = await check('--format', 'json')
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout)
    expect(findings).toHaveLength(2)
    expect(findings[0]).toMatchObject({ file, line: 2, pointer: '/overall_health' })
    expect(findings[1]).toMatchObject({ line: 3, pointer: '/stages/a' })
  })

  it('says what readers get', async () => {
    writeFileSync(
      file,
      '{"overall_health":"healthy","stages":{"a":{"health":"healthy","circuit_state":"open"}}}',
    )
    expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('503') })
  })
})
