import { type Authority, type EntryStamp, levelOf, type TimeLevel } from './level.js'

/** Entries of a ledger, one after the other, that have one level. */
export interface EntriesLevel {
  readonly from: number
  readonly to: number
  readonly level: TimeLevel
}

/**
 * The levels of all entries of a ledger. A stamp covers all before it, so a level ends only behind an
 * entry that was stamped.
 */
export function ledgerLevels(
  entries: number,
  stamps: readonly EntryStamp[],
  authorities: readonly Authority[],
): EntriesLevel[] {
  const stamped = stamps.map(({ seq }) => seq).sort((a, b) => a - b)
  const levels: EntriesLevel[] = []
  for (const to of new Set([...stamped, entries])) {
    const last = levels.at(-1)
    const level = levelOf(to, stamps, authorities)
    if (last !== undefined && isSame(last.level, level)) {
      levels.splice(-1, 1, { ...last, to })
    } else if (to > (last?.to ?? 0)) levels.push({ from: (last?.to ?? 0) + 1, to, level })
  }
  return levels
}

/** Whether two levels rest on the same stamps. */
function isSame(a: TimeLevel, b: TimeLevel): boolean {
  const filesOf = (level: TimeLevel) =>
    level.kind === 'stamped' ? level.by.map(({ file }) => file) : []
  return filesOf(a).join('\0') === filesOf(b).join('\0')
}
