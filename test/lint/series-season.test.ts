import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { exampleFolder } from '../registration/series-examples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const TRUTH = '../shared/data/flusight/truth-vintages.csv.gz'
const PLACES = ['06', '12', '17', '25', '36', '39', '48', '53', '55', '56', 'US']

it.runIf(existsSync(TRUTH))(
  'in real admissions the nation is over two thirds of the loss, and of that of logarithms it is not',
  async () => {
    const folder = temporaryFolder()
    const at = (name: string) => join(folder, name)
    writeFileSync(at('truth.csv'), gunzipSync(readFileSync(TRUTH)))
    const weeks = ['--weeks', 'sunday', '--zone', 'America/New_York', '--from', '2022-01-30']
    await inProcess(['periods', ...weeks, '--to', '2026-06-27', '--out', at('weeks.csv')])
    const draft = JSON.parse(readFileSync(join(exampleFolder('weekly'), 'draft.json'), 'utf8'))
    const said = async (version: string, primary: string) => {
      const scores = draft.scores.map(({ primary: _, ...score }: { id: string; primary?: true }) =>
        score.id === primary ? { ...score, primary: true } : score,
      )
      const series = PLACES.map((id) => ({ id, unit: 'admissions', source: 'the hub' }))
      const own = { ...draft, protocol_version: version, series, scores }
      writeFileSync(at(`${version}.json`), JSON.stringify(own))
      const list = ['--periods', at('weeks.csv')]
      await inProcess(['freeze', at(`${version}.json`), '--dir', at('protocols'), ...list])
      const protocol = at(`protocols/${version}.json`)
      const columns = ['--columns', 'series=location,period=target_end_date', '--source', 'hub']
      const out = ['--complete-to', '2026-07-18', '--out', at(`vintage-${version}`)]
      const table = ['outcomes', 'import', at('truth.csv'), '--protocol', protocol]
      expect(await inProcess([...table, ...columns, ...out])).toMatchObject({ code: 0 })
      const linted = await inProcess(['lint', protocol, '--outcomes', at(`vintage-${version}`)])
      expect(linted.code).toBe(0)
      return linted.stdout
    }
    expect(await said('counts', 'wis')).toMatch(/the series US makes up 6[5-9] % of the loss of/)
    expect(await said('logs', 'wis_log')).toContain('no findings')
  },
)
