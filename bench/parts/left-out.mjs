// What whoever makes the outcomes of a made evaluation leaves out.

/** None, as chance has it, or as hurts the judgement most. */
export const GAPS = ['none', '1 % by chance', 'worst 1 %', 'worst 2 %']

/**
 * @param gaps - one of GAPS. @param end - whether the worst of the candidate is left out, or its best.
 * @param sums - of its differences, by outcome; NaN where there is none to leave out.
 * @returns 1 for every outcome that is missing
 */
export function leftOut(gaps, end, sums, random) {
  if (gaps === 'none') return new Uint8Array(sums.length)
  const share = Number.parseInt(gaps.replace('worst ', ''), 10) / 100
  if (!gaps.startsWith('worst')) return Uint8Array.from(sums, () => random.uniform() < share)
  const missing = new Uint8Array(sums.length)
  const sign = end === 'worst' ? -1 : 1
  const order = Array.from(sums.keys()).filter((at) => !Number.isNaN(sums[at]))
  order.sort((a, b) => sign * (sums[a] - sums[b]))
  for (const at of order.slice(0, Math.floor(share * order.length))) missing[at] = 1
  return missing
}
