/**
 * ARGV: windows as JSON. Counts a message in all of them, or in none where one has no room. Each window is a
 * list of the times of its last messages, newest first and no longer than its limit: the last one tells.
 * Answers the place of the window without room and the milliseconds to wait, or nothing.
 */
export const countScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local counting, full, wait = {}, nil, 0
for place, window in ipairs(cjson.decode(ARGV[1])) do
  local turnKey = window.key .. ':turn'
  if not window.turnOf or redis.call('GET', turnKey) ~= window.turnOf then
    counting[#counting + 1] = window
    local oldest = redis.call('LINDEX', window.key, window.limit - 1)
    local left = oldest and oldest + window.milliseconds - now or 0
    if left > wait then full, wait = place, left end
  end
end
if full then return { full - 1, wait } end
for _, window in ipairs(counting) do
  redis.call('LPUSH', window.key, string.format('%d', now))
  redis.call('LTRIM', window.key, 0, window.limit - 1)
  redis.call('PEXPIRE', window.key, window.milliseconds)
  if window.turnOf then
    redis.call('SET', window.key .. ':turn', window.turnOf, 'PX', window.milliseconds)
  end
end
return nil
`;
