/** The group of series that name none, if others name one. No protocol may use this name for a group. */
export const REST = 'rest'

interface Grouped {
  readonly series: readonly { readonly id: string; readonly group?: string | null }[]
}

/** The group of each series by its id; empty if no series names one. */
export function groupBySeries({ series }: Grouped): Map<string, string> {
  if (series.every(({ group = null }) => group === null)) return new Map()
  return new Map(series.map(({ id, group }) => [id, group ?? REST]))
}

/** The groups of a protocol in its order, without duplicates. */
export function listGroups(protocol: Grouped): string[] {
  return [...new Set(groupBySeries(protocol).values())]
}
