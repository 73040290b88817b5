import { OWN_LOG } from '../kept-hashes.js'
import { edgeRanges, LogEdge } from '../log-edge.js'
import { mirroredNameRefused, ownLogRefused } from '../log-names.js'
import type { CheckpointStamp, NewLeaf } from '../log-types.js'
import type { Copier } from './copy.js'
import { readLogs } from './logs.js'
import { keyValues, requireStorable } from './new-rows.js'
import type { Ask } from './pool.js'
import { quotedName } from './tables.js'

/** What is asked of and written to the logs, within the transactions of a writer. Entries go by COPY. */
export function writeLogs(ask: Ask, copier: Copier, schema: string, shown: string) {
  const logs = readLogs(ask, schema)
  const table = (name: string) => `${quotedName(schema)}.${name}`
  /** What a transaction has learnt, by name and by number of a log. */
  const numbers = new Map<string | undefined, number>()
  const edges = new Map<number, LogEdge>()

  /** The number of a log to write to; one of that name is made where there is none. */
  const numberOf = async (log: string | undefined): Promise<number> => {
    const known = numbers.get(log)
    if (known !== undefined) return known
    const found = (await logs.number(log)) ?? (await addLog(log))
    if (log !== undefined && found === OWN_LOG) throw ownLogRefused(shown, log)
    numbers.set(log, found)
    return found
  }
  const addLog = async (log: string | undefined): Promise<number> => {
    if (log !== undefined) requireStorable('the name of a log', log)
    const [row] = await ask(
      `INSERT INTO ${table('logs')} SELECT max(log) + 1, $1 FROM ${table('logs')} RETURNING log`,
      [log],
    )
    return Number(row?.[0])
  }
  const edgeOf = async (at: number): Promise<LogEdge> => {
    const known = edges.get(at)
    if (known !== undefined) return known
    const size = await logs.sizeOf(at)
    const waiting: Uint8Array[][] = []
    for (const { level, from, to } of edgeRanges(size)) {
      waiting.push(await logs.kept(at, level, from, to))
    }
    const edge = new LogEdge(size, waiting)
    edges.set(at, edge)
    return edge
  }
  const has = async (sql: string, values: readonly unknown[]): Promise<boolean> =>
    (await ask(sql, values)).length > 0
  return {
    ...logs,
    async name(): Promise<string | undefined> {
      const [row] = await ask(`SELECT name FROM ${table('logs')} WHERE log = $1`, [OWN_LOG])
      return typeof row?.[0] === 'string' ? row[0] : undefined
    },
    async setName(name: string): Promise<void> {
      if ((await logs.number(name)) !== undefined) throw mirroredNameRefused(shown, name)
      requireStorable('the name of a log', name)
      await ask(`UPDATE ${table('logs')} SET name = $1 WHERE log = $2`, [name, OWN_LOG])
    },
    /** To be called when a transaction begins: others may have written since the last one, or it was undone. */
    begin(): void {
      numbers.clear()
      edges.clear()
    },
    async append({ leaf, key }: NewLeaf, log: string | undefined): Promise<number> {
      const at = await numberOf(log)
      const edge = await edgeOf(at)
      const index = edge.size
      const values = key === undefined ? NO_KEY : [...keyValues(key), key.kind]
      copier.add('log_entries', [at, index, leaf, ...values])
      for (const { level, index: above, hash } of edge.append(leaf)) {
        copier.add('log_subtrees', [at, level, above, hash])
      }
      return index
    },
    addCheckpoint: async (size: number, note: string, log: string | undefined): Promise<boolean> =>
      has(
        `INSERT INTO ${table('log_checkpoints')} VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
        [await numberOf(log), size, note],
      ),
    addStamp: async (
      size: number,
      { authority, token }: CheckpointStamp,
      log: string | undefined,
    ): Promise<boolean> =>
      has(
        `INSERT INTO ${table('log_stamps')} VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1`,
        [await numberOf(log), size, authority, Buffer.from(token)],
      ),
    async dropStamp(size: number, authority: string, log: string | undefined): Promise<void> {
      await ask(
        `DELETE FROM ${table('log_stamps')} WHERE log = $1 AND size = $2 AND authority = $3`,
        [await numberOf(log), size, authority],
      )
    },
  }
}

const NO_KEY = [null, null, null, null] as const
