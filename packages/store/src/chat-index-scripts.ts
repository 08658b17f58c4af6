/**
 * ARGV: prefix, expected progress, new progress, changes as JSON, change at the new progress. Messages stand in their chat and thread by
 * revision, chats in their members' lists by time.
 */
export const applyChatsScript = `
local prefix, expected, progress = ARGV[1], ARGV[2], ARGV[3]
local progressKey = prefix .. 'progress'
if (redis.call('GET', progressKey) or '0') ~= expected then return 0 end
for _, change in ipairs(cjson.decode(ARGV[4])) do
  local sequence = string.format('%d', change.sequence)
  if change.messageId then
    redis.call('ZADD', prefix .. 'chat:' .. change.chatId, change.revision, sequence)
    redis.call('SET', prefix .. 'message:' .. change.messageId, change.chatId .. ' ' .. sequence)
    local isKept = {}
    for _, agentId in ipairs(change.keptFrom or {}) do
      isKept[agentId] = true
      redis.call('SADD', prefix .. 'hidden:' .. change.chatId .. ':' .. agentId, sequence)
    end
    for _, agentId in ipairs(change.memberIds) do
      if not isKept[agentId] then
        redis.call('ZADD', prefix .. 'agent:' .. agentId, change.at, change.chatId)
      end
    end
  end
  if change.threadId then
    redis.call('ZADD', prefix .. 'thread:' .. change.threadId, change.revision, sequence)
  end
  if change.goneId then
    redis.call('ZREM', prefix .. 'agent:' .. change.goneId, change.chatId)
  end
  if change.reader then
    local key = prefix .. 'reads:' .. change.chatId .. ':' .. change.reader.agentId
    redis.call('ZADD', key, change.reader.through, change.reader.through .. ' ' .. change.at)
  end
end
redis.call('SET', progressKey, progress)
redis.call('SET', prefix .. 'change', ARGV[5])
return 1
`;

/**
 * ARGV: prefix, sequence to have reached, set, order, lowest revision, highest revision, limit, set of the
 * sequences to leave out. Answers sequence, revision, sequence, revision …; nothing where the index is
 * behind.
 */
export const pageScript = `
local prefix = ARGV[1]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
local set, hidden, isRising = prefix .. ARGV[3], prefix .. ARGV[8], ARGV[4] == 'asc'
local lowest, highest, limit = ARGV[5], ARGV[6], tonumber(ARGV[7])
local answer = {}
while #answer < 2 * limit do
  local chunk = isRising
    and redis.call('ZRANGEBYSCORE', set, lowest, highest, 'WITHSCORES', 'LIMIT', 0, limit)
    or redis.call('ZREVRANGEBYSCORE', set, highest, lowest, 'WITHSCORES', 'LIMIT', 0, limit)
  if #chunk == 0 then break end
  for at = 1, #chunk, 2 do
    if #answer < 2 * limit and redis.call('SISMEMBER', hidden, chunk[at]) == 0 then
      answer[#answer + 1] = chunk[at]
      answer[#answer + 1] = chunk[at + 1]
    end
  end
  if isRising then lowest = '(' .. chunk[#chunk] else highest = '(' .. chunk[#chunk] end
end
return answer
`;

/** ARGV: prefix, sequence to have reached, message id. Answers its chat and sequence, or an empty text. */
export const findMessageScript = `
local prefix = ARGV[1]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
return redis.call('GET', prefix .. 'message:' .. ARGV[3]) or ''
`;
