import type { Mutation } from './mutation.js'

const [PLAN, LIMITS] = ['registration/plan', 'registration/limits']
const [SERIES, REGISTRATION] = ['registration/series', 'registration/registration']
const STANDARD = 'registration/standard'
const room = (file: string) => `registration/${file}.ts`

const rule =
  (file: string, tests: string) =>
  (text: string, put: string, of?: string): Mutation =>
    of === undefined ? [room(file), text, put, tests] : [room(file), text, put, tests, of]

const ofPlan = rule('plan-rules', PLAN)
const ofModels = rule('model-rules', PLAN)
const ofTimes = rule('time-rules', PLAN)
const ofStrata = rule('strata', PLAN)
const ofSeries = rule('series-plan-rules', SERIES)
const ofLimits = rule('limits', LIMITS)
const unfounded = (fault: string, text: string, put = 'false'): Mutation =>
  ofPlan(text, put, `commitment-unfounded ${fault}`)

const ofBinding = (text: string, put: string, tests: string, of: string): Mutation => [
  'protocol/rules/bind.ts',
  text,
  put,
  tests,
  of,
]

const ofLevels = (text: string, put: string, of?: string): Mutation => {
  const mutated = ['protocol/rules/stratum-findings.ts', text, put, PLAN] as const
  return of === undefined ? mutated : [...mutated, of]
}

const ofTexts = (text: string, put: string, fault: string): Mutation => [
  'protocol/rules/hourly-texts.ts',
  text,
  put,
  'registration/method',
  `protocol-undecided ${fault}`,
]

