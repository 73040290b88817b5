import type { ExitCode } from '../../contract/error.js'
import { parseSetting, SETTINGS } from '../../service/config/settings.js'
import { checkSite } from '../../site/check.js'
import { parseBaseUrl } from '../../site/layout.js'
import { planPublish, publishSite } from '../../site/publish.js'
import { planWords, resultWords } from '../../site/words.js'
import { bucketUrl } from '../../site/writer/open.js'
import type { HistoryReader } from '../../store/history-reader.js'
import { assertHourly, openHistory } from '../../store/open.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { FORMAT, flag, HISTORY_OPTION, needed, text } from '../options.js'
import { describeVerifier } from '../page-file.js'
import { watched } from '../work.js'

const options = {
  format: FORMAT,
  history: HISTORY_OPTION,
  out: needed(
    'Path of the site (a symbolic link to the latest complete build), or s3://bucket/prefix',
  ),
  endpoint: text('Address of the store for s3://, where it is not Amazon’s'),
  'base-url': text('Address of the site; makes next_url absolute'),
  'in-place': flag('Build into a plain folder, for hosts that do not follow links'),
  witnesses: text(
    'Policy file of the witnesses of the log: the page says whether their quorum saw it',
  ),
  full: flag('Write every page again, including sealed ones'),
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
    await assertHourly(args.history, 'publish')
    const reader = openHistory(args.history)
    try {
      // Report a missing history before creating anything for the site.
      await reader.version()
      return args.check ? await check(args, context, reader) : await build(args, context, reader)
    } finally {
      await reader.close()
    }
  },
})

async function check(
  { out, endpoint }: Arguments,
  context: Context,
  reader: HistoryReader,
): Promise<ExitCode> {
  const { findings, files, record } = await checkSite(out, reader, { endpoint, env: context.env })
  return context.report({
    findings,
    figures: { files, forecasts: record?.forecasts ?? null, built_at: record?.built_at ?? null },
    checked: [out],
    headline: `${out}: ${files} files checked`,
  })
}

async function build(args: Arguments, context: Context, reader: HistoryReader): Promise<ExitCode> {
  const { out } = args
  const { variable, default: fallback } = SETTINGS.staleAfterSeconds
  const staleAfter = context.env[variable] || fallback
  const plans = {
    reader,
    out,
    endpoint: args.endpoint,
    env: context.env,
    baseUrl: parseBaseUrl(args['base-url']),
    inPlace: args['in-place'],
    full: args.full,
    witnesses: args.witnesses,
    verifier: describeVerifier(),
    staleAfterSeconds: Number(parseSetting(SETTINGS.staleAfterSeconds, staleAfter, variable)),
    now: context.now(),
  }
  if (args['dry-run']) {
    const plan = await planPublish(plans)
    return context.report({
      findings: [],
      figures: { plan },
      headline: `${out} (nothing was written)`,
      body: planWords(plan, bucketUrl(plans) !== undefined),
    })
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
  return context.report({
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
