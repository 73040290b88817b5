import { ln } from '../contract/logarithm.js'

/**
 * Log return of a price against the price at the origin, the scale on which scores are computed.
 *
 * ln(price / base), unitless; 0.01 is about one per cent. Both prices in USD, finite and positive;
 * NaN where either is NaN.
 */
export function logReturn(price: number, base: number): number {
  return ln(price / base)
}
