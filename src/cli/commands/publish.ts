import { EXIT, type ExitCode, ForeproofError } from '../../contract/error.js'
import { LIMITS } from '../../contract/limits.js'
import { printableJson, printableLines } from '../../contract/printable.js'
import { printReport } from '../../output/print.js'
import { checkSite } from '../../site/check.js'
import { readBaseUrl } from '../../site/layout.js'
import { planPublish, publishSite } from '../../site/publish.js'
import { planWords, resultWords } from '../../site/words.js'
import { bucketUrl } from '../../site/writer/open.js'
import { demandHourly, openHistory } from '../../store/open.js'
import type { HistoryReader } from '../../store/types.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { FORMAT, flag, HISTORY_OPTION, historyPath, needed, text, unlessNo } from '../options.js'
import { verifier } from '../page-file.js'
import { watched } from '../work.js'

const STALE_AFTER = 'BTC_FORECAST_API_STALE_AFTER_SECONDS'

const options = {
  format: FORMAT,
  history: HISTORY_OPTION,
  out: needed(
    'Path of the site, a symbolic link that is moved to each complete build; or s3://bucket/prefix',
  ),
  endpoint: text('Address of the store for s3://, where it is not Amazon’s'),
  'base-url': text('Address of the site; makes next_url absolute'),
  'in-place': flag('Build into a plain folder, for hosts that do not follow links'),
  'stale-after': text(
    `Seconds after which a forecast is stale (${STALE_AFTER}, else ${LIMITS.staleAfterSeconds})`,
  ),
  witnesses: text(
    'Policy file of the witnesses of the log: the page says whether their quorum saw it',
  ),
  full: flag('Write every page again, including sealed ones'),
  attempts: unlessNo(
    'Publish the recorded failures and abstentions as well; --no-attempts leaves them out',
  ),
  check: flag('Build nothing; say whether the site is current and intact'),
  'dry-run': flag('Build nothing; print the plan'),
}

type Arguments = ArgumentsOf<typeof options>

export default command({
  examples: {
    'foreproof publish --out site': 'Build the site, or write what is new',
    'foreproof publish --out site --base-url https://example.org/btc': 'With absolute next_url',
    'foreproof publish --out site --dry-run': 'What a build would do',
    'foreproof publish --out site --check': 'Whether the site is current and intact',
    'foreproof publish --out s3://bucket/btc':
      'Upload what is new; keys are in AWS_ACCESS_KEY_ID …',
    'foreproof publish --out s3://bucket --endpoint https://storage.example.org':
      'To another store than Amazon’s',
  },
  options,
  run: async (args, context) => {
    const path = historyPath(args.history, context.env)
    await demandHourly(path, 'publish')
    const reader = openHistory(path)
    try {
      await demandHistory(reader)
      return args.check ? await check(args, context, reader) : await build(args, context, reader)
    } finally {
      await reader.close()
    }
  },
})

/** A missing history is reported before anything is made for the site; only its store knows whether it is there. */
async function demandHistory(reader: HistoryReader): Promise<void> {
  try {
    await reader.version()
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code !== 'not-found') throw cause
    throw new ForeproofError('not-found', cause.message, {
      help: 'Name the forecast history with --history.',
    })
  }
}

async function check(
  { out, endpoint, format }: Arguments,
  context: Context,
  reader: HistoryReader,
): Promise<ExitCode> {
  const { findings, files, record } = await checkSite(out, reader, { endpoint, env: context.env })
  return printReport(context, format, {
    findings,
    figures: { files, forecasts: record?.forecasts ?? null, built_at: record?.built_at ?? null },
    checked: [out],
    headline: `${out}: ${files} files checked`,
  })
}

async function build(args: Arguments, context: Context, reader: HistoryReader): Promise<ExitCode> {
  const { out, format } = args
  if (format !== 'text' && format !== 'json') {
    throw new ForeproofError('usage', `--format ${format} needs --check`, {
      help: 'Without --check, the format is text or json.',
    })
  }
  const plans = {
    reader,
    out,
    endpoint: args.endpoint,
    env: context.env,
    baseUrl: readBaseUrl(args['base-url']),
    inPlace: args['in-place'],
    full: args.full,
    witnesses: args.witnesses,
    withoutAttempts: !args.attempts,
    verifier: verifier(),
    staleAfterSeconds: staleAfter(args['stale-after'], context.env),
    now: context.now(),
  }
  if (args['dry-run']) {
    const plan = await planPublish(plans)
    const json = () => `${printableJson({ ok: true, plan })}\n`
    const words = planWords(plan, bucketUrl(plans) !== undefined)
    context.stdout.write(format === 'json' ? json() : printableLines(words))
    return EXIT.holds
  }
  const left = plans.inPlace
    ? 'The site may be a part of the new one; the next build makes it whole.'
    : 'The site is as it was.'
  const { plan, record, findings } = await watched(context, left, (signal, show) =>
    publishSite({
      ...plans,
      signal,
      onProgress: (page, of) => show(`page ${page} of ${of}`),
      onUpload: (done, of) => show(`object ${done} of ${of}`),
    }),
  )
  const { changed, ...figures } = record
  const url = bucketUrl(plans)
  return printReport(context, format, {
    findings,
    figures: {
      plan,
      build: { ...figures, files: changed.length, ...(url !== undefined && { url }) },
    },
    checked: [out],
    headline: out,
    body: resultWords(out, plan, record, url),
  })
}

function staleAfter(given: string | undefined, env: Context['env']): number {
  const [name, text] =
    given === undefined ? [STALE_AFTER, env[STALE_AFTER]] : ['--stale-after', given]
  if (text === undefined || text === '') return LIMITS.staleAfterSeconds
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : 0
  if (seconds > 0) return seconds
  throw new ForeproofError('usage', `${name}: ${JSON.stringify(text)} is not a number of seconds`, {
    help: 'A positive whole number is needed.',
  })
}
