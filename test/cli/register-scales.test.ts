import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleFolder } from '../registration/series-examples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

it('register says of when the values are that losses are divided by', async () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const example = (name: string) =>
    JSON.parse(readFileSync(join(exampleFolder('daily'), `${name}.json`), 'utf8'))
  const run = async (...words: string[]) => {
    const { code, stdout } = await inProcess(words)
    expect([code, stdout]).toEqual([0, stdout])
    return stdout
  }
  const span = ['--from', '2024-01-01', '--to', '2024-12-31']
  await run('periods', '--days', '--zone', 'Europe/Berlin', ...span, '--out', at('days.csv'))
  const { series, ...draft } = example('draft')
  writeFileSync(at('draft.json'), JSON.stringify({ ...draft, series }))
  const folders = ['--dir', at('protocols')]
  await run('freeze', at('draft.json'), '--periods', at('days.csv'), ...folders)
  const days = readFileSync(at('days.csv'), 'utf8').trim().split('\n').slice(1)
  const rows = series.flatMap(({ id }: { id: string }) =>
    days.map((row, day) => {
      const [label, , end] = row.split(',') as [string, string, string]
      const known = new Date(Date.parse(end) + 86_400_000).toISOString()
      return `${id},${label},${(day * 7) % 11},${known}`
    }),
  )
  writeFileSync(at('truth.csv'), ['series,period,value,as_of', ...rows, ''].join('\n'))
  const protocol = ['--protocol', at('protocols/temperature-1.json')]
  const complete = ['--source', 'made', '--complete-to', '2025-02-01T00:00:00Z']
  await run('outcomes', 'import', at('truth.csv'), ...protocol, ...complete, '--out', at('vintage'))
  const window = { from: '2024-03-01', to: '2024-11-30' }
  const { groups: _, ...plan } = example('plan')
  const backtest = { ...plan, mode: 'retrospective', window, outcomes: { source: 'made' } }
  writeFileSync(at('plan.json'), JSON.stringify(backtest))
  const out = ['--out', at('registration.json')]
  const said = await run(
    'register',
    at('plan.json'),
    ...protocol,
    '--outcomes',
    at('vintage'),
    ...out,
  )
  expect(said).toMatch(/^scales +of the values in force at 2025-02-01T00:00:00Z$/m)
}, 60_000)
