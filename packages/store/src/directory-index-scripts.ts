/** What lies between the parts of a member of a list. */
export const separator = '\0';

/** Added to the weight of each word of a verified agent, so that it comes first among those found by it. */
const verifiedBonus = 1_000;

/** How many agents are compared for one search, and among how many those of a category are looked for. */
const mostCandidates = 500;
const mostLookedAt = 5_000;

/**
 * ARGV: prefix, expected progress, new progress, entries as JSON, change at the new progress. A listed agent stands
 * in the lists by name and by age, once for all categories and once for its own, and every agent in the set of each of
 * its words, by its number, which takes less room than its id.
 */
export const applyDirectoryScript = `
local prefix, expected, progress = ARGV[1], ARGV[2], ARGV[3]
local progressKey = prefix .. 'progress'
if (redis.call('GET', progressKey) or '0') ~= expected then return 0 end

local function numberOf(agentId)
  local number = redis.call('HGET', prefix .. 'numbers', agentId)
  if number then return number end
  number = string.format('%d', redis.call('INCR', prefix .. 'count'))
  redis.call('HSET', prefix .. 'numbers', agentId, number)
  redis.call('HSET', prefix .. 'ids', number, agentId)
  return number
end

local function isVerified(agent)
  return agent.ownerId and redis.call('SISMEMBER', prefix .. 'verified', agent.ownerId) == 1
end

local function forEachList(agent, agentId, visit)
  if not agent.isListed then return end
  for _, sort in ipairs({ 'name', 'newest' }) do
    local member = (isVerified(agent) and '0' or '1') .. agent[sort] .. '\\0' .. agentId
    visit(prefix .. 'list:' .. sort, member)
    if agent.category then visit(prefix .. 'list:' .. sort .. ':' .. agent.category, member) end
  end
end

local function put(number, agentId, agent)
  forEachList(agent, agentId, function(list, member) redis.call('ZADD', list, 0, member) end)
  if agent.category then redis.call('SADD', prefix .. 'category:' .. agent.category, number) end
  local bonus = isVerified(agent) and ${verifiedBonus} or 0
  for at = 1, #agent.words, 2 do
    redis.call('ZADD', prefix .. 'word:' .. agent.words[at], agent.words[at + 1] + bonus, number)
  end
end

local function take(number, agentId, agent)
  forEachList(agent, agentId, function(list, member) redis.call('ZREM', list, member) end)
  if agent.category then redis.call('SREM', prefix .. 'category:' .. agent.category, number) end
  for at = 1, #agent.words, 2 do
    redis.call('ZREM', prefix .. 'word:' .. agent.words[at], number)
  end
end

local function forget(agentId)
  local number = redis.call('HGET', prefix .. 'numbers', agentId)
  local packed = number and redis.call('HGET', prefix .. 'agents', number)
  if not packed then return end
  local agent = cmsgpack.unpack(packed)
  take(number, agentId, agent)
  redis.call('HDEL', prefix .. 'agents', number)
  redis.call('HDEL', prefix .. 'ids', number)
  redis.call('HDEL', prefix .. 'numbers', agentId)
  if agent.ownerId then redis.call('SREM', prefix .. 'owned:' .. agent.ownerId, number) end
end

local function learn(agentId, agent)
  local number = numberOf(agentId)
  redis.call('HSET', prefix .. 'agents', number, cmsgpack.pack(agent))
  if agent.ownerId then redis.call('SADD', prefix .. 'owned:' .. agent.ownerId, number) end
  put(number, agentId, agent)
end

local function forEachOwned(ownerId, visit)
  for _, number in ipairs(redis.call('SMEMBERS', prefix .. 'owned:' .. ownerId)) do
    local packed = redis.call('HGET', prefix .. 'agents', number)
    visit(number, redis.call('HGET', prefix .. 'ids', number), cmsgpack.unpack(packed))
  end
end

local function verify(ownerId, verified)
  local known = redis.call('SISMEMBER', prefix .. 'verified', ownerId) == 1
  if known == verified then return end
  forEachOwned(ownerId, take)
  redis.call(verified and 'SADD' or 'SREM', prefix .. 'verified', ownerId)
  forEachOwned(ownerId, put)
end

for _, entry in ipairs(cjson.decode(ARGV[4])) do
  if entry.agentId then
    forget(entry.agentId)
    if entry.shown then learn(entry.agentId, entry.shown) end
  else
    verify(entry.ownerId, entry.verified)
  end
end
redis.call('SET', progressKey, progress)
redis.call('SET', prefix .. 'change', ARGV[5])
return 1
`;