/** Every refusal of `register`. */
export const OF_REGISTRATION: readonly Mutation[] = [
  [
    'protocol/verify.ts',
    'if (later === undefined) return []',
    'return []',
    // Not cli/register: a command is loaded from the root, and not from the mutant.
    'protocol/verify',
    'protocol-superseded',
  ],
  ['protocol/rules/placeholders.ts', '/^<.*>$/.test(value)', 'false', SERIES, 'placeholder'],
  unfounded('repeated', 'if (first < index) unfounded', 'if (false) unfounded'),
  unfounded('repeated', 'other.name.toLowerCase() === name.toLowerCase() || '),
  unfounded('too_few', 'least > authorities.length'),
  unfounded('policy', 'fault !== undefined) unfounded', 'false) unfounded'),
  unfounded('witnesses_alone', "commitment !== 'witnessed') unfounded", 'false) unfounded'),
  unfounded('log_alone', 'if (log !== null) unfounded', 'if (false) unfounded'),
  unfounded('no_witnesses', 'if (witnesses === undefined) unfounded', 'if (false) unfounded'),
  unfounded('other_log', 'log !== logNamed({ time, commitment_log: null })'),
  unfounded('backtest', "if (mode === 'backtest') unfounded", 'if (false) unfounded'),
  unfounded('no_authorities', 'if (least === 0) unfounded', 'if (false) unfounded'),
  unfounded('regime', "if (by === 'regime') unfounded", 'if (false) unfounded'),
  ofPlan(
    "if (isKnown === (mode === 'backtest')) return []",
    'return []',
    'vintage-unfit unnamed, vintage-unfit too-early',
  ),
  ofTimes(
    'if (parsed.ok && isOnTheHour(parsed.instant)) continue',
    'continue',
    'plan-window off-the-hour',
  ),
  ofTimes('if (from > to) report', 'if (false) report', 'plan-window reversed'),
  ofTimes("mode === 'prospective' && from < registeredAt", 'false', 'plan-window has-begun'),
  ofTimes(
    "mode === 'prospective' && from < registeredAt",
    "mode === 'prospective' && from <= registeredAt",
  ),
  ofTimes("mode === 'backtest' && to > registeredAt", 'false', 'plan-window lies-ahead'),
  ofModels(
    "return [unknownName('baseline', model, pointer, BASELINE_NAMES, BASELINE_NAMES)]",
    'return []',
    'name-unknown baseline',
  ),
  ofModels('if (baselines.includes(name)) return', 'if (false) return', 'model-ambiguous sources'),
  ofModels(
    "return required === undefined ? [] : ambiguous('comparator', required)",
    'return []',
    'model-ambiguous comparator',
  ),
  ofModels('if (first < index) return', 'if (false) return', 'listed-twice'),
  ofModels("...missing(required, bound, 'comparator'),", '', 'name-undefined comparator'),
  ofModels('open.includes(name) ? [] :', 'true ? [] :', 'name-unknown bound'),
  ofModels("isUsed ? missing(pool, bound, 'pool') : []", '[]', 'name-undefined pool'),
  ofModels("isUsed ? missing(pool, bound, 'pool') : []", "missing(pool, bound, 'pool')"),
  ofBinding('isOpen ? [] :', 'true ? [] :', SERIES, 'plan-unasked'),
  ofBinding('plan.due_minutes === null ?', 'false ?', PLAN, 'plan-lag'),
  ofStrata(
    "...open.map((name) => undefinedName('stratum', name, '/strata')),",
    '',
    'name-undefined stratum',
  ),
  ofStrata('isFirst(name, index) && !required.includes(name)', 'false', 'name-unknown stratum'),
  ofLevels(
    'if (!isGiven || needs.includes(key) || may.includes(key)) return []',
    'return []',
    'stratum-levels unused-key',
  ),
  ofLevels("findings.push(ofLevels('unused-key', pointerTo(pointer, key), key, by))", ''),
  ofLevels(
    "if (index === levels.length - 1) findings.push(ofLevels('last-cut-point', pointer))",
    'if (false) findings.push()',
    'stratum-levels last-cut-point',
  ),
  ofLevels(
    'else if (cut <= before) findings',
    'else if (false) findings',
    'stratum-levels descending',
  ),
  ofLevels('else if (cut <= before) findings', 'else if (cut < before) findings'),
  ofLevels(
    "findings.push(ofLevels('overlap', pointer, value, other))",
    '',
    'stratum-levels overlap',
  ),
  ofLevels(
    "if (other !== undefined) findings.push(ofLevels('overlap', pointer, span.level, other.level))",
    '',
  ),
  ofLevels('span.from > span.to', 'false', 'stratum-levels reversed'),
  [
    'protocol/rules/bind.ts',
    'limit === undefined || limit <= bound',
    'true',
    LIMITS,
    'limit-beyond-protocol',
  ],
  ofLimits('origins >= minimum && origins < enoughOrigins', 'false', 'window-without-direction'),
  ofLimits(
    'origins >= minimum && origins < enoughOrigins',
    'origins >= minimum && origins <= enoughOrigins',
  ),
  ofSeries(
    'if (period?.origin ?? period !== undefined) return []',
    'return []',
    'series-window unknown, series-window no-origin',
  ),
  ofSeries(
    "if (first === undefined || last === undefined) return [wrong('', { fault: 'reversed' })]",
    'if (first === undefined || last === undefined) return []',
    'series-window reversed',
  ),
  ofSeries('...(cut === undefined', '...(true', 'series-window target'),
  rule('series-plan-rules', STANDARD)('...(first < lead.first', '...(false', 'series-window lead'),
  rule('series-plan-rules', STANDARD)('...(silent', '...(false', 'series-window silent'),
  ofSeries(
    "mode === 'prospective' && due(first) < registeredAt",
    'false',
    'series-window has-begun',
  ),
  ofSeries(
    "mode === 'prospective' && due(first) < registeredAt",
    "mode === 'prospective' && due(first) <= registeredAt",
  ),
  ofSeries("mode === 'backtest' && due(last) > registeredAt", 'false', 'series-window lies-ahead'),
  rule('series-plan-rules', STANDARD)('first < lead.first', 'first <= lead.first'),
  rule('series-plan-rules', STANDARD)('...unrequiredFindings(rules, periods, origins),', ''),
  rule('prepare', SERIES)(
    "return { faults: [finding('scales-without-outcomes', {}, { pointer: '' })] }",
    'return { faults: [] }',
    'scales-without-outcomes',
  ),
  rule('prepare', SERIES)('...otherVintage(plan, releases),', '', 'vintage-unfit other'),
  rule('prepare', SERIES)('instantOrNaN(end) >= last', 'true', 'vintage-unfit ends-early'),
  rule('prepare', 'registration/vintage')(
    "if (mode === 'prospective') return [unfitVintage('too-early', '/mode')]",
    '',
  ),
  rule('prepare', 'registration/vintage')('settled > closes.last', 'false'),
  rule('prepare', 'registration/vintage')('settled > closes.last', 'settled >= closes.last'),
  rule('prepare', 'registration/vintage')(
    'leadIn < LEAD_IN_HOURS',
    'false',
    'vintage-unfit lead-in',
  ),
  rule('prepare', 'registration/vintage')('given === null || given === is', 'true'),
  // What was registered is held against what the plan would have made of it.
  rule('verify', REGISTRATION)('if (computed === declared) return []', 'return []'),
  rule('verify', REGISTRATION)(
    'if (sha256 === protocol.protocol_sha256 && version === protocol.protocol_version) return []',
    'return []',
    'registration-of-other-protocol',
  ),
  rule('verify', REGISTRATION)(
    'if (sha256 === protocol.protocol_sha256 && version === protocol.protocol_version) return []',
    'if (sha256 === protocol.protocol_sha256) return []',
  ),
  rule('verify', REGISTRATION)('...digest, ...undecided, ...faults', '...digest, ...undecided'),
  rule('verify', REGISTRATION)(
    'if (other === undefined) return []',
    'return []',
    'registration-differs',
  ),
  // What a registration says itself is registered again, and agrees.
  rule('verify', LIMITS)(
    '...extractBinding(rules, registration.rules),',
    '...extractBinding(rules, rules),',
  ),
  rule('verify', REGISTRATION)(
    'if (entry === undefined) {',
    'if (entry === undefined) return []\n  if (false) {',
    'registration-unentered absent',
  ),
  rule('verify', REGISTRATION)(
    'if (found !== expected) findings',
    'if (false) findings',
    'registration-unentered differs',
  ),
  rule('verify', REGISTRATION)(
    'instantOrNaN(registeredAt) < instantOrNaN(frozen.frozen_at)',
    'false',
    'registration-unentered before-frozen',
  ),
  ofTexts('(named !== undefined && describes', '(named === undefined || describes', 'unnamed'),
  ofTexts('(named !== undefined && describesVerdict(protocol))', 'named', 'no-hypothesis'),
  [
    'evaluation/enter-registration.ts',
    'if (instantOrNaN(lastAt) <= firstInputs) return',
    'return',
    'evaluation/moved',
    'registration-unentered moved',
  ],
]
