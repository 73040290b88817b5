import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()
const history = join(folder, 'h.sqlite')

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** No line of it is JSON, and every line has the same fault. */
const ROWS = 12_000
const wrong = write('wrong.csv', 'close_at\n'.repeat(ROWS))

const imported = (...args: string[]) =>
  inProcess(['history', 'import', ...args, '--history', history])

describe('a wrong file for history import', () => {
  it('shows twenty findings of a kind, and says how many more there are and where', async () => {
    const { code, stdout } = await imported(wrong)
    expect(code).toBe(1)
    expect(stdout.match(/ error json-form\n/g)).toHaveLength(20)
    const more = stdout.split('\n').filter((line) => line.includes(' more '))
    expect(more).toHaveLength(1)
    expect(more[0]).toContain(String(ROWS - 20))
    expect(more[0]).toContain(`lines 21 to ${ROWS}`)
    expect(stdout.split('\n').length).toBeLessThan(130)
  })

  it('counts all of them and names the input', async () => {
    const { stdout } = await imported(wrong)
    const footer = stdout.trimEnd().split('\n').at(-1)
    expect(footer).toBe(`${wrong}: ${ROWS} errors`)
    const two = await imported(wrong, wrong)
    expect(two.stdout.trimEnd().split('\n').at(-1)).toBe(`2 files: ${2 * ROWS} errors`)
  })

  it('counts all of them, kept or not', async () => {
    const { stdout } = await imported(wrong, '--max-findings', '100')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${wrong}: ${ROWS} errors`)
    expect(stdout).toContain(`lines 21 to ${ROWS}`)
  })

  it('gives a machine as many as it asked for, and the number of the rest', async () => {
    const format = ['--format', 'json', '--max-findings', '100']
    const json = JSON.parse((await imported(wrong, ...format)).stdout)
    expect(json.withheld).toBe(ROWS - 100)
    expect(json.findings).toHaveLength(101)
    expect(json.findings.at(-1)).toMatchObject({ code: 'more-findings', severity: 'error' })
    expect(json.findings.at(-1).message).toContain(`${ROWS - 100} more`)
    expect(json.findings.at(-1).message).toContain(`lines 101 to ${ROWS}`)
  })

  it('never hides a kind behind another one', async () => {
    const late = write('late.ndjson', `${'x\n'.repeat(300)}{"a":1}\n`)
    const { stdout } = await imported(late, '--max-findings', '100')
    expect(stdout).toContain(`1 more of import-unknown-value in line 301 of ${late}`)
    expect(stdout).toContain(`280 more of json-form in lines 21 to 300 of ${late}`)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${late}: 301 errors`)
  })
})

describe('a wrong file for outcomes import', () => {
  it('lists twenty of each kind and counts all', async () => {
    const rows = Array.from({ length: 30_000 }, (_, hour) => {
      const time = 1_600_002_000 + hour * 3600
      return hour % 2 === 0 ? `${time},1,1,1,0,1,1` : `${time + 60},1,1,1,1,1,1`
    })
    const path = write('XBTUSD_60.csv', `${rows.join('\n')}\n`)
    const { code, stdout } = await inProcess(['outcomes', 'import', path, '--dry-run'])
    expect(code).toBe(1)
    expect(stdout.match(/ error outcome-price\n/g)).toHaveLength(20)
    expect(stdout.match(/ error outcome-time\n/g)).toHaveLength(20)
    expect(stdout.split('\n').filter((line) => line.includes(' more '))).toHaveLength(2)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/: 30000 errors$/)
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(path)
  })

  it('names the file that was imported, not what was made of it', async () => {
    const path = write('kraken.csv', '1704067200,1,1,1,1,1,1\n1704070800,1,1,1,1,1,1\n')
    const { stdout } = await inProcess(['outcomes', 'import', path, '--dry-run'])
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${path}: no findings`)
  })
})
