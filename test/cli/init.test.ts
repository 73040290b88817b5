import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { protocolDraft, versionFor } from '../../src/cli/commands/init.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
const json = (...path: string[]) => JSON.parse(read(...path))
const tree = (at: string) => pathsBelow(join(folder, at)).sort()

const FILES = [
  '.gitattributes',
  '.github/workflows/foreproof.yml',
  '.vscode/settings.json',
  'README.md',
  'data/.gitignore',
  'draft.json',
  'evidence/.gitkeep',
  'plan.json',
  'protocols/.gitkeep',
  'schemas/plan.schema.json',
  'schemas/protocol.schema.json',
]

describe('foreproof init', () => {
  const at = (...names: string[]) => join(folder, 'my forecasts', ...names)
  beforeAll(async () => {
    const { code, stderr } = await inProcess(['init', at()])
    expect([code, stderr]).toEqual([0, ''])
  })

  it('writes all, and its README names each', () => {
    expect(tree('my forecasts')).toEqual(FILES)
    const readme = read('my forecasts', 'README.md')
    for (const name of FILES.filter((each) => each !== 'README.md')) {
      expect(readme).toContain(`| \`${name}\` | `)
    }
    // No mark of the template was left.
    expect(readme).not.toMatch(/@[A-Z]/)
    expect(
      readme
        .split('\n')
        .filter((line) => line.startsWith('npx foreproof '))
        .slice(0, 3),
    ).toEqual([
      'npx foreproof lint draft.json',
      'npx foreproof freeze draft.json',
      'npx foreproof verify protocols',
    ])
  })

  it('writes a draft that differs from the shipped protocol in its name and purpose alone', () => {
    const shipped = JSON.parse(
      readFileSync(new URL('../../protocols/btcusd-hourly-3.json', import.meta.url), 'utf8'),
    )
    const draft = json('my forecasts', 'draft.json')
    const { purpose, protocol_version, protocol_sha256 } = draft
    expect({ ...shipped, purpose, protocol_version, protocol_sha256 }).toEqual(draft)
    expect(protocol_version).toBe('my-forecasts-1')
    expect(protocol_sha256).toBe('0'.repeat(64))
    expect(shipped.purpose.startsWith(`${purpose} It replaces `)).toBe(true)
  })

  it('says the way to a frozen protocol, and the draft is sound on all of it', async () => {
    const steps = [
      ['validate', at('draft.json')],
      ['lint', at('draft.json')],
      ['freeze', at('draft.json'), '--dir', at('protocols')],
      ['verify', at('protocols')],
    ]
    for (const step of steps) {
      const { code, stdout } = await inProcess(step)
      expect([step[0], code]).toEqual([step[0], 0])
      expect(stdout).toContain('no findings')
    }
    expect(json('my forecasts', 'protocols', 'my-forecasts-1.json').protocol_version).toBe(
      'my-forecasts-1',
    )
  })

  it('writes the plan that register proposes, which is refused with a list until it is filled in', async () => {
    const frozen = at('protocols', 'my-forecasts-1.json')
    const template = await inProcess(['register', '--template', '--protocol', frozen])
    expect(read('my forecasts', 'plan.json')).toBe(template.stdout)
    const register = ['register', at('plan.json'), '--protocol', frozen, '--dry-run']
    const { code, stdout } = await inProcess([...register, '--format', 'json'])
    expect(code).toBe(1)
    const codes: string[] = JSON.parse(stdout).findings.map(
      ({ code: each }: { code: string }) => each,
    )
    expect(new Set(codes)).toEqual(new Set(['plan-placeholder']))
  })

  it('gives editors schemas that are complete and hold for the files', () => {
    const settings = json('my forecasts', '.vscode', 'settings.json')['json.schemas']
    expect(settings).toHaveLength(2)
    for (const { fileMatch, url } of settings as { fileMatch: string[]; url: string }[]) {
      const ajv = new Ajv2020({ allowUnionTypes: true, formats: { 'date-time': true } })
      const validate = ajv.compile(json('my forecasts', url))
      if (!fileMatch.includes('/draft.json')) continue
      expect(validate(json('my forecasts', 'draft.json')), JSON.stringify(validate.errors)).toBe(
        true,
      )
    }
  })

  it('overwrites nothing: names what is in the way and writes nothing', async () => {
    mkdirSync(join(folder, 'taken'))
    writeFileSync(join(folder, 'taken', 'README.md'), 'mine')
    writeFileSync(join(folder, 'taken', '.gitattributes'), 'mine')
    const { code, stderr } = await inProcess(['init', join(folder, 'taken')])
    expect(code).toBe(1)
    expect(stderr).toMatch(/in the way are .*README\.md, .*\.gitattributes\n/)
    expect(tree('taken')).toEqual(['.gitattributes', 'README.md'])
    expect(read('taken', 'README.md')).toBe('mine')
  })

  it('finds the repository around it, for only there a workflow is found', async () => {
    mkdirSync(join(folder, 'repository', '.git'), { recursive: true })
    for (const name of ['a', 'b c']) {
      const { code } = await inProcess(['init', join(folder, 'repository', name)])
      expect(code).toBe(0)
    }
    expect(tree('repository').filter((name) => name.startsWith('.github'))).toEqual([
      '.github/workflows/foreproof-a.yml',
      '.github/workflows/foreproof-b-c.yml',
    ])
    const workflow = read('repository', '.github', 'workflows', 'foreproof-b-c.yml')
    expect(workflow).toContain('working-directory: "b c"\n')
    expect(read('repository', 'b c', 'README.md')).toContain(
      '`../.github/workflows/foreproof-b-c.yml`',
    )
  })
})

