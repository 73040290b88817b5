import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { frozenAt, WEEKS } from '../history/series-support.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

const TABLE = `series,origin,horizon,model,value,q0.1,q0.9,status,reason
US,2025-W46,-1,seer,10,8.5,12,,
US,2025-W46,0,seer,11,,,,
06,2025-11-22,1,owl,,,,failed,no data
`

it('forecasts of any series are imported, sealed, proved, copied and exported', async () => {
  const cwd = temporaryFolder()
  frozenAt(cwd, ['0.1', '0.9'], ['US', '06'], WEEKS)
  writeFileSync(join(cwd, 'rows.csv'), TABLE)
  const run = async (line: string) => {
    const { code, stdout, stderr } = await foreproof(line, {
      cwd,
      env: { BTC_FORECAST_API_KEYS: 'k'.repeat(40) },
    })
    return { code, said: stdout + stderr, stdout }
  }
  const done = async (line: string) => {
    const { code, stdout, said } = await run(line)
    expect(code, said).toBe(0)
    return stdout
  }
  const of = (name: string) => `--history ${name}.sqlite`
  expect(await done(`history import rows.csv --protocol p.json ${of('h')}`)).toContain('2 new')
  await done(`history seal ${of('h')} --log example.org/weekly`)
  expect(await done(`history verify ${of('h')}`)).toContain('2 forecasts, 1 attempt: no findings')
  const stats = await done(`history stats ${of('h')}`)
  expect(stats).toMatch(/series +2\norigins +1\n/)
  expect(stats).toMatch(/model +step -1 +step 0 +failed/)
  expect(stats).toContain('example.org/weekly, 3 entries, sealed to 3')
  writeFileSync(join(cwd, 'proof.json'), await done(`history prove US,2025-W46,-1,seer ${of('h')}`))
  expect(await done('history check-proof proof.json')).toContain(
    '{"horizon":-1,"model":"seer","origin":"2025-W46","quantiles":{"0.1":8.5,"0.9":12},"series":"US","value":10}',
  )
  await done('history copy h.sqlite copy.sqlite')
  await done(`history backup --out backup.sqlite ${of('h')}`)
  const lines = await done(`history export ${of('h')}`)
  for (const name of ['copy', 'backup'])
    expect(await done(`history export ${of(name)}`)).toBe(lines)
  expect(await done(`history stats --format json ${of('copy')}`)).toContain('"checkpoint": 3')
  writeFileSync(join(cwd, 'lines.ndjson'), lines)
  await done(`history import lines.ndjson --protocol p.json ${of('again')}`)
  expect(await done(`history export ${of('again')}`)).toBe(lines)
  for (const [line, what] of [
    [`publish --out site ${of('h')}`, 'publish is of the API of version 1'],
    [`history pull site ${of('h')}`, 'pull is of the API of version 1'],
    [`serve --check --no-pipeline ${of('h')}`, 'it holds forecasts of any series'],
    [`serve --no-pipeline ${of('h')}`, 'serve is of the API of version 1'],
    ['conformance h.sqlite', 'the API of version 1, which has hourly forecasts only'],
    ['conformance p.json', 'the API of version 1, which has hourly forecasts only'],
    [`history import lines.ndjson ${of('h')}`, 'it holds forecasts of any series'],
    [`history prove seer ${of('h')}`, 'A key is SERIES,ORIGIN,HORIZON,MODEL'],
    [`history export --from 2026-01-01 ${of('h')}`, '--from is of hourly forecasts'],
    [`history import rows.csv --label end ${of('h')}`, '--label without --protocol'],
    ['history import rows.csv --history other.sqlite', 'Then name their protocol: --protocol FILE'],
    [`history import rows.csv --protocol p.json --melt ${of('h')}`, '--melt beside --protocol'],
  ] as const) {
    const { code, said } = await run(line)
    expect([line, code === 0, said.includes(what) ? what : said]).toEqual([line, false, what])
  }
})
