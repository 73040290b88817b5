import { historyStats } from '../../history/stats.js'
import type { HistoryStatsResult, LogStats } from '../../store/history-reader.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { HISTORY_OPTION, TEXT_OR_JSON } from '../options.js'
import { alignColumns, grouped, twoColumns } from '../wording.js'

export default command({
  examples: {
    'foreproof history stats --history h.sqlite': 'A table',
    'foreproof history stats --format json': 'The same for a machine',
  },
  options: {
    history: HISTORY_OPTION,
    format: TEXT_OR_JSON,
  },
  run: async ({ history: path }, { answer }) => {
    const history = historyName(path)
    const stats = await historyStats(path)
    return answer({ history, ...stats }, formatStats(history, stats))
  },
})

function formatStats(history: string, stats: HistoryStatsResult): string {
  const { attempts, hours_without_origin: gaps } = stats
  const facts = twoColumns([
    ['history', `${history} (${grouped(stats.bytes)} bytes${describeJournal(stats)})`],
    ['forecasts', grouped(stats.forecasts)],
    ['attempts', `${grouped(attempts.failed)} failed, ${grouped(attempts.abstained)} abstained`],
    ['series', stats.series === undefined ? undefined : grouped(stats.series)],
    ['origins', describeOrigins(stats)],
    ['gaps', gaps === null ? undefined : `${grouped(gaps)} hours without an origin`],
    ['provenance', `recorded for ${grouped(stats.with_provenance)}`],
    ...(stats.series === undefined ? ofHours(stats) : []),
    ['log', stats.log === null ? undefined : logText(stats.log)],
  ])
  return [facts, '', ...formatModelTable(stats)].join('\n')
}

/** Facts that only hourly rows have. */
function ofHours(stats: HistoryStatsResult): (readonly [string, string])[] {
  return [
    ['runs', stats.runs === null ? 'not recorded' : grouped(stats.runs)],
    ['kept whole', grouped(stats.kept_whole)],
    ['order index', stats.ordering_index ? 'yes' : 'no (see: foreproof history verify)'],
  ]
}

function describeJournal({ journal_mode: mode }: HistoryStatsResult): string {
  return mode === null ? '' : `, journal mode ${mode}`
}

function describeOrigins({
  series,
  origins,
  first_origin: first,
  last_origin: last,
}: HistoryStatsResult): string {
  if (series !== undefined) return grouped(origins)
  return first === null ? '0' : `${grouped(origins)}, from ${first} to ${last}`
}

function logText({ name, entries, checkpoint, stamped_by: by }: LogStats): string {
  const stamped = by.length === 0 ? 'not stamped' : `stamped by ${by.join(', ')}`
  const sealed = checkpoint === null ? 'not sealed' : `sealed to ${grouped(checkpoint)}, ${stamped}`
  return `${name ?? 'no name yet'}, ${grouped(entries)} ${entries === 1 ? 'entry' : 'entries'}, ${sealed}`
}

function formatModelTable({ models, series }: HistoryStatsResult): string[] {
  const horizons = [...new Set(models.flatMap((model) => Object.keys(model.horizons)))].sort(
    (a, b) => Number(a) - Number(b),
  )
  const rows = [
    [
      'model',
      ...horizons.map((at) => (series === undefined ? `${at} h` : `step ${at}`)),
      'failed',
      'abstained',
    ],
    ...models.map((model) => [
      model.model,
      ...horizons.map((horizon) => grouped(model.horizons[horizon] ?? 0)),
      grouped(model.failed),
      grouped(model.abstained),
    ]),
  ]
  if (models.length === 0) return []
  return alignColumns(rows)
}
