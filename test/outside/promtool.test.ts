import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'
import { get } from '../support/service/http.js'
import { serve } from '../support/service/serve.js'

const served = await serve()

/** From Debian's package prometheus. */
function promtool(args: readonly string[], input?: string) {
  const ran = spawnSync('promtool', args, { input, encoding: 'utf8' })
  if (ran.error) throw ran.error
  return { code: ran.status, said: ran.stdout + ran.stderr }
}

it('accepts the metrics page, before the first request and after many', async () => {
  const page = async () => (await get(served.port, '/metrics')).text
  expect(promtool(['check', 'metrics'], await page())).toEqual({ code: 0, said: '' })
  for (const path of ['/v1/health', '/v1/forecasts?limit=0', '/nowhere']) await served.get(path)
  await get(served.port, '/v1/health')
  expect(promtool(['check', 'metrics'], await page())).toEqual({ code: 0, said: '' })
})

it('takes the alert rules, each of which fires in its test and none for a sound service', () => {
  const checked = promtool(['check', 'rules', join(ROOT, 'docs/operating/alerts.yml')])
  expect(checked, checked.said).toMatchObject({ code: 0 })
  const tested = promtool(['test', 'rules', join(ROOT, 'test/outside/alerts.test.yml')])
  expect(tested, tested.said).toMatchObject({ code: 0 })
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  const alerts = read('docs/operating/alerts.yml').matchAll(/alert: (\w+)/g)
  const fired = read('test/outside/alerts.test.yml').matchAll(/alertname="(\w+)"/g)
  const names = (found: Iterable<RegExpMatchArray>) => [...found].map(([, name]) => name).sort()
  expect(names(fired)).toEqual(names(alerts))
})

it('takes every expression of the dashboard', () => {
  const text = readFileSync(join(ROOT, 'docs/operating/dashboard.json'), 'utf8')
  const found = JSON.parse(text).panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  ) as string[]
  expect(found.length).toBeGreaterThan(15)
  const rules = found.map((expr, index) => ({ record: `panel:${index}`, expr }))
  const folder = temporaryFolder()
  const file = join(folder, 'rules.yml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  expect(promtool(['check', 'rules', file])).toMatchObject({ code: 0 })
  rmSync(folder, { recursive: true })
})
