import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const DIGEST = '^[0-9a-f]{64}$'

const TIMESTAMP_FAULTS: Readonly<Record<string, string>> = {
  syntax: 'is no RFC 3339 timestamp, like 2026-01-02T03:00:00+00:00',
  'offset-missing': 'lacks an offset from UTC: end it with Z or +00:00',
  'space-for-plus': 'has a space where its offset needs a plus sign (%2B in a URL)',
  calendar: 'names a date or time of day that does not exist',
  'leap-second': 'names a leap second, which has no instant of its own',
  precision: 'is finer than a microsecond',
  range: 'lies outside the years that can be represented',
}

function list(values: unknown, joint: string): string {
  const texts = [values].flat().map(String)
  return texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')} ${joint} ${texts.at(-1)}`
}

function limit(than: string, args: Args, orEqual: string): { text: string } {
  const bound = args.exclusive ? `${than} than ${args.limit}` : `${orEqual} ${args.limit}`
  return { text: `must be ${bound}; found ${args.found}` }
}

/** Messages of what the contract's schemas and rules find. */
export const contractMessages: MessageTable = {
  'unknown-key': ({ key, nearest }) => ({
    text: `unknown key ${JSON.stringify(key)}`,
    help: nearest === null ? 'Remove it.' : `Did you mean ${JSON.stringify(nearest)}?`,
  }),
  'missing-key': ({ key }) => ({ text: `the key ${JSON.stringify(key)} is missing` }),
  'wrong-type': ({ expected, found }) => ({
    text: `must be of type ${list(expected, 'or')}; found ${found}`,
  }),
  'wrong-value': ({ expected, found }) => ({ text: `must be ${expected}; found ${found}` }),
  'value-not-allowed': ({ expected, found }) => ({
    text: `must be one of ${list(expected, 'or')}; found ${found}`,
  }),
  'empty-text': () => ({ text: 'must not be empty' }),
  'malformed-text': ({ pattern, found }) => ({
    text:
      pattern === DIGEST
        ? `must be 64 lowercase hexadecimal digits; found ${found}`
        : `must match ${pattern}; found ${found}`,
  }),
  'too-small': (args) => limit('greater', args, 'at least'),
  'too-large': (args) => limit('less', args, 'at most'),
  'too-few-items': (args) => ({ text: `needs at least ${args.limit} items; has ${args.found}` }),
  'too-many-items': (args) => ({ text: `allows at most ${args.limit} items; has ${args.found}` }),
  'repeated-item': ({ found, first }) => ({ text: `${found} is already at ${first}` }),
  'invalid-timestamp': ({ fault, found }) => ({
    text: `the timestamp ${found} ${TIMESTAMP_FAULTS[String(fault)] ?? 'is invalid'}`,
  }),
  'forecast-id-mismatch': ({ expected, found }) => ({
    text: `must be origin_at, model.name and horizon_hours joined by colons, ${JSON.stringify(expected)}; found ${JSON.stringify(found)}`,
  }),
  'history-key-mismatch': ({ expected, found }) => ({
    text: `must name the same row as the forecast, ${expected}; found ${found}`,
  }),
  'target-mismatch': ({ horizon, found }) => ({
    text: `must be ${horizon} hours after the origin; is ${found} hours after it`,
  }),
  'interval-disordered': ({ lower, median, upper }) => ({
    text: `the bounds must ascend; found ${lower}, ${median}, ${upper}`,
  }),
  'interval-partly-null': ({ absent }) => ({
    text: `lower, median and upper must be null together or not at all; null here: ${list(absent, 'and')}`,
  }),
  'confidence-unknown-scored': ({ found }) => ({
    text: `must be 0 where the label is unknown; found ${found}`,
  }),
  'confidence-unknown-unexplained': () => ({
    text: 'must explain why no agreement was recorded, for the label is unknown',
  }),
  'manifest-absence-unexplained': () => ({
    text: 'is null and neither lineage nor the evidence says why',
    help: 'Give the reason as lineage.manifest_reason.',
  }),
  'forecasts-out-of-order': ({ found, before }) => ({
    text: `${found} may not follow ${before}: newest origin first, then horizon, then model`,
  }),
  'forecast-repeated': ({ found }) => ({ text: `${found} is on the page twice` }),
  'page-missing': () => ({
    text: 'the page before names this one as the next, and it is not there',
    help: 'A site that lies below a path of its host needs publish --base-url.',
  }),
  'attempts-unreadable': () => ({
    text: 'does not list files of recorded attempts as foreproof publish does',
  }),
  'attempts-unavailable': () => ({
    text: 'cannot be had: whether failures and abstentions were recorded there is not known',
    help: 'Without them, what failed counts as missing. Is the whole site published?',
  }),
  'attempts-misplaced': () => ({ text: 'this attempt belongs into the file of another month' }),
  'attempts-changed': () => ({
    text: 'is missing or is not the file that the list of attempts names',
    help: 'Run again; a build may have come in between.',
  }),
  'page-too-long': ({ limit: most, found }) => ({
    text: `holds ${found} forecasts, more than the ${most} it states as its size`,
  }),
}
