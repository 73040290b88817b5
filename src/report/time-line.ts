import { instantOrNaN, MICROS_PER_SECOND } from '../contract/instant.js'
import type { Result } from '../evaluation/result/result.js'
import { UNWITNESSED } from '../log/policy.js'
import { counted, formatWhole, keepSentences, readableTime } from '../output/figures.js'
import { levelText, type ShownLevel } from '../time/level.js'

type ProofOfTime = NonNullable<Result['time']>
type Authority = ProofOfTime['authorities'][number]
export type Commitment = NonNullable<ProofOfTime['commitment']>
type CommittedModel = Commitment['models'][number]

/** Something that happened, or was fixed, at one time. */
export interface TimeEvent {
  readonly name: string
  /** RFC 3339 in UTC; null if unknown. */
  readonly at: string | null
  /** The end of something that lasts. */
  readonly until?: string
  /** The source of the time. */
  readonly source: string
  /** Whether others than the writer show it, only the writer declares it, or the registration fixed it. */
  readonly known: 'shown' | 'declared' | 'fixed'
}

/** Who says when the registration was made; only stamps that count. */
function timeLevel({ time }: Result): ShownLevel {
  if (time === null || time.level === 'self_declared') return { kind: 'self_declared' }
  const by = time.authorities.flatMap(({ name, anchor_sha256: anchorSha256, stamp }) => {
    if (!stamp?.in_time) return []
    const { gen_time, accuracy_seconds: seconds } = stamp
    const accuracy = (seconds ?? 0) * MICROS_PER_SECOND
    const genTime = instantOrNaN(gen_time)
    return [{ authority: name, anchorSha256, genTime, accuracy, accuracyGiven: seconds !== null }]
  })
  by.sort((a, b) => a.genTime + a.accuracy - (b.genTime + b.accuracy))
  return { kind: 'stamped', by, of: time.authorities.length, atLeast: time.at_least }
}

/** `self-declared`, or `stamped by 2 of 3 (…), …`: shown together with the registration everywhere. */
export function levelIn(result: Result): string {
  return levelText(timeLevel(result))
}

/** Whether only the writer says that the registration preceded the outcomes. */
export function selfDeclared(result: Result): boolean {
  return timeLevel(result).kind === 'self_declared'
}

function stampEvent({ name, stamp }: Authority): TimeEvent {
  const event = { name: `Stamped by ${name}` }
  if (stamp === null) return { ...event, at: null, source: 'it stamped nothing', known: 'shown' }
  const { accuracy_seconds: seconds, in_time: inTime, revocation } = stamp
  const accuracy = seconds === null ? 'it states no accuracy' : `± ${seconds} s`
  const late = inTime ? '' : '; too late, it does not count'
  const revoked = revocation === 'good' ? 'not revoked' : 'revocation not checked'
  const source = `its token: ${accuracy}; ${revoked}${late}`
  return { ...event, at: stamp.gen_time, source, known: inTime ? 'shown' : 'declared' }
}

/** From the registration to the outcomes, for the times in the result. */
export function timeLine(result: Result): readonly TimeEvent[] {
  const { inputs, time } = result
  const commitment = time?.commitment ?? null
  return [
    {
      name: 'Registered',
      at: inputs.registration.registered_at,
      source: 'the writer’s own clock',
      known: 'declared',
    },
    ...(time?.authorities ?? []).map(stampEvent),
    ...windowEvents(result, commitment === null ? [] : [checkpointEvent(commitment)]),
  ]
}

/** The times that the registration fixed. Times shown by the log come before the outcomes. */
function windowEvents({ settings }: Result, shown: readonly TimeEvent[]): TimeEvent[] {
  const fixed = { source: 'the registration', known: 'fixed' as const }
  const { first_due: first, last_due: last, last_settled: settled } = settings.window
  return [
    { name: FIRST_DUE, at: first, ...(last !== null && { until: last }), ...fixed },
    { name: 'Last forecasts due', at: last, ...fixed },
    ...shown,
    { name: 'Outcomes settled', at: settled, ...fixed },
  ]
}

/** The start of the window; everything that must be fixed in advance comes before it. */
export const FIRST_DUE = 'First forecasts due'

function checkpointEvent(of: Commitment): TimeEvent {
  return {
    name: 'Last checkpoint',
    at: of.last_stamped_at,
    source: `its stamps; ${counted(of.size, 'entry', 'entries')} of ${of.log}`,
    known: 'shown',
  }
}

/** What the registration requires for the times of forecasts. */
export function commitmentSentence({ settings, time }: Result): string[] {
  const commitment = time?.commitment
  if (!commitment) {
    return [
      'When a forecast was made is what its row says: the registration asks for no stamped log of forecasts.',
    ]
  }
  const { due } = settings.rules.origins
  const by =
    'minutes' in due
      ? `within ${counted(due.minutes, 'minute')} of its origin and before its target`
      : 'by the time it is due'
  return keepSentences([
    `A forecast counts from the first stamped checkpoint that holds it, which has to come ${by}. The log ${commitment.log} has ${counted(commitment.checkpoints, 'checkpoint')} up to ${counted(commitment.size, 'entry', 'entries')}, ${formatWhole(commitment.stamped)} of them stamped.`,
    witnessed(commitment),
    holding(commitment),
    unexplained(commitment),
  ])
}

function witnessed({ witnessed: seen }: Commitment): string {
  if (seen === undefined) return UNWITNESSED
  const liars = counted(seen.liars_needed, 'witness', 'witnesses')
  return `It counts from no earlier than the first checkpoint that holds it and that the registered quorum of witnesses had cosigned, as ${formatWhole(seen.checkpoints)} of them were. For a second version of the log ${liars} would have to lie, and the writer chose them; that its writer has one name is not shown.`
}

/** What would expose a writer with several registrations, or with more models than are judged. */
function holding({ holds, models }: Commitment): string | undefined {
  if (holds === undefined) return undefined
  const { registrations, models_in_window: inWindow } = holds
  return `The log holds ${counted(registrations, 'registration')}. ${counted(inWindow, 'model has', 'models have')} forecasts in the window, and ${formatWhole(models.length)} of the history ${models.length === 1 ? 'is' : 'are'} registered.`
}

function unexplained({ unexplained: count }: Commitment): string | undefined {
  if (count === 0) return undefined
  return `${counted(count, 'entry', 'entries')} of the log ${count === 1 ? 'is' : 'are'} of no forecast or attempt that the history has.`
}

/** When outcomes were read: the result cannot contain it, because its bytes do not depend on when it is made. */
export const READ_AT =
  'When outcomes were read is not in a result; access.jsonl in the evidence has each reading.'

/** The number of forecasts of a model: rows of the history, and those that are only in the log. */
export function countForecasts(model: CommittedModel): number {
  return model.committed + model.committed_late + model.not_committed + model.withdrawn
}

/** `2026-11-22 10:00:03 UTC`, or that the time is unknown. */
export function eventTime({ at }: TimeEvent): string {
  return at === null ? 'none' : readableTime(at)
}
