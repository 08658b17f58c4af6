/** The sets that a task stands in: of its two agents and of the pair, each by the time that orders it. */
const setsOf = `
local function setsOf(prefix, task)
  local pair = prefix .. 'pair:' .. task.requesterId .. ':' .. task.calleeId
  return {
    { pair, task.statusAt },
    { pair .. ':context:' .. task.contextKey, task.statusAt },
    { prefix .. 'callee:' .. task.calleeId, task.updatedAt },
    { prefix .. 'requester:' .. task.requesterId, task.updatedAt },
  }
end
`;

/**
 * ARGV: prefix, expected progress, new progress, tasks as JSON, change at the new progress. Each task stands in its sets, once for
 * every state and once for its own; a newer sequence wins.
 */
export const applyScript = `
local prefix, expected, progress = ARGV[1], ARGV[2], ARGV[3]
local progressKey = prefix .. 'progress'
if (redis.call('GET', progressKey) or '0') ~= expected then return 0 end
${setsOf}
for _, task in ipairs(cjson.decode(ARGV[4])) do
  local key = prefix .. 'task:' .. task.taskId
  local known = redis.call('HMGET', key, 'sequence', 'state')
  if not known[1] or tonumber(known[1]) < task.sequence then
    for _, set in ipairs(setsOf(prefix, task)) do
      if known[2] and known[2] ~= task.state then
        redis.call('ZREM', set[1] .. ':' .. known[2], task.taskId)
      end
      redis.call('ZADD', set[1], set[2], task.taskId)
      redis.call('ZADD', set[1] .. ':' .. task.state, set[2], task.taskId)
    end
    redis.call('HSET', key, 'sequence', string.format('%d', task.sequence), 'state', task.state)
  end
end
redis.call('SET', progressKey, progress)
redis.call('SET', prefix .. 'change', ARGV[5])
return 1
`;

/** ARGV: prefix, task as JSON. Refused while the task is still to come in, since it would then stay. */
export const removeScript = `
local prefix, task = ARGV[1], cjson.decode(ARGV[2])
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < task.sequence then return 0 end
${setsOf}
for _, set in ipairs(setsOf(prefix, task)) do
  redis.call('ZREM', set[1], task.taskId)
  redis.call('ZREM', set[1] .. ':' .. task.state, task.taskId)
end
redis.call('DEL', prefix .. 'task:' .. task.taskId)
return 1
`;

/**
 * ARGV: prefix, sequence to have reached, set, lowest score, score and id of the position to go on after
 * (+inf and '' to begin), limit. Answers the size of the whole and the page as id, score, id, score …,
 * highest score first, ties by id; nothing where the index is behind.
 */
export const listScript = `
local prefix = ARGV[1]
local progress = tonumber(redis.call('GET', prefix .. 'progress') or '0')
if progress < tonumber(ARGV[2]) then return nil end
local set, lowest, score, id, limit = prefix .. ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])
local answer = { redis.call('ZCOUNT', set, lowest, '+inf') }
local offset, found = 0, 0
while found < limit do
  local chunk = redis.call('ZREVRANGEBYSCORE', set, score, lowest, 'WITHSCORES', 'LIMIT', offset, limit)
  if #chunk == 0 then break end
  for at = 1, #chunk, 2 do
    local isPast = score == '+inf' or chunk[at + 1] ~= score or chunk[at] < id
    if isPast and found < limit then
      found = found + 1
      answer[#answer + 1] = chunk[at]
      answer[#answer + 1] = chunk[at + 1]
    end
  end
  offset = offset + limit
end
return answer
`;
