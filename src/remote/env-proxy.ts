/**
 * The first minor version of each Node release that can use the environment's proxy for every request; Node before 22
 * cannot.
 */
const SINCE: Readonly<Record<number, number>> = { 22: 21, 24: 5 }

/**
 * What to do if an address cannot be reached. If the environment names a proxy, that is the likeliest cause, because
 * Node does not use it by default.
 * @param fallbackHelp - the advice for other causes.
 */
export function unreachableHelp(
  url: string,
  fallbackHelp: string,
  env: NodeJS.ProcessEnv = process.env,
  version = process.versions.node,
): string {
  const name = url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const variable = [name, name.toLowerCase()].find((each) => env[each])
  const isUsed = env.NODE_USE_ENV_PROXY === '1' || /--use-env-proxy\b/.test(env.NODE_OPTIONS ?? '')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isAble = SINCE[major] === undefined ? major > 24 : minor >= SINCE[major]
  if (variable === undefined || (isUsed && isAble)) return fallbackHelp
  const node = isAble ? '' : `Node 22.21, 24.5 or a later one (this is ${version}), and `
  return `${fallbackHelp} ${variable} is set and was not used: that takes ${node}NODE_USE_ENV_PROXY=1.`
}
