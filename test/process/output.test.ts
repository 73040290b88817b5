import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

const PROTOCOL = join(ROOT, 'protocols/btcusd-hourly-1.json')

const folder = temporaryFolder()

/** Runs a line of bash in which `foreproof` is the executable. */
function bash(line: string) {
  const words = [process.execPath, join(ROOT, 'bin/foreproof.js')]
  const script = `foreproof() { '${words.join("' '")}' "$@"; }; ${line}`
  const ran = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

describe('standard output', () => {
  const LINES = ['schema protocol', '--help', '--version', 'digest PROTOCOL']
  it.each([...LINES, 'verify PROTOCOL --format json'])(
    'that is a full device: one line, and exit 3, for %s',
    (line) => {
      const ran = bash(`foreproof ${line.replace('PROTOCOL', `'${PROTOCOL}'`)} > /dev/full`)
      expect(ran.stderr).toMatch(/^foreproof: standard output: no space left on the device\n.*\n$/)
      expect(ran.code).toBe(3)
    },
  )

  it('that is a full device, for lines that are waited for: the same', () => {
    const closes = Array.from({ length: 30 }, (_, hour) => {
      const at = new Date(Date.UTC(2026, 0, 1, hour)).toISOString().replace('.000', '')
      return `${at},${90_000 + hour}.0\n`
    })
    writeFileSync(join(folder, 'closes.csv'), `close_at,close_usd\n${closes.join('')}`)
    writeFileSync(join(folder, 'rows.ndjson'), `${JSON.stringify(sample({}))}\n`)
    expect(bash('foreproof history import rows.ndjson --history h.sqlite').code).toBe(0)
    const inputs = `--protocol '${PROTOCOL}' --history h.sqlite --outcomes closes.csv`
    expect(bash(`foreproof pair ${inputs} --out -`)).toMatchObject({ code: 0 })
    for (const line of ['history export --history h.sqlite', `pair ${inputs} --out -`]) {
      const ran = bash(`foreproof ${line} > /dev/full`)
      expect(ran.stderr).toMatch(/^foreproof: standard output: no space left .*\n.*\n$/)
      expect(ran.code).toBe(3)
    }
  })

  it('that takes a part of it: one line, and exit 3', () => {
    const ran = bash('ulimit -f 4; foreproof schema protocol > part')
    expect(statSync(join(folder, 'part')).size).toBe(4096)
    expect(ran.stderr).toMatch(/^foreproof: standard output: a file may not grow .*\n.*\n$/)
    expect(ran.code).toBe(3)
  })

  it('that is a file is written whole, and appended to', () => {
    bash('foreproof schema protocol > once; foreproof schema protocol > twice')
    const ran = bash('foreproof schema protocol >> twice; foreproof schema protocol | wc -c')
    expect(statSync(join(folder, 'twice')).size).toBe(2 * Number(ran.stdout))
    expect(statSync(join(folder, 'once')).size).toBe(Number(ran.stdout))
  })

  it('without a reader keeps quiet, and the answer stays', () => {
    writeFileSync(join(folder, 'none.json'), '{}')
    const ran = bash('set -o pipefail; foreproof validate none.json | exec true')
    expect(ran).toEqual({ code: 1, stdout: '', stderr: '' })
  })
})

describe('an end by accident', () => {
  const library = pathToFileURL(join(ROOT, 'dist/cli/run.js')).href
  const run = (command: string) => {
    const script = `
      import { runProcess } from '${library}'
      const run = ${command}
      const load = async () => ({ default: { examples: {}, options: {}, run } })
      process.argv = ['node', 'foreproof', 'job']
      runProcess([{ name: 'job', describe: '', load }])`
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  }
  it.each([
    ['waiting for what never comes', '() => new Promise(() => {})', 'the run ended before'],
    ['an error outside', '() => new Promise(() => setTimeout(() => { throw Error("x") }))', 'x'],
    [
      'a promise that is not awaited',
      '() => { Promise.reject(Error("y")); return new Promise(() => {}) }',
      'y',
    ],
    ['a bare exit', '() => process.exit()', ''],
  ])('is no answer: %s', (_name, command, says) => {
    const ran = run(command)
    expect(ran.status).toBe(3)
    if (says !== '') expect(ran.stderr).toMatch(new RegExp(`^foreproof: internal error: ${says}`))
    expect(ran.stderr).not.toMatch(/\n {4}at /)
  })
})
