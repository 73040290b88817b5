import type { Result } from '../evaluation/result/result.js'
import { UNWITNESSED } from '../log/policy.js'
import {
  chosenText,
  levelText,
  type TimeLevel,
  type TrustChoice,
  WRITER_CHOSE,
} from '../time/level.js'
import { pluralize } from './wording.js'

type Proof = NonNullable<Result['time']>
type Fact = readonly [name: string, says: string | undefined]

/** Who says when a registration was made and when its forecasts were, as text. */
export function timeFacts(
  level: TimeLevel,
  proof: Result['time'],
  who: TrustChoice = WRITER_CHOSE,
): Fact[] {
  const time: Fact = ['time', levelText(level, who)]
  const { commitment } = proof ?? {}
  if (!commitment) return [time]
  const { witnessed, models, holds } = commitment
  const cosigned = witnessed
    ? `${pluralize(witnessed.checkpoints, 'checkpoint')} cosigned by the quorum; ${pluralize(witnessed.liars_needed, 'witness', 'witnesses')} would have to lie for a second version of the log`
    : 'the registration asks for none'
  const isUnwitnessed = witnessed === undefined && who.witnesses === 'writer'
  const witnesses: Fact = [
    'witnesses',
    isUnwitnessed ? UNWITNESSED : `${cosigned}; ${chosenText('witnesses', who)}`,
  ]
  const log =
    holds &&
    `${pluralize(holds.registrations, 'registration')}; ${pluralize(holds.models_in_window, 'model')} with forecasts in the window, ${models.length} registered; ${commitment.unexplained} unexplained entries`
  return [
    time,
    witnesses,
    ['log', log],
    ...models.map((model): Fact => ['committed', shown(model)]),
  ]
}

export function whoFigures({ anchors, witnesses }: TrustChoice): object {
  return { anchors_chosen_by: anchors, witnesses_chosen_by: witnesses }
}

/** The same as data: what a result says, or only the level. */
export function timeFigures(
  level: TimeLevel,
  proof: Result['time'],
  who: TrustChoice = WRITER_CHOSE,
): object {
  return { ...(proof ?? { level: level.kind }), ...whoFigures(who) }
}

function shown(model: NonNullable<Proof['commitment']>['models'][number]): string {
  const { committed, expected, committed_late: late, not_committed: never, withdrawn } = model
  const without = [
    [late, 'late'],
    [never, 'never'],
    [withdrawn, 'withdrawn'],
  ] as const
  const others = without.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  const rest = others.length === 0 ? '' : `; ${others.join(', ')}`
  return `${model.model}: ${committed} of ${expected} forecasts within the lag${rest}`
}
