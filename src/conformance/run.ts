import { DYNAMIC_RULES, type RuleName, STATIC_RULES } from '../contract/conformance-rules.js'
import { ForeproofError } from '../contract/error.js'
import { STATIC_ROOT } from '../contract/openapi/static.js'
import type { Client } from '../remote/client.js'
import {
  type Deployment,
  folderDeployment,
  isFolder,
  openAddress,
  type Variant,
} from '../remote/deployment.js'
import { LATEST_FILE } from '../site/layout.js'
import { judgeAccept, judgeGeneral, judgeHealth, judgeProbes } from './dynamic-general.js'
import {
  judgeCursors,
  judgeFilters,
  judgeLatest,
  judgeParameters,
  judgeWalk,
} from './dynamic-history.js'
import { judgeAgainst, judgeFolder } from './folder.js'
import { type ConformanceFinding, Judge, type Verdict } from './judge.js'
import { createServiceClient } from './service-client.js'
import { judgeStatic } from './static.js'

export interface ConformanceResult {
  readonly variant: Variant
  readonly verdicts: readonly Verdict[]
  readonly findings: readonly ConformanceFinding[]
}

export interface ConformanceOptions {
  /** Look at no more pages of the history than this. */
  readonly pages?: number | undefined
  /** An earlier copy of the site, to see that sealed pages have stayed. */
  readonly previous?: string | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

export interface CheckDeploymentOptions extends ConformanceOptions {
  /** What an address is; found out if not given, but an address with a key is a service. */
  readonly variant?: Variant | undefined
  /** An API key, sent to the host of the address alone. */
  readonly key?: string | undefined
}

/**
 * Judges a built folder, a published site or a running service by every rule of the specification
 * that can be seen from outside. A service is asked some hundred times, within its rate limit.
 * @throws {ForeproofError} `usage` for what is neither a folder nor an address, and for a folder with a
 * key; `refused` when the key is not accepted; `io` when nobody answers.
 */
export async function checkDeployment(
  target: string,
  options: CheckDeploymentOptions = {},
): Promise<ConformanceResult> {
  const { key, variant } = options
  if (isFolder(target)) {
    if (key !== undefined || variant === 'dynamic') {
      throw new ForeproofError('usage', 'a folder is no service', { help: 'Give its address.' })
    }
    return checkSite(folderDeployment(target), target, options)
  }
  const onWait = (seconds: number, why: string) =>
    options.onProgress?.(`${why}: waiting ${seconds} s`)
  const { deployment, client } = await openAddress(target, { variant, key, onWait })
  return deployment.variant === 'dynamic'
    ? checkService(deployment.id, client, key, options)
    : checkSite(deployment, undefined, options)
}

const ONLY_FOLDERS: readonly RuleName[] = ['pages-reachable', 'checksums', 'encodings']

function resultOf(variant: Variant, judge: Judge): ConformanceResult {
  return { variant, verdicts: judge.verdicts(), findings: judge.findings }
}

async function checkSite(
  deployment: Deployment,
  folder: string | undefined,
  { pages, previous, onProgress }: ConformanceOptions,
): Promise<ConformanceResult> {
  const judge = new Judge(STATIC_RULES)
  const root = deployment.head.slice(0, deployment.head.lastIndexOf(STATIC_ROOT.slice(1)))
  const latest = root + LATEST_FILE
  const onPage = (count: number) => onProgress?.(`${count} pages`)
  const reached = await judgeStatic(judge, { deployment, latest, pages, onPage })
  if (folder === undefined) judge.skip(ONLY_FOLDERS, 'only a folder shows which files there are')
  else if (pages === undefined) judgeFolder(judge, folder, reached)
  if (previous === undefined) {
    judge.skip(['sealed-unchanged'], 'no earlier copy was given with --previous')
  } else {
    await judgeAgainst(judge, previous, (path) => deployment.read(root + path))
  }
  return resultOf('static', judge)
}

const PAGES = 25

/**
 * Judges a running service. Without a key, only what comes before the key can be seen.
 * @throws {ForeproofError} `refused` when the key is not accepted, `io` when nobody answers.
 */
async function checkService(
  root: string,
  client: Client,
  key: string | undefined,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const judge = new Judge(DYNAMIC_RULES)
  const onWait = (seconds: number) => options.onProgress?.(`rate limit: waiting ${seconds} s`)
  const service = createServiceClient(judge, client, root, key, onWait)
  if (key !== undefined) {
    const { status } = await service.call({ path: '/v1/health' })
    if (status === 401) {
      throw new ForeproofError('refused', `${root}: does not accept this key`, {
        help: 'Check the variable that --key-env names.',
      })
    }
  }
  options.onProgress?.('requests in general')
  await judgeGeneral(service)
  if (key === undefined) {
    await judgeProbes(judge, service, undefined)
    judge.skip(DYNAMIC_RULES, 'no key was given with --key-env')
    return resultOf('dynamic', judge)
  }
  await judgeProbes(judge, service, await judgeHealth(judge, service))
  await judgeAccept(judge, service)
  options.onProgress?.('forecasts')
  const first = await judgeLatest(judge, service)
  await judgeParameters(judge, service)
  const [sample] = first?.rows ?? []
  if (sample !== undefined) {
    await judgeFilters(judge, service, sample)
    await judgeCursors(judge, service, sample.model.name)
  }
  await judgeWalk(judge, service, options.pages ?? PAGES, (count) =>
    options.onProgress?.(`${count} pages`),
  )
  judge.skip(['rate-limited'], 'the limit was not met')
  return resultOf('dynamic', judge)
}
