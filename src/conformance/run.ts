import { type RuleName, STATIC_RULES } from '../contract/conformance-rules.js'
import { ForeproofError } from '../contract/error.js'
import { finding } from '../contract/findings/finding.js'
import { STATIC_ROOT } from '../contract/limits.js'
import { addressText, webAddress } from '../remote/address.js'
import {
  type Deployment,
  folderDeployment,
  isFolder,
  openAddress,
  type Variant,
} from '../remote/deployment.js'
import { LATEST_FILE } from '../site/layout.js'
import { checkService } from './dynamic/service.js'
import { type ConformanceFinding, Judge, type Verdict } from './judge.js'
import { judgeAgainst, judgeFolder, judgeNeighbours } from './static/folder.js'
import { judgeLog } from './static/log.js'
import { judgeStatic } from './static/site.js'

export interface ConformanceResult {
  readonly variant: Variant
  readonly verdicts: readonly Verdict[]
  readonly findings: readonly ConformanceFinding[]
}

export interface CheckDeploymentOptions {
  /** An API key, sent to the host of the address alone, which is that of a service then. */
  readonly key?: string | undefined
  /** True where a service is to be judged without a key, as far as that goes; otherwise it is a finding. */
  readonly withoutKey?: boolean | undefined
  /** Look at no more pages of the history than this; a service: 25, a site: 10,000 if absent. */
  readonly pages?: number | undefined
  /** An earlier copy of the site, to see that sealed pages have stayed. */
  readonly previous?: string | undefined
  /** False for a service behind a proxy that passes on `/v1` alone: no probes, no metrics. */
  readonly probes?: boolean | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/**
 * Judges a built folder, a published site or a running service by every rule of the specification
 * that can be seen from outside. A service is asked some 180 times, within its rate limit.
 * @throws {ForeproofError} `usage` for what is neither a folder nor an address, and for a folder with a
 * key; `unavailable` when the key is not accepted; `io` when no answer comes.
 */
export async function checkDeployment(
  target: string,
  options: CheckDeploymentOptions = {},
): Promise<ConformanceResult> {
  const { key, pages, probes = true, onProgress = () => {} } = options
  if (isFolder(target)) {
    if (key !== undefined) {
      throw new ForeproofError('usage', 'a folder is no service', { help: 'Give its address.' })
    }
    return resultOf('static', await checkSite(folderDeployment(target), target, options))
  }
  if (webAddress(target) === undefined) {
    const says = `${addressText(target)}: is neither a folder nor a web address`
    throw new ForeproofError('usage', says, {
      help: 'conformance judges what serves the API of version 1, which has hourly forecasts only: give the folder of a site, or an address like https://example.org (without credentials).',
    })
  }
  const onWait = (seconds: number, why: string) => onProgress(`${why}: waiting ${seconds} s`)
  const { deployment, client } = await openAddress(target, { key, onWait })
  if (deployment.variant === 'static') {
    return resultOf('static', await checkSite(deployment, undefined, options))
  }
  const root = deployment.id
  const result = resultOf(
    'dynamic',
    await checkService({ root, client, key, pages, probes, onProgress }),
  )
  if (key !== undefined || options.withoutKey === true) return result
  const { verdicts, findings } = result
  const judged = verdicts.filter(({ outcome }) => outcome !== 'not-applicable').length
  const args = { judged, rules: verdicts.length }
  const partial = finding('conformance-without-key', args, { file: root })
  return { ...result, findings: [...findings, partial] }
}

function resultOf(variant: Variant, judge: Judge): ConformanceResult {
  return { variant, verdicts: judge.verdicts(), findings: judge.findings }
}

const ONLY_FOLDERS: readonly RuleName[] = ['checksums', 'encodings', 'build-record']

async function checkSite(
  deployment: Deployment,
  folder: string | undefined,
  { pages, previous, onProgress }: CheckDeploymentOptions,
): Promise<Judge> {
  const root = deployment.head.slice(0, deployment.head.lastIndexOf(STATIC_ROOT.slice(1)))
  const latest = root + LATEST_FILE
  const onPage = (count: number) => onProgress?.(`${count} pages`)
  const head = async () => Buffer.from((await deployment.read(deployment.head))?.bytes ?? [])
  let reached: readonly string[] = []
  const look = async () => {
    const judge = new Judge(STATIC_RULES)
    const chain = await judgeStatic(judge, { deployment, latest, pages, onPage })
    reached = chain.reached
    if (folder !== undefined) judgeFolder(judge, folder, chain)
    else if (!chain.cut) await judgeNeighbours(judge, deployment, root, chain)
    await judgeLog(judge, deployment)
    return judge
  }
  const before = folder === undefined ? await head() : undefined
  let judge = await look()
  // A site that was built anew in the middle of a look is of two builds; a folder holds still.
  if (judge.findings.length > 0 && before !== undefined && !before.equals(await head())) {
    judge = await look()
  }
  if (folder === undefined) judge.skip(ONLY_FOLDERS, 'only a folder shows which files there are')
  if (previous === undefined) {
    judge.skip(['sealed-unchanged'], 'no earlier copy was given with --previous')
  } else {
    await judgeAgainst(judge, previous, (path) => deployment.read(root + path), reached)
  }
  return judge
}
