import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Finding, finding } from '../../src/contract/findings/finding.js'
import { type FindingsReport, type OutputFormat, printReport } from '../../src/output/print.js'
import { temporaryFolder } from '../support/folder.js'

async function print(format: OutputFormat, report: FindingsReport, env: NodeJS.ProcessEnv = {}) {
  let text = ''
  const write = (chunk: string) => {
    text += chunk
  }
  const output = {
    name: 'validate',
    colour: false,
    stdout: { write } as unknown as NodeJS.WritableStream,
    env,
    now: () => 0,
    version: '1.2.3',
  }
  const exit = await printReport(output, format, report)
  return { text, exit }
}

const syntax: Finding = {
  code: 'json-syntax',
  severity: 'error',
  file: 'a b/x.json',
  pointer: '/a',
  position: { line: 2, column: 3, endLine: 2, endColumn: 4 },
  args: { expected: "','", found: "'<&]]>::'" },
}
const warning: Finding = { code: 'json-more', severity: 'warning', args: { count: 1 } }
const source = () => '{\n  !"x"\n}\n'

describe('text', () => {
  it('shows the place, the sentence and the lines around it', async () => {
    const { text, exit } = await print('text', { findings: [syntax], source, headline: '1 file' })
    expect(exit).toBe(1)
    expect(text).toBe(
      [
        'a b/x.json:2:3 error json-syntax',
        "  expected ',', found '<&]]>::'",
        '  at /a',
        '    1 | {',
        '  > 2 |   !"x"',
        '      |   ^',
        '    3 | }',
        '',
        '1 file: 1 error',
        '',
      ].join('\n'),
    )
  })

  it('says that nothing was found', async () => {
    const said = { text: '3 files: no problems found\n', exit: 0 }
    expect(await print('text', { findings: [], headline: '3 files' })).toEqual(said)
  })

  it('cuts long lines around the place', async () => {
    const position = { line: 1, column: 5001, endLine: 1, endColumn: 5003 }
    const line = `${'a'.repeat(5000)}!!${'b'.repeat(5000)}`
    const findings = [{ ...syntax, position }]
    const { text } = await print('text', { findings, source: () => line })
    const rows = text.split('\n')
    const shown = rows.find((row) => row.includes('!!')) as string
    expect(shown.length).toBeLessThan(120)
    expect(rows[rows.indexOf(shown) + 1]?.indexOf('^^')).toBe(shown.indexOf('!!'))
  })
})

