import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { inProcess } from '../support/in-process.js'

const RUNS = [
  ['--help'],
  ['--version'],
  ['explain'],
  ['schema', 'protocol'],
  ['verify', 'protocols', '--format', 'json'],
  ['digest', 'protocols'],
  ['history', 'import', '--help'],
]

/** Standard output whose every write fails. */
function broken(code: string): PassThrough {
  return new PassThrough({
    autoDestroy: false,
    transform: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  })
}

describe.each(RUNS.map((argv) => [argv.join(' '), argv] as const))('%s', (_name, argv) => {
  it('says in one line that standard output cannot be written', async () => {
    const stdout = broken('ENOSPC')
    const { code, stderr } = await inProcess(argv, {}, stdout)
    expect(stderr).toMatch(/^foreproof: standard output: no space left on the device\n {2}.*\n$/)
    expect(code).toBe(3)
  })

  it('says nothing where there is no reader', async () => {
    const { code, stderr } = await inProcess(argv, {}, broken('EPIPE'))
    expect([code, stderr]).toEqual([0, ''])
  })
})
