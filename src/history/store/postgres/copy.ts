import { setImmediate } from 'node:timers/promises'
import { postgresError } from './faults.js'
import type { Session, Value } from './pool.js'
import { type PostgresTable, quotedName, TABLE_COLUMNS } from './tables.js'

/** In the order in which rows may refer to one another. */
const COPIED = ['origins', 'forecasts', 'attempts', 'log_entries', 'log_subtrees'] as const

export type CopiedTable = (typeof COPIED)[number]

/** Rows wait for the end of a batch, but not beyond so many characters. */
const MOST_WAITING = 4 * 1024 * 1024

/** Few enough that the server seldom waits for its next rows, or for the next COPY. */
const ROWS_A_TURN = 16

/** Rows on their way into the tables of a transaction, by COPY. */
export interface Copier {
  /** @param values - of all columns of the table but `added`, in their order. */
  add(table: CopiedTable, values: readonly Value[]): void
  /** To be awaited after a row: sends what waits where that is much, and lets what was sent go on. */
  flow(): Promise<void>
  /** Sends what waits, without waiting for the answer; what was sent before has arrived by then. */
  send(): Promise<void>
  /** Ends when what was sent has arrived. */
  arrived(): Promise<void>
  /** Forgets what waits, and what became of what was sent. */
  drop(): Promise<void>
}

export function openCopier({ client }: Session, schema: string, shown: string): Copier {
  let waiting = new Map<CopiedTable, string[]>()
  let characters = 0
  let rows = 0
  let underWay: Promise<void> = Promise.resolve()
  let isUnderWay = false

  const copy = async (rows: ReadonlyMap<CopiedTable, readonly string[]>): Promise<void> => {
    const { from } = await import('pg-copy-streams')
    for (const table of COPIED) {
      const lines = rows.get(table)
      if (lines === undefined) continue
      const names = namesOf(table).join(', ')
      const stream = client.query(from(`COPY ${quotedName(schema)}.${table} (${names}) FROM STDIN`))
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve).on('error', reject)
        stream.end(lines.join(''))
      })
    }
  }
  const send = async (): Promise<void> => {
    await underWay
    if (waiting.size === 0) return
    isUnderWay = true
    underWay = copy(waiting)
      .catch((cause: unknown) => {
        throw postgresError(cause, shown)
      })
      .finally(() => {
        isUnderWay = false
      })
    // Whoever asks next is told.
    underWay.catch(() => {})
    waiting = new Map()
    characters = 0
  }
  return {
    add(table, values) {
      const line = `${values.map(cell).join('\t')}\n`
      const lines = waiting.get(table)
      if (lines === undefined) waiting.set(table, [line])
      else lines.push(line)
      characters += line.length
    },
    async flow() {
      rows += 1
      if (characters > MOST_WAITING) await send()
      // Rows come without a turn of the event loop, and only in one does a COPY get on.
      if (isUnderWay && rows % ROWS_A_TURN === 0) await setImmediate()
    },
    send,
    arrived: () => underWay,
    async drop() {
      waiting = new Map()
      characters = 0
      await underWay.catch(() => {})
      underWay = Promise.resolve()
    },
  }
}

function namesOf(table: PostgresTable): string[] {
  return Object.keys(TABLE_COLUMNS[table]).filter((name) => name !== 'added')
}

/** A value in the text format of COPY. */
function cell(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return value.replace(/[\\\n\r\t]/g, escaped)
  if (typeof value === 'object') return `\\\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const escaped = (character: string): string => ESCAPES[character] as string
