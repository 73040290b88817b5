import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { checkForecast } from '../../src/contract/check-payload.js'
import { checkProtocol } from '../../src/contract/generated/check-protocol.js'
import { SCHEMAS } from '../../src/contract/schemas/index.js'
import { sample } from '../history/samples.js'
import { sampleProtocol } from '../protocol/sample.js'

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

function printed(name: string): unknown {
  const text = execFileSync(process.execPath, ['bin/foreproof.js', 'schema', name])
  return JSON.parse(String(text))
}

/** Every way to put something else in one place of a document, or to take the place away. */
function* mutants(document: unknown): Generator<unknown> {
  const others = [
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    1.5,
    '',
    'x',
    [],
    ['x'],
    ['x', 'x'],
    {},
    { x: 1 },
  ]
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
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string,
    unknown
  >
  if (rest.length > 0 || change !== undefined) copy[key] = changed(copy[key], rest, change)
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key]
  return copy
}

describe('an independent validator (python3-jsonschema)', () => {
  it('accepts every schema as printed', () => {
    const cases = Object.keys(SCHEMAS).map((name) => [
      name,
      { schema: printed(name), documents: [] },
    ])
    expect(judge(Object.fromEntries(cases))).toEqual(
      Object.fromEntries(Object.keys(SCHEMAS).map((name) => [name, []])),
    )
  })

  it('gives the same verdicts on thousands of mutated protocols', () => {
    const documents = [sampleProtocol(), ...mutants(sampleProtocol())]
    const verdicts = judge({ protocol: { schema: printed('protocol'), documents } })
    const ours = documents.map((document) => checkProtocol(document).length === 0)
    expect(verdicts.protocol).toEqual(ours)
    expect(documents.length).toBeGreaterThan(1000)
    expect(ours.filter(Boolean).length).toBeGreaterThan(100)
    expect(ours.filter((valid) => !valid).length).toBeGreaterThan(300)
  })

  it('gives the same verdicts on mutated forecasts, but for the rules no schema can say', () => {
    const beyond = /^(forecast-id|history-key|target|price|change|interval|confidence|manifest)-/
    const documents = [sample(), ...mutants(sample())]
    const verdicts = judge({ forecast: { schema: printed('forecast'), documents } })
    const ours = documents.map((document) =>
      checkForecast(document).every(({ code }) => beyond.test(code)),
    )
    expect(verdicts.forecast).toEqual(ours)
    expect(ours.filter(Boolean).length).toBeGreaterThan(50)
  })
})
