import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { numberIn } from '../../history/natural/parse.js'
import { TableFault } from '../../table/fault.js'
import type { Cell, ReadRow } from '../../table/types.js'
import { HUB, SOURCE_COLUMNS } from './columns.js'
import { hubRows } from './hub-rows.js'
import { originOfRound } from './round-id.js'

/** The prices at the origins of a hub, by round; what is wrong with their file. */
export interface SourcePrices {
  readonly prices: ReadonlyMap<string, number>
  readonly findings: readonly Finding[]
}

/** Reads them where the hub has them; a link is not followed. */
export async function sourcePrices(hub: string): Promise<SourcePrices> {
  const file = join(hub, HUB.sources)
  const prices = new Map<string, number>()
  const findings: Finding[] = []
  const told = { prices, findings }
  const is = lstatSync(file, { throwIfNoEntry: false })
  if (is === undefined) return told
  if (!is.isFile()) {
    findings.push(finding('hub-file', { fault: 'sources' }, { file }))
    return told
  }
  try {
    const names = SOURCE_COLUMNS.map(({ name }) => name)
    for await (const row of hubRows(file, names)) {
      const found = row.fault ?? take(row, prices)
      const position = { line: row.line, column: 1 }
      if (found !== undefined) findings.push({ file, position, ...found })
    }
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause
    findings.push(cause.finding)
  }
  return told
}

function take({ cells }: ReadRow, prices: Map<string, number>): Finding | undefined {
  const [id = null, cell = null] = cells
  const round = String(id ?? '')
  if (originOfRound(round) === undefined) return fault('no-round', id)
  const price = numberIn(cell)
  if (!price.ok || price.value <= 0) return fault('price', cell)
  if (prices.has(round)) return fault('two-prices', id)
  prices.set(round, price.value)
  return undefined
}

const fault = (kind: ArgsOf<'hub-row'>['fault'], found: Cell): Finding =>
  finding('hub-row', { fault: kind, found: String(found ?? '').slice(0, 60) })
