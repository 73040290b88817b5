/** The server's clock: microseconds of Unix time. */
export const SERVER_CLOCK = `local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]`

/**
 * The sliding-window log of one key in Redis: a list of the instants (microseconds) of admitted requests, oldest
 * first, never more of them than its limit. `SlidingWindow` beside it says what it does, and why.
 * KEYS: the list. ARGV: limit, length of the window in microseconds. Returns the places that were free, and
 * microseconds until the first that is taken comes free.
 * @param clock - sets `clock`.
 */
export function takeScript(clock = SERVER_CLOCK): string {
  return `local log, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
${clock}
local now = clock
local count = redis.call('LLEN', log)
local function at(index)
  local instant = tonumber(redis.call('LINDEX', log, index))
  assert(instant, 'WRONGTYPE not a list of instants')
  return instant
end
local function gone(index)
  return at(index) + window <= now
end
if count > 0 then
  -- A clock that was set back does not move; by more than a window, and nothing is known of the last one.
  now = math.max(clock, at(-1))
  if now - clock > window then
    redis.call('DEL', log)
    count = 0
    now = clock
  end
end
if count > 0 and gone(0) then
  local first, last = 1, count
  while first < last do
    local middle = math.floor((first + last) / 2)
    if gone(middle) then first = middle + 1 else last = middle end
  end
  redis.call('LTRIM', log, first, -1)
  count = count - first
end
local free = limit - count
if free > 0 then
  redis.call('RPUSH', log, string.format('%.0f', now))
  redis.call('PEXPIRE', log, math.ceil((now - clock + window) / 1000))
end
return { free, at(math.max(0, -free)) + window - now }`
}