describe('json', () => {
  it('has ok, the figures and findings with exactly the promised members', async () => {
    const { text, exit } = await print('json', { findings: [syntax, warning], figures: { n: 2 } })
    const json = JSON.parse(text)
    expect(exit).toBe(1)
    expect(Object.keys(json)).toEqual(['ok', 'n', 'findings'])
    expect(json.ok).toBe(false)
    expect(json.findings[0]).toEqual({
      code: 'json-syntax',
      severity: 'error',
      file: 'a b/x.json',
      pointer: '/a',
      line: 2,
      column: 3,
      message: "expected ',', found '<&]]>::'",
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(json.findings[1]).toMatchObject({ file: null, pointer: null, line: null, column: null })
    const mild = await print('json', { findings: [warning] })
    expect([JSON.parse(mild.text).ok, mild.exit]).toEqual([true, 0])
  })

  it('keeps fingerprints when lines move, and distinguishes twins', async () => {
    const moved = { ...syntax, position: { line: 90, column: 1 }, file: './a b/x.json' }
    const first = JSON.parse((await print('json', { findings: [syntax, syntax] })).text).findings
    const second = JSON.parse((await print('json', { findings: [moved] })).text).findings
    expect(second[0].fingerprint).toBe(first[0].fingerprint)
    expect(first[1].fingerprint).not.toBe(first[0].fingerprint)
  })
})

describe('github', () => {
  it('escapes what the runner would take for syntax', async () => {
    const { text } = await print('github', { findings: [{ ...syntax, file: 'a,b:c%.json' }] })
    expect(text).toBe(
      "::error file=a%2Cb%3Ac%25.json,line=2,endLine=2,col=3,endColumn=4,title=foreproof%3A json-syntax::/a: expected ',', found '<&]]>::'\n",
    )
  })

  it('groups past ten of a severity', async () => {
    const { text } = await print('github', { findings: Array.from({ length: 25 }, () => syntax) })
    const lines = text.trim().split('\n')
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10)
    expect(lines[9]).toBe(
      '::error title=16 more findings::16 more; all 25 are listed in the log of this step',
    )
    expect(lines[10]).toBe('::group::all 25 findings of severity error')
    expect(lines.slice(11, 36).every((line) => !line.includes('::'))).toBe(true)
    expect(lines[36]).toBe('::endgroup::')
    const ten = await print('github', { findings: Array.from({ length: 10 }, () => syntax) })
    expect(ten.text).not.toContain('::group')
  })
})

describe('findings that were counted and not kept', () => {
  const args = { of: 'json-syntax', count: 70_823, file: 'x', line: 70_848 }
  const rest = finding('more-findings', args)
  const findings = [...Array.from({ length: 25 }, () => syntax), rest]

  it.each<[OutputFormat, string]>([
    ['text', '70848 errors'],
    ['text', '70828 more of json-syntax, the last in line 70848 of x'],
    ['json', '70823 more of json-syntax, the last in line 70848 of x'],
    ['sarif', '70823 more of json-syntax, the last in line 70848 of x'],
    ['junit', '70823 more of json-syntax, the last in line 70848 of x'],
    ['github', '70839 more; the first 25 of 70848 are listed in the log of this step'],
  ])('%s says: %s', async (format, words) => {
    expect((await print(format, { findings, headline: 'x' })).text).toContain(words)
  })

  it('are in the count of the job summary', async () => {
    const file = join(temporaryFolder(), 'summary.md')
    await print('github', { findings }, { GITHUB_STEP_SUMMARY: file })
    expect(readFileSync(file, 'utf8')).toContain('validate: 70848 errors')
  })
})

it('junit has a case per checked file and one failure for all errors of a file', async () => {
  const { text } = await print('junit', {
    findings: [syntax, syntax, { ...warning, file: 'ok.json' }],
    checked: ['ok.json', 'a b/x.json'],
  })
  expect(text).toContain('tests="2" failures="1" errors="0"')
  expect(text).toContain('<testcase name="ok.json" classname="foreproof.validate" time="0"/>')
  expect(text.match(/<failure /g)).toHaveLength(1)
  expect(text).toContain('(and 1 more)')
  expect(text).toContain('&lt;&amp;]]&gt;')
  expect(text).toContain('timestamp="1970-01-01T00:00:00"')
})

describe('sarif', () => {
  it('has rules, places, and fingerprints that match the JSON', async () => {
    const log = JSON.parse((await print('sarif', { findings: [syntax, warning] })).text)
    const [run] = log.runs
    expect(run.tool.driver.rules).toMatchObject([{ id: 'json-more' }, { id: 'json-syntax' }])
    const [result] = run.results
    expect(result.ruleIndex).toBe(1)
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/x.json' },
      region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 4 },
    })
    const json = JSON.parse((await print('json', { findings: [syntax] })).text)
    expect(result.partialFingerprints['foreproof/v1']).toBe(json.findings[0].fingerprint)
  })

  // https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
  it('has a place in every result, as GitHub wants: an address as it is, or the subject', async () => {
    const at = 'https://example.org/v1/forecasts?limit=2'
    const { file: _, position: __, ...nowhere } = syntax
    const places = async (checked?: string[]) => {
      const findings = [{ ...nowhere, file: at }, nowhere]
      const { text } = await print('sarif', { findings, ...(checked && { checked }) })
      const results: { locations: { physicalLocation: unknown }[] }[] =
        JSON.parse(text).runs[0].results
      return results.map(({ locations }) => locations.map((one) => one.physicalLocation))
    }
    const place = (uri: string) => [{ artifactLocation: { uri }, region: { startLine: 1 } }]
    const address = 'https://example.org/'
    expect(await places([address])).toEqual([place(at), place(address)])
    expect(await places(['protocols/v1'])).toEqual([place(at), place('protocols/v1')])
    expect(await places()).toEqual([place(at), place('.')])
  })
})

it('keeps its answer where the job summary cannot be written', async () => {
  const nowhere = { GITHUB_STEP_SUMMARY: '/dev/null/summary.md' }
  const { text, exit } = await print('github', { findings: [] }, nowhere)
  expect(exit).toBe(0)
  expect(text).toMatch(/^::warning::the job summary could not be written: .*summary\.md/)
})