describe('foreproof init --series', () => {
  const at = (...names: string[]) => join(folder, 'my series', ...names)
  const frozen = at('protocols', 'my-series-1.json')

  it('asks nothing and writes a draft, its list, a plan and what each file is for', async () => {
    expect(await inProcess(['init', at(), '--series'])).toMatchObject({ code: 0, stderr: '' })
    expect(tree('my series')).toEqual([...FILES, 'periods.csv'].sort())
    const readme = read('my series', 'README.md')
    expect(readme).toContain('| `periods.csv` | ')
    expect(readme).not.toMatch(/@[A-Z]/)
    expect(read('my series', 'periods.csv')).toMatch(/^period,start,end\n\d{4}-01-01,/)
  })

  it('has a draft that is sound on the way that its README names', async () => {
    const lines = read('my series', 'README.md').match(/^npx foreproof .*$/gm) ?? []
    expect(lines.slice(0, 3)).toEqual([
      'npx foreproof lint draft.json --periods periods.csv',
      'npx foreproof freeze draft.json --periods periods.csv',
      'npx foreproof verify protocols',
    ])
    const list = ['--periods', at('periods.csv')]
    for (const step of [
      ['lint', at('draft.json'), ...list],
      ['freeze', at('draft.json'), '--dir', at('protocols'), ...list],
      ['verify', at('protocols')],
    ]) {
      const { code, stdout } = await inProcess(step)
      expect([step[0], code]).toEqual([step[0], 0])
      expect(stdout).toContain('no findings')
    }
  })

  it('has the plan that register proposes, and schemas of both', async () => {
    const template = await inProcess(['register', '--template', '--protocol', frozen])
    expect(read('my series', 'plan.json')).toBe(template.stdout)
    const ajv = new Ajv2020({ allowUnionTypes: true, formats: { 'date-time': true } })
    const valid = (schema: string, value: unknown) =>
      ajv.validate(json('my series', 'schemas', schema), value)
    expect(valid('protocol.schema.json', JSON.parse(readFileSync(frozen, 'utf8')))).toBe(true)
    expect(valid('plan.schema.json', json('my series', 'plan.json'))).toBe(true)
  })
})

describe('the name of a draft', () => {
  it.each([
    ['My Forecasts!', 'my-forecasts-1'],
    ['прогноз', 'protocol-1'],
    ['', 'protocol-1'],
    ['con', 'con-1'],
    ['a'.repeat(200), `${'a'.repeat(60)}-1`],
  ])('of the folder %j is %s', (name, expected) => {
    expect(versionFor(name)).toBe(expected)
    expect(protocolDraft(expected).protocol_version).toBe(expected)
  })
})
