import type { Value } from '../dialect.js'
import { postgresError } from './faults.js'
import type { Session } from './pool.js'
import { ALL_COLUMNS, type PostgresTable, quotedName } from './tables.js'

/** In the order in which rows may refer to one another. */
const COPIED = [
  'origins',
  'forecasts',
  'attempts',
  'log_entries',
  'series_forecasts',
  'series_attempts',
  'series_log_entries',
  'log_subtrees',
] as const

export type CopiedTable = (typeof COPIED)[number]

/** Rows wait for the end of a batch, but not beyond so many characters. */
const MOST_WAITING = 4 * 1024 * 1024

/** Collects rows, and brings them into the tables of a transaction by COPY. */
export interface Copier {
  /** @param values - of all columns of the table but `added`, in their order. */
  add(table: CopiedTable, values: readonly Value[]): void
  /** Whether so much waits that it had better go. */
  readonly isFull: boolean
  /** Sends what waits, and ends when it has arrived. */
  send(): Promise<void>
  /** Forgets what waits. */
  drop(): void
}

export function openCopier({ client }: Session, schema: string, shown: string): Copier {
  let waiting = new Map<CopiedTable, string[]>()
  let characters = 0

  const drop = (): void => {
    waiting = new Map()
    characters = 0
  }
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
  return {
    add(table, values) {
      const line = `${values.map(cell).join('\t')}\n`
      const lines = waiting.get(table)
      if (lines === undefined) waiting.set(table, [line])
      else lines.push(line)
      characters += line.length
    },
    get isFull() {
      return characters > MOST_WAITING
    },
    async send() {
      if (waiting.size === 0) return
      const rows = waiting
      drop()
      try {
        await copy(rows)
      } catch (cause) {
        throw postgresError(cause, shown)
      }
    },
    drop,
  }
}

function namesOf(table: PostgresTable): string[] {
  return Object.keys(ALL_COLUMNS[table]).filter((name) => name !== 'added')
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
