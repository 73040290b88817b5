import { printable } from '../contract/printable.js'
import type { Registration } from '../contract/types.js'
import type { Report } from '../output/print.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { twoColumns } from './wording.js'

export interface Registered {
  readonly registration: Registration
  /** Where it was written; null in a dry run. */
  readonly file: string | null
  readonly ledger: string
  /** Undefined in a dry run. */
  readonly entry: RegisteredEntry | undefined
  /** Who says when it was, in words; undefined where nobody was asked. */
  readonly level?: string | undefined
}

/** What was registered, for a person and for a machine. */
export function registrationReport(
  registered: Registered,
): Pick<Report, 'figures' | 'headline' | 'body'> {
  const { registration, file, ledger, entry, level } = registered
  const { family: _family, ...summary } = registration
  return {
    figures: {
      registration: summary,
      written: entry !== undefined,
      file,
      ledger: entry ? { file: ledger, seq: entry.seq, entry_sha256: entry.entry_sha256 } : null,
    },
    headline: entry
      ? `${registration.name} registered`
      : `${registration.name} can be registered (nothing was written)`,
    body: bodyOf(registration, file, level),
  }
}

function bodyOf(
  registration: Registration,
  file: string | null,
  level: string | undefined,
): string {
  const { window, candidates, comparators, strata, mode } = registration
  const levels = strata.reduce((sum, { levels: own = [] }) => sum + own.length, 0)
  const rows = [
    ['mode', mode],
    ['window', `${window.from} to ${window.to}, ${window.origins} hourly origins`],
    ['as of', registration.as_of],
    ['candidates', candidates.map(({ name }) => name).join(', ')],
    ['comparators', comparators.map(({ name }) => name).join(', ')],
    ['strata', `${levels} levels`],
    ['family', `${registration.family_size} tests`],
    ...(registration.commitment === 'stamped'
      ? [['commitment', committedTo(registration)] as const]
      : []),
    ['sha256', registration.registration_sha256],
    ...(level === undefined ? [] : [['time', level] as const]),
    ...(file === null ? [] : [['written', file] as const]),
  ] as const
  return twoColumns(rows)
}

function committedTo({ commitment_log: log }: Registration): string {
  return log === undefined
    ? 'stamped, in the only log of the history: with several, nothing is scored (commitment_log names one)'
    : `stamped, in the log ${printable(log)}`
}