/**
 * ARGV: prefix, sequence to have reached, list, member to go on after or an empty text, limit. Answers
 * members in order; nothing where the index is behind.
 */
export const listAgentsScript = `
local prefix = ARGV[1]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
local from = ARGV[4] == '' and '-' or '(' .. ARGV[4]
return redis.call('ZRANGEBYLEX', prefix .. 'list:' .. ARGV[3], from, '+', 'LIMIT', 0, ARGV[5])
`;

/**
 * ARGV: prefix, sequence to have reached, category or an empty text, a word that must be there or an empty
 * text, words. The candidates are those of that word, else those of the rarest words, verified ones and
 * heavy weights first. Answers how many agents there are, in how many each word stands, the candidates' ids,
 * whether they are verified, and for each word its weights in their order; nothing where the index is behind.
 */
export const searchAgentsScript = `
local prefix, category, required = ARGV[1], ARGV[3], ARGV[4]
if tonumber(redis.call('GET', prefix .. 'progress') or '0') < tonumber(ARGV[2]) then return nil end
local words, frequencies = {}, {}
for at = 5, #ARGV do
  local key = prefix .. 'word:' .. ARGV[at]
  words[#words + 1] = key
  frequencies[#frequencies + 1] = redis.call('ZCARD', key)
end

local numbers, bestOf = {}, {}
local function gather(key)
  for offset = 0, ${mostLookedAt - mostCandidates}, ${mostCandidates} do
    if #numbers == ${mostCandidates} then return end
    local chunk = redis.call('ZREVRANGE', key, offset, offset + ${mostCandidates - 1}, 'WITHSCORES')
    if #chunk == 0 then return end
    local found, weights = {}, {}
    for at = 1, #chunk, 2 do
      found[#found + 1] = chunk[at]
      weights[#weights + 1] = tonumber(chunk[at + 1])
    end
    local isOfCategory = category ~= ''
      and redis.call('SMISMEMBER', prefix .. 'category:' .. category, unpack(found))
    for at, number in ipairs(found) do
      local isWanted = not isOfCategory or isOfCategory[at] == 1
      if isWanted and not bestOf[number] and #numbers < ${mostCandidates} then
        numbers[#numbers + 1] = number
        bestOf[number] = weights[at]
      end
    end
  end
end
if required ~= '' then
  gather(prefix .. 'word:' .. required)
else
  local order = {}
  for at = 1, #words do order[at] = at end
  table.sort(order, function(a, b)
    if frequencies[a] ~= frequencies[b] then return frequencies[a] < frequencies[b] end
    return a < b
  end)
  for _, at in ipairs(order) do gather(words[at]) end
end

local total = redis.call('ZCARD', prefix .. 'list:name')
if #numbers == 0 then return { total, frequencies, {}, {}, {} } end
local ids = redis.call('HMGET', prefix .. 'ids', unpack(numbers))
local verified, weights = {}, {}
for at, number in ipairs(numbers) do
  verified[at] = bestOf[number] >= ${verifiedBonus} and 1 or 0
end
for at, key in ipairs(words) do
  local scores = redis.call('ZMSCORE', key, unpack(numbers))
  for place, score in ipairs(scores) do
    scores[place] = score and tonumber(score) % ${verifiedBonus} or 0
  end
  weights[at] = scores
end
return { total, frequencies, ids, verified, weights }
`;
