import { LARGEST_VALUE_TEXT } from '../limits.js'
import { A_DIGEST, error, NOT_FOR, note, OTHER_DIGEST, warning } from './row.js'

const NAMED = 'entry {entry} ({version})'

const MOVED =
  'foreproof ledger rebase keeps what an entry followed. An entry was taken out, or the line was edited: ask for the ledger before the move.'

const CHANGED = {
  protocol:
    'The document was changed after it was frozen. Restore it, or freeze the change as a new version.',
  registration: 'The registration was changed after it was made. Restore it from version control.',
  result: 'The result was edited. Restore the original, or score again into a new folder.',
} as const

/** Digests of protocols, registrations and results, and the ledger of frozen ones. */
export const protocolRows = {
  'digest-mismatch': error<{
    fault: keyof typeof CHANGED
    declared: string
    computed: string
    /** The numbers that Python spells differently, if they alone are the cause. */
    python: readonly string[] | null
  }>(
    'the content has the digest {computed}, not {declared}',
    { fault: 'protocol', declared: A_DIGEST, computed: OTHER_DIGEST, python: null },
    ({ fault, declared, python }) => {
      if (/^0+$/.test(declared)) return 'It is a draft. Freeze it: foreproof freeze FILE'
      return python === null
        ? CHANGED[fault]
        : `It was frozen by a tool that writes numbers as Python does (${python.join(', ')}): the content is unchanged. Write these numbers as RFC 8785 does (1 for 1.0, 0.000001 for 1e-06) and freeze the change as a new version.`
    },
  ),
  'series-rule': error(
    {
      order: ['{what} must ascend; {found} does not'],
      twice: ['the id {found} is given twice'],
      zone: [
        'there is no time zone {found}',
        'Use a name of the IANA table, such as Europe/Berlin.',
      ],
      level: [
        '{found} is none of the levels of a forecast',
        'Add it to /forecast/levels, or take another one.',
      ],
      bounds: ['the levels of an interval add up to 1: beside {what} it is {found}'],
      symmetric: [
        'a weighted interval score needs levels that are symmetric about 0.5: {found} is missing',
      ],
      primary: [
        'exactly one score is primary; here it is {found}',
        'Write "primary": true into the one that decides.',
      ],
      diagnosis: [
        'coverage decides nothing: it is never primary, and has no transform',
        'Make another score primary, and leave its transform out.',
      ],
      beside: [
        'direction is never primary: it says nothing of how far off a forecast is',
        'Make another score primary; direction decides beside it, through its limit.',
      ],
      directions: ['direction is asked for {found} times', 'Keep one score of the kind direction.'],
      median: ['the median is needed: 0.5 is none of the levels'],
      range: [`{found} lies beyond ±${LARGEST_VALUE_TEXT}: no value does`, 'Take another unit.'],
      learning: [
        '{what} learns from values that are not revised; those of the rule {found} are',
        'Take another baseline, or the rule unrevised or first.',
      ],
      pool: [
        'strongest cannot choose {found}: it is no baseline of the protocol, or itself one that chooses',
      ],
      errors: ['a window of {what} errors never holds {found}'],
      series: ['{found} is not a series of this protocol', 'Use the id of one of its series.'],
      alpha: ['alpha is {found}, above 0.5'],
      group: [
        'no group may have the name {found}',
        'Give the group another name: all is every series, and rest those that are in no group.',
      ],
      column: [
        'no score may have the id {found}',
        'Give it another id: exported tables have a column or a measure of this name.',
      ],
      mean: [
        '{found} asks for a mean: a forecast is a median and quantiles',
        `Take the median, and a score that rewards it, such as absolute_error or weighted_interval: squared errors reward the mean, which cannot be judged here (${NOT_FOR}).`,
      ],
      samples: [
        '{found} asks for samples: a forecast is a median and quantiles',
        `Make quantiles of the samples, name their levels in /forecast/levels, and score them by weighted_interval (${NOT_FOR}).`,
      ],
      probabilities: [
        '{found} asks for probabilities of events: a forecast is a median and quantiles',
        `Probabilities cannot be judged here (${NOT_FOR}).`,
      ],
      due: [
        '{found} asks for more than one due time: all steps of an origin are due at once',
        `Give one anchor with an offset, or the anchor "column" and a column due in the list of periods, with a time for each origin. Of steps that are due apart make a protocol each (${NOT_FOR}).`,
      ],
      zones: [
        '{found} asks for more than one time zone: a protocol has one',
        `Name one in /zone, and make a protocol for each other one (${NOT_FOR}).`,
      ],
    },
    { fault: 'bounds', found: '0.9', what: '0.1' },
    'Correct the draft, and freeze that.',
  ),
  'series-policy': error(
    {
      log: [
        'a logarithm needs values above 0, and the minimum of a forecast is {found}',
        'Raise /forecast/minimum above 0 where no value can be lower; where values can be 0, take the transform log_shift with an offset.',
      ],
      'log-shift': [
        'ln(x + {bound}) is not defined on all values: the minimum of a forecast is {found}',
        'Give a minimum that is above 0 with the offset added, or a larger offset.',
      ],
      sqrt: [
        'a root needs values of at least 0, and the minimum of a forecast is {found}',
        'Give a minimum of 0 or more where no value can be lower; where values can be negative, take no transform.',
      ],
      most: ['{found} is laxer than a protocol may be: at most {bound}'],
      least: ['{found} is laxer than a protocol may be: at least {bound}'],
      near: [
        'the levels {bound} and {found} are too near to each other to be told apart as numbers',
        'Keep levels at least 0.000002 apart.',
      ],
      waiting: [
        'waiting until forecasts are due is worth {found} of the loss of persistence, and 60 % is the most that leaves something to judge by',
        'Make them due earlier, or take later steps; alone, the first that would do: {bound}.',
      ],
      rises: [
        'the last {bound} values of {found} never fall, as those of a running total, and outcome.over says that a value is of the end of its period',
        'Freeze a protocol with outcome.over "period", under which a forecast is due before its period begins.',
      ],
      errors: [
        'quantiles from {found} own errors are easily beaten: at least {bound} are needed',
        'Take a longer window and a larger minimum; the further out a level is that decides, the more errors it takes.',
      ],
      many: [
        'a baseline that waits for {found} own errors is silent meanwhile: at most {bound}',
        'Lower the minimum; the window may be as long as you like.',
      ],
      pairs: [
        'of {found} pairs too few lie beyond the levels that decide: at least {bound} are needed',
        'Raise minimum_pairs, or let levels decide that are nearer to the middle.',
      ],
      standard: [
        'standard comparators are not required: {found}',
        'Every protocol requires those that can be asked. Add {bound}.',
      ],
    },
    { fault: 'most', found: '0.5', bound: '0.05' },
    'Correct the draft, and freeze that.',
  ),
  'series-periods': error(
    {
      absent: [
        'no list of periods is given',
        'Name it with --periods, or the file of the protocol, where its list lies beside it; foreproof periods makes one.',
      ],
      missing: [
        'the list of periods {found} is not there',
        'Restore it: it was frozen with the protocol.',
      ],
      differs: [
        'the list of periods has {what} {found}; the protocol says {expected}',
        'Give the list that the protocol was written for, or correct its member periods.',
      ],
      column: [
        'the list of periods has no {what} for "{found}"',
        'Fill that column for every origin and target, or name start or end as the anchor.',
      ],
      beside: [
        'the list of periods has a column {what}, and the protocol counts {what} from the {found} of each period',
        'Name column as the anchor, or leave the column out.',
      ],
      steps: ['the origin "{found}" has the step {what}, which is none of the horizons'],
      due: [
        'a forecast of "{found}" is due at {what}, later than its target "{expected}" can be known',
        'Make it due earlier: a forecast may not be younger than its outcome.',
      ],
      targets: [
        'no origin has the step {found} to a period of the list',
        'Leave the step out, or make the list longer, or give origins that step in its column steps.',
      ],
      scale: [
        'no two periods of the list lie {found} steps apart, so no series has a scale',
        'Name the number of periods in a season, such as 7 for days.',
      ],
      block: [
        'block_origins is {found}, and errors depend on each other over {expected} origins',
        'Raise it to that at least: the last horizon less the newest target that is known when a forecast is due.',
      ],
      from: [
        'the values of the series {what} are expected from "{found}" on, which is no period of the list',
        'Write the label of a period, or leave from out where they are expected from the first on.',
      ],
      settled: [
        'the value of "{found}" is settled at {what}, before it can be known at {expected}',
        'Make the lag longer, the instant later, or known earlier.',
      ],
    },
    { fault: 'due', found: '2026-W01', what: '2026-01-12T00:00:00Z', expected: '2026-W02' },
    'Make the protocol, or its list of periods, fit the other.',
  ),
  'series-not-evaluated': error(
    'this is a protocol of version 2, and this command reads version 1 alone',
    'The command foreproof lint reads both, a draft of version 2 with --periods LIST; the function lintDocuments reads version 1.',
  ),
  'version-unsafe': error(
    'the version "{version}" cannot be the name of a file',
    { version: 'a/b' },
    'Use letters, digits, dots, hyphens and underscores; begin with a letter or digit; at most 100.',
  ),
  'ledger-conflict': error(
    'the ledger has the markers of a merge conflict',
    'Run: foreproof ledger rebase. It keeps the lines of the base and puts yours behind them. Then: git add FILE',
  ),
  'ledger-time-future': error(
    {
      made: [
        `${NAMED} says that it was made at {time}, which lies in the future: the clock here says {now}`,
      ],
      moved: [
        `${NAMED} says that it came to its place at {time}, which lies in the future: the clock here says {now}`,
      ],
    },
    {
      ...{ fault: 'made', entry: 3, version: 'v3' },
      ...{ time: '2027-01-02T03:00:00Z', now: '2026-01-02T03:00:00Z' },
    },
    'A clock may be ahead by 5 minutes, no more. Set the clock that is wrong; an entry that was never merged can be made again.',
  ),
  'ledger-time-backwards': error(
    {
      made: [`${NAMED} says that it was made at {time}, before the entry above it, {before}`],
      moved: [
        `${NAMED} says that it came to its place at {time}, and that it was made no earlier, at {before}`,
        'foreproof never writes such a moved_at. Restore the ledger from version control.',
      ],
    },
    {
      ...{ fault: 'made', entry: 3, version: 'v3' },
      ...{ time: '2026-01-02T03:00:00Z', before: '2026-01-05T03:00:00Z' },
    },
    'Entries of a ledger never go back in time. A clock was wrong, or the time was made up. An entry that was never merged can be made again; entries of two branches are put in order by: foreproof ledger rebase',
  ),
  'ledger-entry-moved': note(
    `${NAMED} says that it was made at {time}, but came to its place at {placed} or later`,
    { entry: 3, version: 'v3', time: '2026-01-02T03:00:00Z', placed: '2026-01-05T03:00:00Z' },
    'The ledger shows the later time. A stamp on the entry shows when it was there.',
  ),
  'ledger-readings-gone': error(
    ({ entry, digest, count }) =>
      `entry ${entry} names ${count === 1 ? 'a reading' : `${count} readings`} of outcomes that no record beside the ledger has: ${digest}`,
    { entry: 3, digest: A_DIGEST, count: 1 },
    'A record of readings only grows. Restore access/*.jsonl beside the ledger from version control.',
  ),
  'ledger-entry-form': error(
    {
      form: ['must be {expected}'],
      empty: ['the line is empty', 'A ledger has one entry per line. Remove the empty line.'],
    },
    { fault: 'form', expected: 'a digest' },
  ),
  'ledger-entry-newer': error(
    'the entry is of a kind that this version of foreproof does not know',
    'Its place in the chain is sound. Use a newer version of foreproof.',
  ),
  'ledger-entry-void': warning(
    {
      'closed-twice': [`${NAMED} closes a registration that entry {found} already closed`],
      'closed-scored': [`${NAMED} closes a registration whose result is entry {found}`],
      'closed-before': [`${NAMED} has a result of a registration that entry {found} closed`],
      replaces: [`${NAMED} replaces {found}, which is not the first result of its registration`],
    },
    { fault: 'closed-twice', entry: 7, version: 'v3', found: '5' },
    'It counts for nothing: the first entry that ends a registration holds. foreproof does not write such an entry; a merge of two branches can make one.',
  ),
  'registration-file-gone': warning(
    '{path} is missing: entry {entry} registered it',
    { entry: 4, path: '../registrations/spring.json' },
    'Restore it from version control. Without it nobody can read what was registered.',
  ),
  'ledger-chain': error(
    {
      sequence: [
        `${NAMED} has seq {found}; {expected} is expected`,
        'An entry was removed, inserted or moved. Restore the ledger from version control.',
      ],
      link: [
        `${NAMED} does not link to the entry before it: previous is {found}, but that entry has the digest {expected}`,
        'An entry was removed, inserted, moved or edited. Restore the ledger. After a merge of two freezes, run: foreproof ledger rebase',
      ],
      digest: [
        `${NAMED} has the digest {expected}, not {found}`,
        'The entry was edited. Restore the ledger from version control.',
      ],
      followed: [
        `${NAMED} was moved, but this ledger lacks what it followed before: {found}`,
        MOVED,
      ],
      place: [`${NAMED} was moved, but it cannot have been entry {found} before`, MOVED],
      'version-twice': [
        `${NAMED} freezes a version that entry {found} already froze`,
        'A version can be frozen only once. Restore the ledger from version control.',
      ],
      'file-twice': [
        `${NAMED} names the file that entry {found} already names`,
        'Each version has a file of its own. Restore the ledger from version control.',
      ],
      'registration-twice': [
        `${NAMED} has the registration that entry {found} already has`,
        'A registration is entered once. Restore the ledger from version control.',
      ],
      supersedes: [`${NAMED} supersedes {found}, which was not frozen before it`],
      registration: [
        `${NAMED} registers an evaluation under a protocol that was not frozen before it`,
      ],
      'no-registration': [
        `${NAMED} is about a registration that was not entered before it under this protocol`,
      ],
    },
    { fault: 'link', entry: 3, version: 'v3', found: OTHER_DIGEST, expected: A_DIGEST },
  ),
  'ledger-file-missing': error(
    '{frozen} is missing: it was frozen as {version}',
    { version: 'btc-hourly-v3', frozen: 'btc-hourly-v3.json' },
    'Restore it from version control. A frozen file must not be removed.',
  ),
  'ledger-entry-missing': error(
    'this protocol is not in {ledger}',
    { ledger: 'protocols/ledger.jsonl' },
    'To freeze it, run: foreproof freeze FILE',
  ),
  'ledger-version-differs': error(
    'this is version {version}, but its file was frozen as {frozen}',
    { version: 'v3', frozen: 'v4' },
    'foreproof freeze never writes such an entry. Restore the ledger from version control.',
  ),
  'ledger-digest-differs': error(
    'the content has the digest {computed}, but it was frozen at {frozenAt} with {frozen}',
    { frozen: A_DIGEST, computed: OTHER_DIGEST, frozenAt: '2026-01-02T03:00:00Z' },
    'The document was changed and its digest was recomputed. Restore it, or freeze the change as a new version.',
  ),
}
