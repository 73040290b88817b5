import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/run.js'
import { ROLE, startPostgres } from './servers.js'

const server = await startPostgres()
// One bench asks for a CHECKPOINT, so that it does not pay for what was written before.
server.sql(`GRANT pg_checkpoint TO ${ROLE}`)
// In CI the gate refuses to compare nothing, which is one of the things measured.
const { CI: _, ...outside } = process.env
const env = { ...outside, BENCH_DATABASE: server.database(), NO_COLOR: '1' }
const table = readFileSync(join(ROOT, 'bench', 'README.md'), 'utf8')
const benches = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.mjs'))

// Tiny sizes go the whole way; what is measured on them means nothing.
describe.concurrent('a bench still runs, and every promise is in bench/README.md:', () => {
  it.each(benches)('%s', async (name) => {
    const program = [join(ROOT, 'bench', name), '--smoke']
    const { stdout } = await promisify(execFile)(process.execPath, program, { env })
    // These promise nothing: they print the rows of a table.
    if (/^(\| .*\d.* \|\n)+$/.test(stdout)) return
    const promised = new Set<string>()
    for (const line of stdout.trim().split('\n')) {
      const [, what, figure, bounds] = /^smoke (.+): (\S+) \((.+)\)/.exec(line) ?? []
      promised.add(`| ${name} | ${what} | ${bounds} |`)
      expect(Number(figure), line).toBeGreaterThanOrEqual(0)
    }
    const rows = table.match(new RegExp(`^\\| ${name} \\|[^|]*\\|[^|]*\\|`, 'gm'))
    expect(new Set(rows)).toEqual(promised)
  })
})
