import { EXIT, ForeproofError } from '../../contract/error.js'
import { formatMessage } from '../../contract/findings/finding.js'
import { printable } from '../../contract/printable.js'
import { SCHEMAS } from '../../contract/schemas/index.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { exportLines, type HistoryExportOptions } from '../../history/export.js'
import { seriesAsTable, seriesLines } from '../../history/export-series.js'
import { historyAsTable } from '../../history/export-table.js'
import { readHistory } from '../../store/open.js'
import { tableBytes } from '../../table/write.js'
import { command } from '../command.js'
import {
  anEnd,
  anInstant,
  assertWithout,
  checkOutput,
  flag,
  HISTORY_OPTION,
  usage,
} from '../options.js'
import { tableOptions, tableOutput, writeTable } from '../table-output.js'
import { grouped } from '../wording.js'
import { interruptible } from '../work.js'

export default command({
  examples: {
    'foreproof history export --out forecasts.ndjson': 'A file, whole or not at all',
    'foreproof history export --out forecasts.parquet': 'The columns of a table for analysis',
    'foreproof history export | foreproof history import - --history copy.sqlite': 'A copy',
  },
  options: {
    history: HISTORY_OPTION,
    ...tableOptions('ndjson'),
    from: anInstant('First origin'),
    to: anEnd('Last origin, included'),
    'skip-faulty': flag('Leave out rows that are not valid forecasts, list them, and exit with 1'),
  },
  run: async (args, context) => {
    const { stderr } = context
    const { history, from, to } = args
    let skipped = 0
    if (from !== undefined && to !== undefined && from > to) {
      throw usage('--from is later than --to', 'Swap the two.')
    }
    const { file, format } = tableOutput(args, 'ndjson', context)
    // A file is written completely and then renamed: if it were the history, that would replace it.
    if (file !== undefined) checkOutput(file, [history])
    const leaveOut = (row: Parameters<typeof nameOfRow>[0], cause: unknown) => {
      skipped++
      stderr.write(`foreproof: left out ${printable(nameOfRow(row) + listReasons(cause))}\n`)
    }
    const options: HistoryExportOptions = {
      from,
      to,
      ...(args['skip-faulty'] && { onFaultyRow: leaveOut }),
    }
    const isSeries = (await readHistory(history, (reader) => reader.rowVersion())) === 2
    if (isSeries) {
      const help = 'The history holds forecasts of any series: they are exported whole.'
      assertWithout(args, ['from', 'to', 'skip-faulty'], 'is for hourly forecasts only', help)
    }
    const left = file === undefined ? 'Rows are missing.' : 'Nothing was written.'
    const beyond = new BeyondColumns()
    await interruptible(left, async (signal) => {
      const asked = { ...options, signal }
      const lines = isSeries ? seriesLines : exportLines
      const table = isSeries ? seriesAsTable : historyAsTable
      const bytes =
        format === 'ndjson'
          ? inChunks(lines(history, asked))
          : tableBytes(await table(history, { ...asked, onLeftOut: beyond.add }), format)
      await writeTable(bytes, file, context)
    })
    stderr.write(beyond.text())
    return skipped === 0 ? EXIT.holds : EXIT.no
  },
})

const CHUNK = 1 << 16

/** Joins lines, because each piece costs a system call. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function listReasons(cause: unknown): string {
  if (!(cause instanceof ForeproofError) || cause.findings.length === 0) return ''
  return `: ${cause.findings.map((finding) => formatMessage(finding).text).join('; ')}`
}

/** The member of a forecast resource that a pointer points into. */
function memberName(pointer: string): string {
  const name = pointer.split('/')[1] ?? ''
  return Object.hasOwn(SCHEMAS.forecast.properties ?? {}, name) ? name : 'members of its own'
}

/** Values of rows that have no column in a table. */
class BeyondColumns {
  #rows = 0
  readonly #rowsWith = new Map<string, number>()

  readonly add = (pointers: readonly string[]): void => {
    this.#rows++
    for (const member of new Set(pointers.map(memberName))) {
      this.#rowsWith.set(member, (this.#rowsWith.get(member) ?? 0) + 1)
    }
  }

  /** The text for users, with a line end; empty if nothing was left out. */
  text(): string {
    if (this.#rows === 0) return ''
    const parts = [...this.#rowsWith].map(([member, rows]) => `${member} (${grouped(rows)})`)
    return (
      `foreproof: ${grouped(this.#rows)} rows say more than a table has columns for; left out, with the number of rows: ${parts.join(', ')}\n` +
      '  Export NDJSON to keep all of it.\n'
    )
  }
}
