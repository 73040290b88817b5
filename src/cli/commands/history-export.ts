import { EXIT, ForeproofError } from '../../contract/error.js'
import { messageOf } from '../../contract/findings/finding.js'
import { printable } from '../../contract/printable.js'
import { writeLinesAtomic } from '../../files/atomic.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { exportLines, type HistoryExportOptions } from '../../history/export.js'
import { command } from '../command.js'
import { interruptible } from '../interrupt.js'
import { historyPath, withHistory } from '../options/common.js'
import { anInstant, instantOption } from '../options/instant.js'
import { checkOutput } from '../options/pair-inputs.js'
import { writeOut } from '../output.js'

export default command({
  positionals: '',
  describe: 'Write forecasts and recorded attempts as NDJSON; equal histories give equal bytes',
  examples: [
    ['foreproof history export --out forecasts.ndjson', 'A file, whole or not at all'],
    ['foreproof history export | foreproof history import - --history copy.sqlite', 'A copy'],
  ],
  options: (yargs) =>
    withHistory(yargs)
      .option('out', {
        type: 'string',
        describe: 'File to write (default, and with -: standard output)',
      })
      .option('only', {
        choices: ['forecasts', 'attempts'] as const,
        describe: 'Write only this kind',
      })
      .option('from', anInstant('First origin'))
      .option('to', anInstant('Last origin, included'))
      .option('skip-faulty', {
        type: 'boolean',
        default: false,
        describe: 'Leave out rows that are not valid forecasts, list them, and exit with 1',
      }),
  run: async (args, { env, stdout, stderr }) => {
    let skipped = 0
    const history = historyPath(args.history, env)
    const from = instantOption('from', args.from)
    const to = instantOption('to', args.to)
    if (from !== undefined && to !== undefined && from > to) {
      throw new ForeproofError('usage', '--from is later than --to', { help: 'Swap the two.' })
    }
    const out = args.out === '-' ? undefined : args.out
    // A file is written whole and then renamed: over the history it would take all of it away.
    if (out !== undefined) checkOutput(out, [history])
    const leaveOut = (row: Parameters<typeof nameOfRow>[0], cause: unknown) => {
      skipped++
      stderr.write(`foreproof: left out ${printable(nameOfRow(row) + reasonsOf(cause))}\n`)
    }
    const options: HistoryExportOptions = {
      only: args.only,
      from,
      to,
      ...(args['skip-faulty'] && { onFaultyRow: leaveOut, onFaultyAttempt: leaveOut }),
    }
    const left = out === undefined ? 'Lines are missing.' : 'Nothing was written.'
    await interruptible(left, async (signal) => {
      const lines = exportLines(history, { ...options, signal })
      if (out === undefined) await writeAll(lines, stdout)
      else await writeLinesAtomic(out, lines)
    })
    return skipped === 0 ? EXIT.holds : EXIT.no
  },
})

const CHUNK = 1 << 16

async function writeAll(lines: AsyncIterable<string>, out: NodeJS.WritableStream): Promise<void> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK) continue
    await writeOut(out, chunk)
    chunk = ''
  }
  if (chunk !== '') await writeOut(out, chunk)
}

function reasonsOf(cause: unknown): string {
  if (!(cause instanceof ForeproofError) || cause.findings.length === 0) return ''
  return `: ${cause.findings.map((finding) => messageOf(finding).text).join('; ')}`
}
