-- Leaderboards ----------------------------------------------------------------------------------
-- A copy of what Postgres says, generation by generation. KEYS pointer, meta, boards; the pointer
-- names the generation that is read. `meta` keeps the revision of the tallies that the copy has
-- come to, how much had been removed by then, and how many players each board has: by its key.
-- An answer that is a word tells what is wrong: `moved` (another generation is read by now),
-- `lost` (the copy is gone, or a part of it), `refused`, `stale` (another process writes).

local RANKS_POINTER, RANKS_META, FIRST_RANKS = 1, 2, 3

local function note_players(keys)
  for i = FIRST_RANKS, #keys do
    redis.call('HSET', keys[RANKS_META], keys[i], redis.call('ZCARD', keys[i]))
  end
end

-- What is wrong with a board, if anything is; one that nobody stands on is nowhere noted.
local function board_trouble(keys, generation)
  if redis.call('HGET', keys[RANKS_POINTER], 'live') ~= generation then
    return 'moved'
  end
  local noted = redis.call('HMGET', keys[RANKS_META], 'revision', keys[FIRST_RANKS])
  if not noted[1] or tonumber(noted[2] or '0') ~= redis.call('ZCARD', keys[FIRST_RANKS]) then
    return 'lost'
  end
end

-- Write scores, and move the revision: if it is where the writer saw it, and nothing was removed.
-- ARGV generation, epoch, removals, revision before, after, position, then by three: which of the
-- keys, points, player.
local function rank(keys, args)
  if redis.call('HGET', keys[RANKS_POINTER], 'live') ~= args[1] then
    return 'moved'
  end
  if tonumber(args[2]) < tonumber(redis.call('HGET', keys[RANKS_POINTER], 'epoch') or '0') then
    return 'stale'
  end
  redis.call('HSET', keys[RANKS_POINTER], 'epoch', args[2])
  local meta = redis.call('HMGET', keys[RANKS_META], 'removals', 'revision')
  if not meta[2] then
    return 'lost'
  end
  if meta[1] ~= args[3] or meta[2] ~= args[4] then
    return 'refused'
  end
  for i = 7, #args, 3 do
    redis.call('ZADD', keys[tonumber(args[i])], args[i + 1], args[i + 2])
  end
  note_players(keys)
  redis.call('HSET', keys[RANKS_META], 'revision', args[5], 'position', args[6])
  return 'ok'
end

-- Read another generation from now on. ARGV generation, epoch, removals, revision, position.
local function rank_anew(keys, args)
  if tonumber(args[2]) < tonumber(redis.call('HGET', keys[RANKS_POINTER], 'epoch') or '0') then
    return 'stale'
  end
  note_players(keys)
  redis.call(
    'HSET', keys[RANKS_META], 'removals', args[3], 'revision', args[4], 'position', args[5]
  )
  redis.call('HSET', keys[RANKS_POINTER], 'live', args[1], 'epoch', args[2])
  return 'ok'
end

-- Take a person off the boards. ARGV generation, player.
local function unrank(keys, args)
  if redis.call('HGET', keys[RANKS_POINTER], 'live') ~= args[1] then
    return 'moved'
  end
  for i = FIRST_RANKS, #keys do
    redis.call('ZREM', keys[i], args[2])
  end
  note_players(keys)
  redis.call('HINCRBY', keys[RANKS_META], 'removals', 1)
  return 'ok'
end

-- The place of the first entry that stands below these points and this player. Players are
-- lower-case hex, which every locale sorts as bytes.
local function place_below(key, points, player)
  local low = redis.call('ZCOUNT', key, '(' .. points, '+inf')
  local high = low + redis.call('ZCOUNT', key, points, points)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if redis.call('ZREVRANGE', key, middle, middle)[1] >= player then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- A page of a board: the first entry's place, how many have more points, players and points, and
-- how many have as many points as the first and the last of them.
-- ARGV generation, limit, 'top' / 'after' / 'around', points, player.
local function ranked(keys, args)
  local wrong = board_trouble(keys, args[1])
  if wrong then
    return wrong
  end
  local key, limit, start = keys[FIRST_RANKS], tonumber(args[2]), 0
  if args[3] == 'after' then
    start = place_below(key, args[4], args[5])
  elseif args[3] == 'around' then
    local place = redis.call('ZREVRANK', key, args[5])
    if not place then
      return { 0, 0, {}, 0, 0 }
    end
    start = math.max(0, place - math.floor(limit / 2))
  end
  local page = redis.call('ZREVRANGE', key, start, start + limit - 1, 'WITHSCORES')
  if #page == 0 then
    return { start, 0, page, 0, 0 }
  end
  local first, last = page[2], page[#page]
  return {
    start,
    redis.call('ZCOUNT', key, '(' .. first, '+inf'),
    page,
    redis.call('ZCOUNT', key, first, first),
    redis.call('ZCOUNT', key, last, last),
  }
end

register('rank', rank)
register('rank_anew', rank_anew)
register('unrank', unrank)
register('ranked', ranked, 'no-writes')
