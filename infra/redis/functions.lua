#!lua name=talon_VERSION
-- What must happen in one step on the server. Every key is declared; all keys of one call share
-- a hash tag. VERSION is replaced by a digest of this file, so that two releases side by side
-- each call their own.

-- Views ---------------------------------------------------------------------------------------

-- A stored view begins with its version, 4 bytes big-endian.
local function version_of(view)
  local a, b, c, d = string.byte(view, 1, 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

-- Store a view unless a newer or equal one is there.
-- KEYS view; ARGV view, seconds to keep it.
local function put_view(keys, args)
  local stored = redis.call('GETRANGE', keys[1], 0, 3)
  if #stored == 4 and version_of(stored) >= version_of(args[1]) then
    return 0
  end
  redis.call('SET', keys[1], args[1], 'EX', args[2])
  return 1
end

-- Generations ---------------------------------------------------------------------------------
-- `pointer` names the generation that is read, `building` one that is being written beside it.
-- A builder that falls silent loses its claim when `building` expires.

local POINTER, BUILDING, META, LINES, FIRST_LIST = 1, 2, 3, 4, 5

local function is_live(keys, generation)
  return redis.call('HGET', keys[POINTER], 'boards') == generation
end

local function is_building(keys, generation)
  return redis.call('HGET', keys[BUILDING], 'boards') == generation
end

-- Claim the right to build; '' for what is not rebuilt. Nothing if somebody else builds.
-- KEYS pointer, building; ARGV boards' generation, views' generation, claim in milliseconds.
local function begin_build(keys, args)
  if redis.call('EXISTS', keys[BUILDING]) == 1 then
    return 'busy'
  end
  redis.call('HSET', keys[BUILDING], 'boards', args[1], 'views', args[2])
  redis.call('PEXPIRE', keys[BUILDING], args[3])
  return 'ok'
end

-- Hold on to the claim. KEYS pointer, building; ARGV boards, views, claim in milliseconds.
local function hold_build(keys, args)
  local held = redis.call('HMGET', keys[BUILDING], 'boards', 'views')
  if held[1] ~= args[1] or held[2] ~= args[2] then
    return 'lost'
  end
  redis.call('PEXPIRE', keys[BUILDING], args[3])
  return 'ok'
end

-- Read the new generation from now on, unless the old one has come further by now.
-- KEYS pointer, building, live meta, built meta; ARGV boards, views, live boards ('' for none),
-- 1 to switch in any case.
local function finish_build(keys, args)
  local held = redis.call('HMGET', keys[BUILDING], 'boards', 'views')
  local live = redis.call('HGET', keys[POINTER], 'boards') or ''
  if held[1] ~= args[1] or held[2] ~= args[2] or live ~= args[3] then
    return 'lost'
  end
  if args[1] ~= '' then
    local reached = tonumber(redis.call('HGET', keys[3], 'position') or '0')
    local built = tonumber(redis.call('HGET', keys[4], 'position') or '0')
    if live ~= '' and built < reached and args[4] ~= '1' then
      return 'behind'
    end
    redis.call('HSET', keys[POINTER], 'boards', args[1])
  end
  if args[2] ~= '' then
    redis.call('HSET', keys[POINTER], 'views', args[2])
  end
  redis.call('DEL', keys[BUILDING])
  return 'ok'
end

-- The lobby --------------------------------------------------------------------------------------
-- KEYS pointer, building, meta, lines, the lists, in the order of keys.py; ARGV begins
-- with the generation that the caller believes in. An answer that is a word tells what is wrong:
-- `moved` (another generation is read by now), `lost` (there is no position, or a key is gone),
-- `stale` (another process leads), `refused`. `meta` keeps how many entries each key had.

local function size_of(keys, i)
  return redis.call(i == LINES and 'HLEN' or 'ZCARD', keys[i])
end

local function note_sizes(keys)
  for i = LINES, #keys do
    redis.call('HSET', keys[META], i, size_of(keys, i))
  end
end

local function is_intact(keys, i)
  return redis.call('HGET', keys[META], i) == tostring(size_of(keys, i))
end

-- What is wrong with the keys from first to last, if anything is.
local function trouble(keys, generation, first, last)
  if not is_live(keys, generation) and not is_building(keys, generation) then
    return 'moved'
  end
  for i = first, last do
    if not is_intact(keys, i) then
      return 'lost'
    end
  end
end

-- The position. ARGV generation.
local function board_state(keys, args)
  local position = redis.call('HGET', keys[META], 'position')
  if not position and is_building(keys, args[1]) then
    return '0'
  end
  return trouble(keys, args[1], LINES, #keys) or position
end

-- Store lines, each in its list; they begin at an argument.
local function store_lines(keys, args, first)
  for at = first, #args, 4 do
    local match, list, position, line = unpack(args, at, at + 3)
    redis.call('HSET', keys[LINES], match, line)
    for i = FIRST_LIST, #keys do
      redis.call('ZREM', keys[i], match)
    end
    if list ~= '0' then
      redis.call('ZADD', keys[tonumber(list)], position, match)
    end
  end
end

-- Apply a batch and move the position, in one step.
-- ARGV generation, start, end, epoch, claim in milliseconds; per line: match, index of its list (0
-- for none), position, line.
local function apply_board(keys, args)
  local live = is_live(keys, args[1])
  if not live and not is_building(keys, args[1]) then
    return 'moved'
  end
  local meta = redis.call('HMGET', keys[META], 'position', 'epoch')
  if not meta[1] and live then
    return 'lost'
  end
  if tonumber(args[4]) < tonumber(meta[2] or '0') then
    return 'stale'
  end
  redis.call('HSET', keys[META], 'epoch', args[4])
  if (meta[1] or '0') ~= args[2] then
    return 'refused'
  end
  store_lines(keys, args, 6)
  redis.call('HSET', keys[META], 'position', args[3])
  if #args > 5 or not meta[1] then
    note_sizes(keys)
  end
  if not live then
    redis.call('PEXPIRE', keys[BUILDING], args[5])
  end
  return 'ok'
end

-- The lines of matches. ARGV generation, matches.
local function lines(keys, args)
  return trouble(keys, args[1], LINES, LINES) or redis.call('HMGET', keys[LINES], unpack(args, 2))
end

-- The lines of a list, newest first. ARGV generation, index of the list, limit, upper bound.
local function lobby(keys, args)
  local list = tonumber(args[2])
  local wrong = trouble(keys, args[1], list, list) or trouble(keys, args[1], LINES, LINES)
  if wrong then
    return wrong
  end
  local found =
    redis.call('ZREVRANGEBYSCORE', keys[list], args[4], '-inf', 'LIMIT', 0, args[3])
  return #found > 0 and redis.call('HMGET', keys[LINES], unpack(found)) or {}
end

-- Repair of views: how far it has come, kept with the views it is about.
-- KEYS pointer; ARGV views' generation, epoch, position.
local function set_checkpoint(keys, args)
  local held = redis.call('HMGET', keys[POINTER], 'views', 'views_epoch')
  if held[1] ~= args[1] then
    return 'moved'
  end
  if tonumber(args[2]) < tonumber(held[2] or '0') then
    return 'stale'
  end
  redis.call('HSET', keys[POINTER], 'views_epoch', args[2], 'views_position', args[3])
  return 'ok'
end

-- Limits --------------------------------------------------------------------------------------

-- Take tokens from a bucket that fills by itself, as many as are there up to `most`, none if
-- there are fewer than `least`. A level is counted in tokens times milliseconds: always whole.
-- KEYS bucket; ARGV size, milliseconds in which an empty one fills, least, most.
-- Returns the tokens taken, those left, and the milliseconds until `least` are there.
local function take(keys, args)
  local size, fills, least, most =
    tonumber(args[1]), tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local full = size * fills
  local held = redis.call('HMGET', keys[1], 'level', 'at')
  local level = full
  if held[1] then
    local passed = math.max(0, now - tonumber(held[2]))
    level = math.min(full, tonumber(held[1]) + passed * size)
  end
  local tokens, there = 0, math.floor(level / fills)
  if there >= least then
    tokens = math.min(there, most)
    level = level - tokens * fills
  end
  redis.call('HSET', keys[1], 'level', string.format('%.0f', level), 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', keys[1], math.ceil((full - level) / size) + 1000)
  local wait = tokens > 0 and 0 or math.ceil((least * fills - level) / size)
  return { tokens, math.floor(level / fills), wait }
end

local function register(name, callback, ...)
  redis.register_function({
    function_name = 'talon_VERSION_' .. name,
    callback = callback,
    flags = { ... },
  })
end

register('put_view', put_view)
register('begin_build', begin_build)
register('hold_build', hold_build)
register('finish_build', finish_build)
register('apply_board', apply_board)
register('set_checkpoint', set_checkpoint)
register('take', take)
register('board_state', board_state, 'no-writes')
register('lines', lines, 'no-writes')
register('lobby', lobby, 'no-writes')
