/** The first versions of Node that can use a proxy of the environment for every request; those before 22 never can. */
const SINCE: Readonly<Record<number, number>> = { 22: 21, 24: 5 }

/**
 * What to do where an address cannot be reached. Where the environment names a proxy, that is the likeliest cause: Node
 * uses none by itself.
 * @param fallbackHelp - what there is to do besides.
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
