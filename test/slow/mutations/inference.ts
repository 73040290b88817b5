import type { Mutation } from './mutation.js'

const [HOLM, VERDICT, EWC] = ['inference/holm.ts', 'inference/verdict.ts', 'inference/ewc-judge.ts']
const [WAITING, OF_WAITING] = ['periods/waiting.ts', 'periods/waiting']
const [SEEN, GAMES] = ['evaluation/seen-by-persistence.ts', 'evaluation/further-games']
const DISPOSITION = 'inference/disposition.ts'
const OF_DISPOSITION = 'inference/disposition'
const OF_VERDICT = 'inference/verdict'

const disposition = (text: string, put: string, of?: string): Mutation =>
  of === undefined
    ? [DISPOSITION, text, put, OF_DISPOSITION]
    : [DISPOSITION, text, put, OF_DISPOSITION, of]

export const INFERENCE: readonly Mutation[] = [
  [
    HOLM,
    'const rejected = atOrBelow(adjustedP, alpha)',
    'const rejected = atOrBelow(p, alpha)',
    'inference/holm',
  ],
  [
    HOLM,
    'Math.max(adjustedP, Math.min(1, multiplier * p))',
    'Math.min(1, multiplier * p)',
    'inference/holm',
  ],
  // What is blocked keeps its weight: it makes the rest no easier.
  [HOLM, 'p === null ? [weights[index] as number] : []', '[]', 'inference/holm'],
  [HOLM, 'share !== lastShare', 'true', 'inference/holm'],
  [HOLM, 'if (!rejected) stopped ??= left', '', OF_VERDICT],
  // A verdict hypothesis is rejected only where all of its parts are.
  [VERDICT, 'Math.max(...valid)', 'Math.min(...valid)', OF_VERDICT],
  [VERDICT, 'valid.length < parts.length || valid.length === 0', 'valid.length === 0', OF_VERDICT],
  [
    VERDICT,
    'valid.length < parts.length || valid.length === 0',
    'valid.length < parts.length',
    OF_VERDICT,
  ],
  [VERDICT, 'const room = limit - observed', 'const room = -observed', OF_VERDICT],
  [VERDICT, 'room > 0 ? studentTail(room / standardError, nu) : 1', 'p', OF_VERDICT],
  [VERDICT, 'return alpha / 2 / tests', 'return alpha / tests', OF_VERDICT],
  [EWC, "if (test.withheld) reasons.push('withheld')", '', OF_VERDICT],
  [EWC, "if (test.noScale) reasons.push('no_scale')", '', OF_VERDICT],
  [EWC, "[...reasons, 'no_variance' as const]", 'reasons', OF_VERDICT],
  [
    EWC,
    'Math.max(design.minimumBlocks, design.leastBlocks ?? LEAST_EWC_BLOCKS)',
    'design.minimumBlocks',
    OF_VERDICT,
  ],
  disposition("input.mode === 'backtest'", 'false', 'has no verdict in a backtest'),
  disposition('reasons.sort((a, b) => rankReason(a) - rankReason(b))', ''),
  disposition("code === 'outcomes_missing' ? 0.5", "code === 'outcomes_missing' ? 9"),
  disposition(
    'if ((isThere && !unknown) || named.has(test.name)) return []',
    'return []',
    'deciding_test_blocked',
  ),
  disposition('...(input.shortened ?', '...(false ?', 'window_shortened'),
  disposition('...comparisons.flatMap(incomparableReasons),', '', 'direction_not_comparable'),
  disposition('...outcomeReasons(input),', '', 'outcomes_missing'),
  disposition('...laxReasons(input),', '', 'rules_too_lax'),
  disposition('return [...ofVerdict, ...ofTests]', 'return ofTests'),
  disposition(
    'if (found <= regressionLimit * comparatorLoss) return []',
    'return []',
    'group_harm_not_excluded',
  ),
  disposition('isSeries && isExcepted ? NOTHING_LOST', 'isExcepted ? NOTHING_LOST'),
  disposition('Math.floor(series.length / SERIES_AN_EXCEPTION)', '0'),
  disposition('if (!holm || holm.rejected) return []', 'return []', 'verdict_not_established'),
  disposition('...input.byVerdict.substituted.map', '...[].map', 'comparator_substituted'),
  disposition('if (!isWorse(test)) return reasons', 'return reasons', 'significantly_worse'),
  disposition(
    'const reasons = limitReasons(comparison, input)',
    'const reasons = limitReasons({ ...comparison, horizons: [] }, input)',
    'regression_limit_exceeded, direction_limit_exceeded',
  ),
  disposition('-estimate < floor * comparatorLoss', 'false', 'practical_floor_not_reached'),
  disposition(
    'input.practicalFloor + waiting',
    'input.practicalFloor',
    'practical_floor_not_reached',
  ),
  [WAITING, "over === 'end' ? end <= due : start < due", 'end <= due', OF_WAITING],
  [WAITING, 'if (hasBegun(target, due, over)) return 0', '', OF_WAITING],
  [WAITING, 'if (seen === null) return 1', 'if (seen === null) return 0', OF_WAITING],
  [WAITING, 'if (seen >= target.end) return 0', '', OF_WAITING],
  disposition('    ...waitingReasons(input),\n', '', 'waiting_too_long, nowcast, only_nowcasts'),
  disposition(
    'if (!input.byVerdict.verdict.holm?.rejected) return []',
    'return []',
    'improvement_established',
  ),
  disposition(
    'return notScored > (cell.level === null',
    'return false && notScored > (cell.level === null',
    'availability_limit_exceeded, comparator_availability_limit_exceeded',
  ),
  disposition(
    'return notScored > (cell.level === null',
    'return notScored >= (cell.level === null',
  ),
  disposition('cell.level === null ? limits.all : limits.level', 'limits.level'),
  disposition('(cell) => cell.comparator,', '() => undefined,'),
  disposition(
    'if (ours.failures * theirs.expected <= theirs.failures * ours.expected) return undefined',
    'return undefined',
    'failure_rate_above_comparator',
  ),
  disposition('worse > harm * loss', 'worse >= harm * loss'),
  disposition('found <= directionLimit', 'found < directionLimit'),
  ['truth/truth-view.ts', 'this.#since[period] = at', 'this.#since[period] = this.#at', GAMES],
  [SEEN, 'return Number.isNaN(value)', 'return true', GAMES],
  [
    'evaluation/evidence/audit.ts',
    'window: { ...whole.window, ...PERSISTENCE_NOT_ASKED },',
    '',
    'evaluation/series-score',
  ],
]
