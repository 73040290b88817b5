import type { SeriesProtocol } from '../../contract/types.js'

/** The group of series that name none, where others name one. No protocol may give a group this name. */
export const REST = 'rest'

/** The group of each series by its id; empty where no series names one. */
export function groupOf({ series }: Pick<SeriesProtocol, 'series'>): Map<string, string> {
  if (series.every(({ group }) => group === undefined)) return new Map()
  return new Map(series.map(({ id, group = REST }) => [id, group]))
}

/** The groups of a protocol in its order, each once. */
export function groupsOf(protocol: Pick<SeriesProtocol, 'series'>): string[] {
  return [...new Set(groupOf(protocol).values())]
}
