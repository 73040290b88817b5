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

describe.each([
  ['my forecasts', [], FILES, ''],
  ['my series', ['--series'], [...FILES, 'periods.csv'].sort(), ' --periods periods.csv'],
] as const)('foreproof init into %s', (name, more, files, beside) => {
  const at = (...names: string[]) => join(folder, name, ...names)
  const frozen = at('protocols', `${name.replace(' ', '-')}-1.json`)
  beforeAll(async () => {
    expect(await inProcess(['init', at(), ...more])).toMatchObject({ code: 0, stderr: '' })
  })

  it('writes all, and its README names each and the way to a frozen protocol', () => {
    expect(tree(name)).toEqual(files)
    const readme = read(name, 'README.md')
    for (const each of files.filter((file) => file !== 'README.md')) {
      expect(readme).toContain(`| \`${each}\` | `)
    }
    // No mark of the template was left.
    expect(readme).not.toMatch(/@[A-Z]/)
    expect(readme.match(/^npx foreproof .*$/gm)?.slice(0, 3)).toEqual([
      `npx foreproof lint draft.json${beside}`,
      `npx foreproof freeze draft.json${beside}`,
      'npx foreproof verify protocols',
    ])
  })

  it('has a draft that is sound on all of this way, once it is filled in', async () => {
    const list = beside === '' ? [] : ['--periods', at('periods.csv')]
    if (beside !== '') {
      const draft = read(name, 'draft.json')
      const freeze = ['freeze', at('draft.json'), '--dir', at('protocols'), ...list]
      const { code, stdout } = await inProcess([...freeze, '--format', 'json'])
      const { findings }: { findings: { code: string; pointer: string }[] } = JSON.parse(stdout)
      expect([code, findings.map((each) => `${each.code} ${each.pointer}`)]).toEqual([
        1,
        ['id', 'unit', 'source'].map((member) => `placeholder /series/0/${member}`),
      ])
      writeFileSync(at('draft.json'), draft.replaceAll(/"<(.*)>"/g, '"$1"'))
    }
    for (const step of [
      ['lint', at('draft.json'), ...list],
      ['freeze', at('draft.json'), '--dir', at('protocols'), ...list],
      ['verify', at('protocols')],
    ]) {
      const { code, stdout } = await inProcess(step)
      expect([step[0], code]).toEqual([step[0], 0])
      expect(stdout).toContain('no problems found')
    }
  })

  it('writes the plan that register proposes, which is refused with a list until it is filled in', async () => {
    const template = await inProcess(['register', '--template', '--protocol', frozen])
    const blank = template.stdout.replace('"who publishes it"', '"<who publishes it>"')
    expect(read(name, 'plan.json')).toBe(blank)
    const register = ['register', at('plan.json'), '--protocol', frozen, '--dry-run']
    const { code, stdout } = await inProcess([...register, '--format', 'json'])
    expect(code).toBe(1)
    const { findings }: { findings: { code: string }[] } = JSON.parse(stdout)
    expect(new Set(findings.map((each) => each.code))).toEqual(new Set(['placeholder']))
  })

  it('gives editors schemas that are complete and hold for the files', () => {
    const settings = json(name, '.vscode', 'settings.json')['json.schemas']
    expect(settings).toHaveLength(2)
    for (const { fileMatch, url } of settings as { fileMatch: string[]; url: string }[]) {
      const ajv = new Ajv2020({ allowUnionTypes: true, formats: { 'date-time': true } })
      const validate = ajv.compile(json(name, url))
      const isDraft = fileMatch.includes('/draft.json')
      // The plan of hours has blanks where numbers go, and the draft of a series where figures of its list go.
      if (!isDraft && beside === '') continue
      const file = isDraft && beside !== '' ? frozen : at(isDraft ? 'draft.json' : 'plan.json')
      const isValid = validate(JSON.parse(readFileSync(file, 'utf8')))
      expect(isValid, JSON.stringify(validate.errors)).toBe(true)
    }
  })
})

describe('foreproof init', () => {
  it('writes a draft that differs from the shipped protocol in its name and purpose alone', async () => {
    const file = new URL('../../protocols/btcusd-hourly-4.json', import.meta.url)
    const shipped = JSON.parse(readFileSync(file, 'utf8'))
    const draft = json('my forecasts', 'draft.json')
    const { purpose, protocol_version, protocol_sha256 } = draft
    expect({ ...shipped, purpose, protocol_version, protocol_sha256 }).toEqual(draft)
    expect(protocol_version).toBe('my-forecasts-1')
    expect(protocol_sha256).toBe('0'.repeat(64))
    expect(shipped.purpose.startsWith(`${purpose} It replaces `)).toBe(true)
    expect(await inProcess(['validate', join(folder, 'my forecasts', 'draft.json')])).toMatchObject(
      {
        ...{ code: 0, stdout: expect.stringContaining('no problems found') },
      },
    )
  })

  it('writes the periods of the years from this one', () => {
    expect(read('my series', 'periods.csv')).toMatch(/^period,start,end\n\d{4}-01-01,/)
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
