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
    for _, agentId in ipairs(change.memberIds) do
      redis.call('ZADD', prefix .. 'agent:' .. agentId, change.at, change.chatId)
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
 * ARGV: prefix, sequence to have reached, set, order, lowest revision, highest revision, limit. Answers
 * revision, sequence, revision, sequence …; nothing where the index is behind.
 */
export const pageScript = `
local prefix = ARGV[1]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
local set, lowest, highest, limit = prefix .. ARGV[3], ARGV[5], ARGV[6], ARGV[7]
if ARGV[4] == 'asc' then
  return redis.call('ZRANGEBYSCORE', set, lowest, highest, 'WITHSCORES', 'LIMIT', 0, limit)
end
return redis.call('ZREVRANGEBYSCORE', set, highest, lowest, 'WITHSCORES', 'LIMIT', 0, limit)
`;

/** ARGV: prefix, sequence to have reached, message id. Answers its chat and sequence, or an empty text. */
export const findMessageScript = `
local prefix = ARGV[1]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
return redis.call('GET', prefix .. 'message:' .. ARGV[3]) or ''
`;
