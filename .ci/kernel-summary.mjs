// Passes over the statistics of one test, a double per replicate, NaN where a replicate drew no
// pair. Sums are taken in the order of replicates.
import { advance } from './kernel-shapes.mjs'

/** Does something to each of `count` doubles, in $x. */
const forEach = (body) => `(loop $next
  (local.set $x (f64.load (local.get $from)))
  ${advance('from', 8)}
  ${body}
  (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))`

const add = (name, value) => `(local.set $${name} (f64.add (local.get $${name}) ${value}))`
const increase = (name, flag) => `(local.set $${name} (i32.add (local.get $${name}) ${flag}))`
const where = (name, comparison) => `(local.set $${name}
  (select (local.get $x) (local.get $${name}) (f64.${comparison} (local.get $x) (local.get $${name}))))`
const zero = '(f64.const 0)'

/** moments: at $out sum, least, greatest; then how many are there, at most 0, at least 0. */
const moments = `(func (export "moments") (param $from i32) (param $count i32) (param $out i32)
  (local $x f64) (local $sum f64) (local $least f64) (local $greatest f64)
  (local $filled i32) (local $below i32) (local $above i32)
  (local.set $least (f64.const inf))
  (local.set $greatest (f64.const -inf))
  ${forEach(`(if (f64.eq (local.get $x) (local.get $x)) (then
    ${add('sum', '(local.get $x)')}
    ${where('least', 'lt')}
    ${where('greatest', 'gt')}
    ${increase('filled', '(i32.const 1)')}
    ${increase('below', `(f64.le (local.get $x) ${zero})`)}
    ${increase('above', `(f64.ge (local.get $x) ${zero})`)}))`)}
  (f64.store (local.get $out) (local.get $sum))
  (f64.store offset=8 (local.get $out) (local.get $least))
  (f64.store offset=16 (local.get $out) (local.get $greatest))
  (i32.store offset=24 (local.get $out) (local.get $filled))
  (i32.store offset=28 (local.get $out) (local.get $below))
  (i32.store offset=32 (local.get $out) (local.get $above)))`

/** squares: the sum of squared distances from the mean. */
const squares = `(func (export "squares")
  (param $from i32) (param $count i32) (param $mean f64) (result f64) (local $x f64) (local $sum f64)
  ${forEach(`(local.set $x (f64.sub (local.get $x) (local.get $mean)))
    (if (f64.eq (local.get $x) (local.get $x))
      (then ${add('sum', '(f64.mul (local.get $x) (local.get $x))')}))`)}
  (local.get $sum))`

/**
 * outside: copies what is at most $low to $below and what is at least $high to $above, and writes
 * both numbers of values to $out. Ends early when either is more than `room`; one value more than
 * that is written then, and a value that is not wanted lies where the next one goes.
 */
const collect = (name, comparison, limit) => `
  (f64.store (local.get $${name}) (local.get $x))
  (local.set $${name} (i32.add (local.get $${name})
    (i32.shl (f64.${comparison} (local.get $x) (local.get $${limit})) (i32.const 3))))`
const outside = `(func (export "outside")
  (param $from i32) (param $count i32) (param $low f64) (param $high f64) (param $room i32)
  (param $below i32) (param $above i32) (param $out i32)
  (local $x f64) (local $belowFirst i32) (local $aboveFirst i32)
  (local.set $belowFirst (local.get $below))
  (local.set $aboveFirst (local.get $above))
  (block $full
    ${forEach(`
      ${collect('below', 'le', 'low')}
      ${collect('above', 'ge', 'high')}
      (br_if $full (i32.gt_u (i32.sub (local.get $below) (local.get $belowFirst))
        (i32.shl (local.get $room) (i32.const 3))))
      (br_if $full (i32.gt_u (i32.sub (local.get $above) (local.get $aboveFirst))
        (i32.shl (local.get $room) (i32.const 3))))`)})
  (i32.store (local.get $out)
    (i32.shr_u (i32.sub (local.get $below) (local.get $belowFirst)) (i32.const 3)))
  (i32.store offset=4 (local.get $out)
    (i32.shr_u (i32.sub (local.get $above) (local.get $aboveFirst)) (i32.const 3))))`

export const summaries = () => [moments, squares, outside].join('\n')
