import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const DATA = join(ROOT, '../shared/data/temperature')
const [file = ''] = existsSync(DATA) ? readdirSync(DATA) : []
const page = readFileSync(join(ROOT, 'docs/any-series.md'), 'utf8')
const tutorial = page.slice(page.indexOf('## Ten minutes'), page.indexOf('## Lists of periods'))
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(tutorial)?.[1] ?? ''

// The ten minutes of docs/any-series.md, as they are written there.
it.runIf(file !== '')(
  'a public series is registered with twenty lines of Python',
  async () => {
    const cwd = temporaryFolder()
    const path = (name: string) => join(cwd, name)
    writeFileSync(path('melbourne.csv'), readFileSync(join(DATA, file)))
    const lines = [...tutorial.matchAll(/^ {4}npx foreproof (.*)$/gm)].map(([, line = '']) => line)
    const before: Record<string, () => void> = {
      'lint draft.json': () => {
        const draft = JSON.parse(readFileSync(path('draft.json'), 'utf8'))
        const changes = JSON.parse(block('json'))
        writeFileSync(path('draft.json'), JSON.stringify({ ...draft, ...changes }))
      },
      'history import': () => {
        expect(block('python').split('\n').filter(Boolean).length).toBeLessThanOrEqual(20)
        execFileSync('python3', ['-c', block('python')], { cwd })
      },
      'power --plan': () => {
        const plan = readFileSync(path('plan.json'), 'utf8')
          .replace('<name of this evaluation>', 'Melbourne')
          .replace('<name of your model in the history>', 'mine')
          .replace(/"window": \{[^}]*\}/, '"window": { "from": "1982-03-01", "to": "1990-12-28" }')
        writeFileSync(path('plan.json'), plan)
      },
    }
    for (const line of lines) {
      for (const [start, change] of Object.entries(before)) if (line.startsWith(start)) change()
      const [command = '', to] = line.split(' > ')
      const { code, stdout, stderr } = await foreproof(command, { cwd })
      expect([line, code, code === 0 ? '' : stdout + stderr]).toEqual([line, 0, ''])
      if (to !== undefined) writeFileSync(path(to), stdout)
    }
    const registration = JSON.parse(readFileSync(path('registration.json'), 'utf8'))
    // 306 days of 1982, 8 years with 2 leap days, less the last 3 days.
    expect(registration).toMatchObject({ family_size: 4, window: { origins: 306 + 2922 - 3 } })
    const inputs = '--registration registration.json --history history.sqlite --protocol protocols'
    const { stdout } = await foreproof(`pair ${inputs} --outcomes vintages/melbourne`, { cwd })
    expect(stdout).toContain('1982-03-01 to 1990-12-28, 3225 origins')
    expect(stdout).toContain('as of         1991-02-01T13:00:00Z, retrospective')
    // Each of the two days that are missing is the target of three forecasts.
    expect(stdout).toContain('outcome_absent 6, scored 9669')
    expect(stdout).toMatch(/ {2}mine, step 3 +3225 +3223 /)
    expect((await foreproof('audit evidence/melbourne', { cwd })).code).toBe(0)
  },
  120_000,
)
