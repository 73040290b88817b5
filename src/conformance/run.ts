import { DYNAMIC_RULES, type RuleName, STATIC_RULES } from '../contract/conformance-rules.js'
import { ForeproofError } from '../contract/error.js'
import { STATIC_ROOT } from '../contract/openapi/static.js'
import { type Client, createClient } from '../remote/client.js'
import {
  type Deployment,
  deploymentAt,
  folderDeployment,
  isFolder,
  readAddress,
  rootOf,
  staticDeployment,
  type Variant,
} from '../remote/deployment.js'
import { createCaller } from './caller.js'
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
import { judgeStatic, LATEST_PATH } from './static.js'

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
    return checkFolder(target, options)
  }
  const base = readAddress(target)
  const onWait = (seconds: number, why: string) =>
    options.onProgress?.(`${why}: waiting ${seconds} s`)
  const client = createClient({ key, keyOrigin: base.origin, onWait })
  const wanted = variant ?? (key === undefined ? undefined : 'dynamic')
  const found = wanted ?? (await deploymentAt(base, client, undefined)).variant
  return found === 'dynamic'
    ? checkService(base, client, key, options)
    : checkSiteAt(base, client, options)
}

const ONLY_FOLDERS: readonly RuleName[] = ['pages-reachable', 'checksums', 'encodings']

function reportOf(variant: Variant, judge: Judge): ConformanceResult {
  return { variant, verdicts: judge.verdicts(), findings: judge.findings }
}

/** Judges a built site on disk. */
export async function checkFolder(
  folder: string,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  return judgeSite(folderDeployment(folder), LATEST_PATH, options, (judge, reached) => {
    if (options.pages === undefined) judgeFolder(judge, folder, reached)
  })
}

/** Judges a published static site. */
export async function checkSiteAt(
  base: URL,
  client: Client,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const deployment = staticDeployment(base, client)
  const latest = `${deployment.id}/${LATEST_PATH}`
  return judgeSite(deployment, latest, options, (judge) =>
    judge.skip(ONLY_FOLDERS, 'only a folder shows which files there are'),
  )
}

async function judgeSite(
  deployment: Deployment,
  latest: string,
  { pages, previous, onProgress }: ConformanceOptions,
  more: (judge: Judge, reached: readonly string[]) => void,
): Promise<ConformanceResult> {
  const judge = new Judge(STATIC_RULES)
  const onPage = (count: number) => onProgress?.(`${count} pages`)
  const reached = await judgeStatic(judge, { deployment, latest, pages, onPage })
  more(judge, reached)
  if (previous === undefined) {
    judge.skip(['sealed-unchanged'], 'no earlier copy was given with --previous')
  } else {
    const root = deployment.head.slice(0, deployment.head.lastIndexOf(STATIC_ROOT.slice(1)))
    await judgeAgainst(judge, previous, (path) => deployment.read(root + path))
  }
  return reportOf('static', judge)
}

const PAGES = 25

/**
 * Judges a running service. Without a key, only what comes before the key can be seen.
 * @throws {ForeproofError} `refused` when the key is not accepted, `io` when nobody answers.
 */
export async function checkService(
  base: URL,
  client: Client,
  key: string | undefined,
  options: ConformanceOptions = {},
): Promise<ConformanceResult> {
  const judge = new Judge(DYNAMIC_RULES)
  const root = rootOf(base)
  const onWait = (seconds: number) => options.onProgress?.(`rate limit: waiting ${seconds} s`)
  const caller = createCaller(judge, client, root, key, onWait)
  if (key !== undefined) {
    const { status } = await caller.call({ path: '/v1/health' })
    if (status === 401) {
      throw new ForeproofError('refused', `${root}: does not accept this key`, {
        help: 'Check the variable that --key-env names.',
      })
    }
  }
  options.onProgress?.('requests in general')
  await judgeGeneral(caller)
  if (key === undefined) {
    await judgeProbes(judge, caller, undefined)
    judge.skip(DYNAMIC_RULES, 'no key was given with --key-env')
    return reportOf('dynamic', judge)
  }
  await judgeProbes(judge, caller, await judgeHealth(judge, caller))
  await judgeAccept(judge, caller)
  options.onProgress?.('forecasts')
  const first = await judgeLatest(judge, caller)
  await judgeParameters(judge, caller)
  const [sample] = first?.rows ?? []
  if (sample !== undefined) {
    await judgeFilters(judge, caller, sample)
    await judgeCursors(judge, caller, sample.model.name)
  }
  await judgeWalk(judge, caller, options.pages ?? PAGES, (count) =>
    options.onProgress?.(`${count} pages`),
  )
  judge.skip(['rate-limited'], 'the limit was not met')
  return reportOf('dynamic', judge)
}
