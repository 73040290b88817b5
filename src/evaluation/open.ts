import type { Instant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { readTrusted, type Trusted } from '../log/trusted.js'
import { isExported } from '../store/exported.js'
import { historyName } from '../store/shown.js'
import { openWindowRows, type WindowRows } from './history.js'
import { loadOutcomes, type Outcomes } from './inputs.js'
import { type Documents, loadDocuments } from './load.js'
import { type LogSource, registeredLog } from './proof/log-source.js'

/** The paths of the inputs of an evaluation. */
export interface InputPaths {
  readonly registration: string
  /** The folder of frozen protocols with their ledger, or a protocol in it. */
  readonly protocol: string
  readonly history: string
  readonly outcomes: string
}

/** If a reader states whom to trust, what is read must also hold with these alone. */
export interface OpenOptions extends InputPaths, Trusted {
  /** The log that forecasts are compared with, by its name; only needed if a history has several. */
  readonly log?: string | undefined
}

/**
 * The inputs of an evaluation, opened. Each is read when it is asked for, in the order in which they rest on each
 * other, so that the first fault is the one that is reported.
 */
export interface Inputs {
  readonly paths: InputPaths
  /** As `loadDocuments`. */
  readonly documents: (now?: Instant, through?: string) => Promise<Documents>
  readonly history: {
    readonly path: string
    /** In messages: without a password. */
    readonly name: string
    readonly isExported: boolean
    /** As `openWindowRows`. */
    readonly window: (documents: Documents) => Promise<WindowRows>
  }
  /** As `loadOutcomes`. */
  readonly outcomes: (documents: Documents, now?: Instant) => Promise<Outcomes>
  /** Those of the reader. */
  readonly trusted: ReturnType<typeof readTrusted>
  /** As `registeredLog`. */
  readonly log: (registration: Pick<Registration, 'commitment_log' | 'time'>) => Promise<LogSource>
}

/**
 * Opens the inputs of an evaluation: `score` and `audit` read no others, `pair` its documents and log.
 * @throws {ForeproofError} `usage` for anchors or witnesses of a reader that prove nothing; `not-found`, `io`.
 */
export function openInputs(paths: OpenOptions): Inputs {
  const { registration, protocol, history, outcomes, log } = paths
  return {
    paths: { registration, protocol, history, outcomes },
    documents: (now, through) => loadDocuments(paths, now, through),
    history: {
      path: history,
      name: historyName(history),
      isExported: isExported(history),
      window: (documents) => openWindowRows(history, documents),
    },
    outcomes: (documents, now) => loadOutcomes(outcomes, documents, now),
    trusted: readTrusted(paths),
    log: (of) => registeredLog(of, history, log),
  }
}
