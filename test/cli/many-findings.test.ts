import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** No line of it is JSON, and every line has the same fault. */
const ROWS = 12_000
/** So many findings are kept. */
const KEPT = 10_000
const wrong = write('wrong.csv', 'close_at\n'.repeat(ROWS))

const imported = async (line: string) => {
  const { code, stdout } = await inProcess(`history import ${line} --history ${folder}/h.sqlite`)
  expect(code).toBe(1)
  return { stdout, last: stdout.trimEnd().split('\n').at(-1) }
}

// How findings are counted that are not kept is tried in test/contract/findings.test.ts.
describe('a wrong file for history import', () => {
  it('shows twenty findings of a kind, and says how many more there are and where', async () => {
    const { stdout, last } = await imported(wrong)
    expect(stdout.match(/ error json-form\n/g)).toHaveLength(20)
    const more = stdout.split('\n').filter((line) => line.includes(' more '))
    expect(more).toEqual([expect.stringMatching(`${ROWS - 20} more .*lines 21 to ${ROWS}`)])
    expect(last).toBe(`${wrong}: ${ROWS} errors`)
  })

  it('gives a machine ten thousand, and the number of the rest', async () => {
    const { stdout } = await imported(`${wrong} --format json`)
    const { withheld, findings } = JSON.parse(stdout)
    expect([withheld, findings.length]).toEqual([ROWS - KEPT, KEPT + 1])
    expect(findings.at(-1)).toMatchObject({
      ...{ code: 'more-findings', severity: 'error' },
      message: expect.stringMatching(`${ROWS - KEPT} more.*lines ${KEPT + 1} to ${ROWS}`),
    })
  })

  it('never hides a kind behind another one', async () => {
    const late = write('late.ndjson', `${'x\n'.repeat(KEPT)}{"a":1}\n`)
    const { stdout, last } = await imported(late)
    expect(stdout).toContain(`1 more of import-unknown-value in line ${KEPT + 1} of ${late}`)
    expect(stdout).toContain(`${KEPT - 20} more of json-form in lines 21 to ${KEPT} of ${late}`)
    expect(last).toBe(`${late}: ${KEPT + 1} errors`)
  })
})

it('a wrong file for outcomes import gives twenty of each kind, and all are counted', async () => {
  const rows = Array.from({ length: 60 }, (_, hour) => {
    const time = 1_600_002_000 + hour * 3600
    return hour % 2 === 0 ? `${time},1,1,1,0,1,1` : `${time + 60},1,1,1,1,1,1`
  })
  const path = write('XBTUSD_60.csv', `${rows.join('\n')}\n`)
  const { stdout } = await inProcess(`outcomes import ${path} --dry-run`)
  for (const kind of ['price', 'time']) {
    expect(stdout.match(new RegExp(` error outcome-${kind}\n`, 'g'))).toHaveLength(20)
  }
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/XBTUSD_60\.csv gives .*: 60 errors$/)
})
