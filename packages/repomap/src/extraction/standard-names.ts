import { matchFrom } from './match-from.js';
import { words } from './regex-languages/c-like.js';

/** What a language brings along, as far as a file uses it: the tree may define the same names, and they hardly mean that. */
export interface StandardNames {
  /** Names that need nothing before them. */
  names: ReadonlySet<string>;
  /** What stands before all others: `std::`, `time.`. */
  namespaces: ReadonlySet<string>;
  /** Methods of what the language or its library makes: behind an object they mean those. */
  members?: ReadonlySet<string>;
  /** The same behind an arrow: `$error->getMessage()`. */
  pointed?: ReadonlySet<string>;
}

/** @returns undefined where nothing is known of the language's library */
export function standardNamesOf(language: string, text: string): StandardNames | undefined {
  return STANDARD_NAMES[language]?.(text);
}

const NONE: ReadonlySet<string> = new Set();

/** Modules of Python that programs use most, but for what they often call a module of their own (`email`, `test`). */
export const PYTHON_LIBRARIES =
  words(`__future__ abc argparse array ast asyncio atexit base64 binascii bisect bz2 codecs collections
  concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis enum errno
  fcntl fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io
  ipaddress itertools json keyword linecache locale logging lzma marshal math mimetypes mmap multiprocessing numbers
  operator optparse os pathlib pickle pkgutil platform pprint random re runpy shlex shutil signal socket sqlite3 ssl stat
  string struct subprocess sys sysconfig tarfile tempfile textwrap threading time timeit tkinter tokenize tomllib
  traceback types typing typing_extensions unicodedata unittest urllib uuid warnings weakref xml zipfile zlib zoneinfo`);

/** @param start of the name */
export function isStandard(
  name: string,
  text: string,
  start: number,
  { names, namespaces, members, pointed }: StandardNames,
): boolean {
  const before = text.charCodeAt(start - 1);
  if (before === GREATER && text.charCodeAt(start - 2) === HYPHEN) return pointed?.has(name) ?? false;
  if (before !== COLON && before !== DOT) return names.has(name);
  if (before === DOT && members?.has(name)) return true;
  const namespace = matchFrom(NAMESPACE_BEFORE, text, start)?.[1];
  return namespace !== undefined && namespaces.has(namespace);
}

const [COLON, DOT, HYPHEN, GREATER] = [0x3a, 0x2e, 0x2d, 0x3e];
/** The first of `std::chrono::` before a name. */
const NAMESPACE_BEFORE = /(?<=(?<![\w.:)\]])(\w+)(?:(?:::|\.)\w+){0,6}(?:::|\.))/y;

function wordsIn(text: string): Iterable<string> {
  return text.match(/\w+/g) ?? [];
}

const CPP: StandardNames = {
  names: NONE,
  namespaces: new Set(['std']),
  members:
    words(`append back begin c_str cbegin cend clear emplace emplace_back empty end erase front insert length pop_back
    push_back rbegin rend reserve resize size substr`),
};

const RUST_USE = /^[ \t]*(?:pub(?:\([\w ]{1,40}\))?[ \t]+)?use[ \t]+(?:::)?(\w+)\b([^;]{0,1000});/gm;
const RUST_LIBRARIES = ['std', 'core', 'alloc'];
/** What Rust has without a `use`. */
const RUST_PRELUDE =
  words(`AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq Err Extend From FromIterator
  Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send Some String Sync ToOwned ToString TryFrom
  TryInto Vec assert assert_eq assert_ne debug_assert eprintln format matches panic print println todo unimplemented
  unreachable vec write writeln`);
/** `Vec::with_capacity`, `u32::from_str`; of a type of the tree that has such a name, too, where the file brings that in. */
const RUST_TYPES = words(
  `Box Option Result String Vec bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize`,
);
/** Of `Option`, `Result`, strings, slices and iterators, by names that hardly mean anything else. */
export const RUST_MEMBERS =
  words(`and_then as_bytes as_deref as_mut as_ref as_slice as_str chunks cloned collect copied enumerate
  filter_map flat_map into_iter is_err is_none is_ok is_some is_some_and iter_mut map_err map_or map_or_else ok_or
  ok_or_else or_else to_owned to_string to_vec unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else`);

function rustNames(text: string): StandardNames {
  const names = new Set(RUST_PRELUDE);
  const namespaces = new Set([...RUST_LIBRARIES, ...RUST_TYPES]);
  for (const [, library, rest] of text.matchAll(RUST_USE)) {
    for (const name of wordsIn(rest!)) {
      if (!RUST_LIBRARIES.includes(library!)) {
        names.delete(name);
        namespaces.delete(name);
      } else {
        names.add(name);
        namespaces.add(name);
      }
    }
  }
  return { names, namespaces };
}

const GO_IMPORT = /^[ \t]*(?:import[ \t]+)?(?:(\w+)[ \t]+)?"([a-z]+)((?:\/\w+)*)"(?=[ \t\r]*(?:$|\/\/))/gm;
const GO_LIBRARIES =
  words(`archive bufio bytes cmp compress container context crypto database debug embed encoding
  errors expvar flag fmt go hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices
  sort strconv strings structs sync syscall testing text time unicode unique unsafe weak`);

/** What Go has without an import, but for what trees often define themselves (`min`). */
const GO_PREDECLARED =
  words(`any append bool byte cap close comparable complex64 complex128 copy delete error float32
  float64 int int8 int16 int32 int64 len make new panic print println recover rune string uint uint8 uint16 uint32 uint64
  uintptr`);

function goNames(text: string): StandardNames {
  const namespaces = new Set<string>();
  for (const [, alias, library, rest] of text.matchAll(GO_IMPORT)) {
    if (!GO_LIBRARIES.has(library!)) continue;
    const path = library! + rest!.replace(/\/v\d+$/, '');
    namespaces.add(alias ?? path.slice(path.lastIndexOf('/') + 1));
  }
  return { names: GO_PREDECLARED, namespaces };
}

const JVM_LIBRARIES = words('android androidx java javax kotlin kotlinx scala');
const JVM_IMPORT =
  /^[ \t]*import[ \t]+(?:static[ \t]+)?(\w+)\.(?:\w+\.)*(\w+|\{[^{}\n]{0,500}\})(?=[ \t]*(?:;|$))/gm;

/** What Java has without an import, but for what trees often define themselves (`Error`, `Record`). */
const JAVA_LANG =
  words(`Boolean Byte CharSequence Character Class ClassLoader Comparable Deprecated Double Exception Float
  IllegalArgumentException IllegalStateException Integer Iterable Long Math NullPointerException Number Object Override
  Runnable Runtime RuntimeException Short String StringBuilder SuppressWarnings System Thread Throwable Void`);

/** Of strings, collections and the like. */
const JVM_MEMBERS =
  words(`addAll append charAt collect compareTo computeIfAbsent contains containsKey containsValue endsWith entrySet equals
  filter filterNot firstOrNull flatMap fold foldLeft forEach foreach getBytes getClass getKey getMessage
  getOrDefault getOrElse getSimpleName getValue groupBy hasNext hashCode headOption ifPresent indexOf isDefined isEmpty
  isNotEmpty isPresent iterator joinToString keySet lastIndexOf lastOption length mapNotNull MAX_VALUE MIN_VALUE
  mkString nonEmpty orElse orElseThrow padTo printStackTrace putAll putIfAbsent removeAll replaceAll size sortBy
  sortedBy split startsWith stream substring toArray toInt toList toLong toLowerCase toMap toSeq toSet toString
  toUpperCase toVector trim zipWithIndex`);

/** What Kotlin has without an import and trees define again. */
const KOTLIN_FUNCTIONS =
  words(`arrayOf buildList buildMap buildString check checkNotNull emptyList emptyMap emptySet error generateSequence lazy
  listOf listOfNotNull mapOf maxOf minOf mutableListOf mutableMapOf mutableSetOf println repeat require requireNotNull
  runCatching sequenceOf setOf synchronized`);

/** Of all values. */
const KOTLIN_MEMBERS = words('also apply let takeIf takeUnless');

function jvmNames(
  text: string,
  brought: Iterable<string>,
  ofValues: ReadonlySet<string> = NONE,
): StandardNames {
  const names = new Set(brought);
  const members = new Set([...JVM_MEMBERS, ...ofValues]);
  for (const [, library, imported] of text.matchAll(JVM_IMPORT)) {
    for (const name of wordsIn(imported!)) {
      if (JVM_LIBRARIES.has(library!)) names.add(name);
      else {
        names.delete(name);
        members.delete(name);
      }
    }
  }
  return { names, namespaces: new Set([...JVM_LIBRARIES, ...names]), members };
}

/** What C# files use most of `System`, but for what trees often define themselves (`Task`, `Type`, `Path`). */
const CSHARP: StandardNames = {
  names:
    words(`Action ArgumentException ArgumentNullException CancellationToken Console Convert DateTime DateTimeOffset
    Dictionary Enumerable Exception Func Guid IDisposable IEnumerable IReadOnlyList InvalidOperationException KeyValuePair
    List Math NotImplementedException NotSupportedException Predicate StringBuilder StringComparer StringComparison
    TimeSpan ValueTask`),
  namespaces: new Set(['System']),
};

/** Of all objects, strings and collections, by names that hardly mean anything else. */
export const CSHARP_MEMBERS =
  words(`AddRange ContainsKey EndsWith Equals FirstOrDefault GetHashCode GetType OrderBy OrderByDescending SelectMany
  SingleOrDefault StartsWith Substring ToArray ToDictionary ToList ToLower ToLowerInvariant ToString ToUpper
  ToUpperInvariant TryGetValue`);

const PHP_FUNCTIONS =
  words(`array_filter array_key_exists array_keys array_map array_merge array_values basename ceil compact
  count current date dirname empty end explode extract file_exists file_get_contents file_put_contents floor implode
  in_array is_array is_bool is_callable is_dir is_file is_int is_null is_numeric is_object is_string isset join json_decode
  json_encode key max md5 method_exists microtime min mkdir next preg_match preg_replace print_r printf range realpath
  reset round serialize sleep sort sprintf str_contains str_repeat str_replace strlen strpos strtolower strtoupper substr
  trim ucfirst unlink unserialize unset usleep var_dump`);
const PHP_CLASSES =
  words(`ArrayAccess ArrayIterator ArrayObject BadMethodCallException Closure Countable DateInterval
  DateTime DateTimeImmutable DateTimeInterface DateTimeZone DomainException Error ErrorException Exception Generator
  InvalidArgumentException Iterator IteratorAggregate JsonSerializable LengthException LogicException OutOfBoundsException
  OutOfRangeException OverflowException RangeException RuntimeException SplFileInfo Stringable Throwable Traversable
  TypeError UnderflowException UnexpectedValueException`);
/** Of all exceptions, by names that hardly mean anything else. */
const PHP_MEMBERS = words(`getMessage getPrevious getTrace getTraceAsString`);
/** `use Exception;`, `new \\Exception()` */
const PHP_GLOBAL = /(?:^[ \t]*use[ \t]+\\?|(?<![\w\\])\\)(\w+)\b(?!\\)/gm;

function phpNames(text: string): StandardNames {
  const names = new Set(PHP_FUNCTIONS);
  for (const [, name] of text.matchAll(PHP_GLOBAL)) if (PHP_CLASSES.has(name!)) names.add(name!);
  return { names, namespaces: NONE, pointed: PHP_MEMBERS };
}

/** `const mem = std.mem;`, `const Allocator = std.mem.Allocator;` */
const ZIG_ALIAS = /\bconst[ \t]+(\w+)[ \t]*=[ \t]*(?:std|builtin)\.[\w.]+;/g;

/** Of lists, maps, allocators and writers. */
const ZIG_MEMBERS =
  words(`addOne alloc allocator append appendAssumeCapacity appendNTimes appendSlice appendSliceAssumeCapacity capacity
  clearRetainingCapacity deinit dupe dupeZ ensureTotalCapacity ensureUnusedCapacity fetchRemove free getOrPut getPtr
  initCapacity items iterator orderedRemove putAssumeCapacity putNoClobber realloc shrinkRetainingCapacity swapRemove
  toOwnedSlice writeAll writeByte`);

function zigNames(text: string): StandardNames {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(ZIG_ALIAS)) names.add(name!);
  return { names, namespaces: new Set(['std', 'builtin', ...names]), members: ZIG_MEMBERS };
}

const LUA_FUNCTIONS =
  words(`assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring next pairs
  pcall print rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack xpcall`);
/** Also of LuaJIT, of LuaFileSystem, and of the programs that Lua most often runs in. */
const LUA_LIBRARIES = words(
  `bit bit32 coroutine debug ffi io jit lfs math ngx os package string table utf8 vim`,
);
/** `local insert, remove = table.insert, table.remove` */
const LUA_ALIAS = /^[ \t]*local[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*=[ \t]*(\w+)\.\w+/gm;

function luaNames(text: string): StandardNames {
  const names = new Set(LUA_FUNCTIONS);
  for (const [, aliases, library] of text.matchAll(LUA_ALIAS))
    if (LUA_LIBRARIES.has(library!)) for (const alias of wordsIn(aliases!)) names.add(alias);
  return { names, namespaces: LUA_LIBRARIES };
}

const PERL: StandardNames = {
  names:
    words(`abs accept alarm atan2 bind binmode bless caller chdir chmod chomp chop chown chr chroot close closedir
    connect cos crypt delete die each eof eval exec exit exp fileno flock fork getc glob grep hex index int ioctl join kill
    lc lcfirst length link listen localtime gmtime lock log map mkdir oct open opendir ord pack pipe pop pos printf
    prototype quotemeta rand read readdir readline rename reset reverse rewinddir rindex rmdir say seek send sin sleep
    sort splice split sprintf sqrt srand stat substr symlink syscall sysopen sysread system syswrite tell tie time times
    truncate uc ucfirst umask unlink unpack unshift untie utime values wait waitpid wantarray warn write`),
  namespaces: new Set(['CORE']),
};

const RUBY: StandardNames = {
  names:
    words(`ArgumentError Array BigDecimal Class Comparable Date DateTime Dir ENV Enumerable Exception File FileUtils
    Float Hash IO Integer JSON Kernel LoadError Module NameError NilClass NoMethodError NotImplementedError Numeric
    Object Pathname Proc Process Random Range Rational Regexp RuntimeError SecureRandom Set StandardError String
    StringIO Struct Symbol Thread Time URI ActionController ActionMailer ActionView ActiveJob ActiveModel
    ActiveRecord ActiveSupport Rails alias_method attr_accessor attr_reader attr_writer autoload binding block_given?
    catch class_eval define_method exit extend format freeze include instance_eval lambda load loop module_eval
    module_function p print printf private private_constant proc protected public puts raise require require_relative
    sleep sprintf throw warn
    after_action around_action before_action belongs_to errors has_and_belongs_to_many has_many has_one redirect_to
    reload render rescue_from skip_before_action validate validates`),
  namespaces: words('Dir File FileUtils'),
  members:
    words(`all? any? blank? bytes bytesize capitalize chars chomp class class_eval collect compact concat delete
    delete_if destroy! detect dig downcase dup each each_key each_pair each_value each_with_index each_with_object
    empty? end_with? entries errors fetch filter filter_map find_all flat_map flatten freeze frozen? group_by gsub
    has_key? include? inject insert instance_eval instance_of? is_a? join key? keys kind_of? last length lines lstrip
    map max max_by merge merge! min min_by nil? new_record? none? partition persisted? pop present? presence push
    reduce reject reject! reload respond_to? reverse rstrip save! scan select select! send shift size slice sort
    sort_by split start_with? strip sub sum take tap to_a to_f to_h to_i to_proc to_sym transform_values tr uniq
    unshift upcase update! update_column update_columns valid? values zip`),
};

const SWIFT: StandardNames = {
  names: NONE,
  namespaces: NONE,
  members:
    words(`allSatisfy append compactMap components contains count description dropFirst dropLast enumerated filter first
    firstIndex flatMap forEach hasPrefix hasSuffix hashValue index indices isEmpty joined keys last lowercased map max min
    popLast prefix rawValue reduce removeAll removeFirst removeLast removeValue replacingOccurrences reversed sorted split
    suffix trimmingCharacters uppercased values`),
};

const DART: StandardNames = {
  names: NONE,
  namespaces: NONE,
  members:
    words(`add addAll any catchError clear compareTo contains containsKey elementAt endsWith entries every expand
    firstWhere fold forEach hashCode indexOf insert isEmpty isNotEmpty join keys last length lastIndexOf map padLeft
    putIfAbsent remove removeAt removeLast removeWhere replaceAll replaceFirst reversed runtimeType skip sort split
    startsWith sublist substring take then toList toLowerCase toSet toString toUpperCase trim values whenComplete where
    whereType`),
};

const ELIXIR_MODULES =
  words(`Access Agent Application Base Code Date DateTime Enum Exception File Float GenServer IO Integer Kernel Keyword List
  Logger Macro Map MapSet Module NaiveDateTime Path Process Regex Registry Stream String Supervisor System Task Time Tuple
  URI`);
/** What a file has from `Kernel`; behind a module (`Plug.Conn.inspect`) they are others. */
const ELIXIR_KERNEL =
  words(`apply binary_part bit_size byte_size dbg elem exit get_in hd inspect is_atom is_binary is_boolean
  is_exception is_float is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_reference is_struct
  is_tuple length make_ref map_size match? node put_elem put_in reraise round self send spawn spawn_link struct struct! tap
  then throw to_charlist to_string trunc tuple_size update_in`);
/** `alias Shop.Date`, `alias Shop.{Date, Time}` */
const ELIXIR_ALIAS = /^[ \t]*alias[ \t]+([\w.]+(?:\{[^{}]{0,1000}\})?)/gm;

function elixirNames(text: string): StandardNames {
  const namespaces = new Set(ELIXIR_MODULES);
  for (const [, alias] of text.matchAll(ELIXIR_ALIAS))
    for (const name of wordsIn(alias!)) namespaces.delete(name);
  return { names: new Set([...namespaces, ...ELIXIR_KERNEL]), namespaces };
}

/** What Haskell's Prelude has, and what modules that are often imported whole have under names that hardly mean anything else. */
const HASKELL_NAMES =
  words(`abs all and any appendFile asTypeOf atan2 break ceiling compare concat concatMap const cos curry cycle div divMod
  drop dropWhile either elem enumFrom enumFromThen enumFromThenTo enumFromTo error errorWithoutStackTrace even exp fail
  filter flip floor fmap foldl foldMap foldr foldr1 fromEnum fromInteger fromIntegral fromRational fst gcd getChar
  getContents getLine head init interact ioError isNaN iterate last lcm length lex lines log lookup map mapM mapM_ mappend
  max maxBound maximum maybe mconcat mempty min minBound minimum mod negate not notElem null odd otherwise pred print
  product properFraction putChar putStr putStrLn quot quotRem read readFile readIO readList readLn readParen reads
  readsPrec realToFrac recip rem repeat replicate reverse round scanl scanl1 scanr scanr1 seq sequence sequenceA sequence_
  show showChar showList showParen showString shows showsPrec signum sin snd span splitAt sqrt subtract succ sum tail take
  takeWhile tan toEnum toInteger toRational traverse traverse_ truncate uncurry undefined unlines until unwords unzip
  unzip3 userError words writeFile zip zip3 zipWith zipWith3
  Applicative Bounded Char Double Either Enum Eq FilePath Float Floating Foldable Fractional Functor IOError Integer
  Integral Left Monad MonadFail Monoid Num Ord Ordering Rational Read Real RealFloat RealFrac Right Semigroup Show
  Traversable Word
  Bifunctor ByteString ExitCode ExitFailure ExitSuccess Exception IORef Int16 Int32 Int64 Int8 IOException
  MVar MonadIO NFData NonEmpty SomeException Text Typeable Void Word16 Word32 Word64 Word8
  atomicModifyIORef bimap byteString catMaybes concurrently copyFile createDirectoryIfMissing
  digitToInt doesDirectoryExist doesFileExist dropExtension dropFileName dropWhileEnd elemIndex exitFailure
  exitSuccess exitWith filterM findIndex foldl' foldM foldM_ for_ forM forM_ forever forkIO fromJust fromLeft fromMaybe
  fromRight genericLength getArgs getCurrentDirectory getCurrentTime getDirectoryContents getEnv getEnvironment
  getProgName groupBy hClose hFlush hGetContents hGetLine hPrint hPutStr hPutStrLn hSetBinaryMode hSetBuffering
  hSetEncoding intercalate intersperse intToDigit isAlpha isAlphaNum isAscii isControl isDigit isHexDigit isInfixOf isJust
  isLeft isLower isNothing isPrefixOf isPunctuation isRight isSpace isSuffixOf isUpper liftA2 liftA3 liftIO liftM
  liftM2 lookupEnv mapAccumL mapAccumR mapMaybe maximumBy minimumBy modifyIORef modifyIORef' mplus msum mzero newEmptyMVar
  newIORef newMVar nubBy openFile partitionEithers printf putMVar readEither readIORef readMaybe readMVar
  removeFile renameFile replicateM replicateM_ sortBy sortOn splitExtension stderr stdin stdout
  stripPrefix stripSuffix takeBaseName takeDirectory takeExtension takeFileName takeMVar throwIO toLower toUpper
  traceShow unfoldr unless unsafePerformIO void when withFile writeIORef zipWithM zipWithM_`);
/** Of GHC's own packages (`Control.Monad.State.Strict`), but for what trees add to the same names (`Control.Monad.Supply`). */
const HASKELL_MODULE = new RegExp(
  String.raw`^(?:Prelude|Numeric|Foreign|GHC\.\w+|Debug\.Trace|Text\.(?:Printf|Read|Show)` +
    String.raw`|Control\.(?:Applicative|Arrow|Category|Concurrent|DeepSeq|Exception|Monad)` +
    String.raw`|Data\.(?:Array|Bifunctor|Bits|Bool|ByteString|Char|Coerce|Data|Dynamic|Either|Foldable|Function|Functor` +
    String.raw`|IORef|Int|IntMap|IntSet|Ix|Kind|List|Map|Maybe|Monoid|Ord|Proxy|Ratio|STRef|Semigroup|Sequence|Set|String` +
    String.raw`|Text|Time|Traversable|Tree|Tuple|Typeable|Version|Void|Word)` +
    String.raw`|System\.(?:Directory|Environment|Exit|FilePath|IO|Info|Process|Timeout))` +
    String.raw`(?:\.(?:Builder|C|Calendar|Chan|Char8|Class|Classes|Clock|Compose|Const|Cont|Encoding|Error|Except|Fail|Format` +
    String.raw`|IO|Identity|Lazy|LocalTime|MVar|NonEmpty|Ptr|RWS|Read|Reader|ST|STM|State|Storable|Strict|Trans|Types` +
    String.raw`|Unsafe|Writer|Zip))*$`,
);
const gap = String.raw`[ \t]*(?:\n[ \t]+)?`;
/** `import qualified Data.Map as Map`, `import Data.Map qualified as Map`, `import Shop (lookup)`, `import Prelude hiding (lookup)` */
const HASKELL_IMPORT = new RegExp(
  String.raw`^import(?:[ \t]+(?:(qualified)|safe|"[^"\n]*"))*[ \t]+(\p{Lu}[\w.']*)(?:[ \t]+(qualified)\b)?` +
    String.raw`(?:${gap}\bas[ \t]+(\p{Lu}[\w']*)(?!\.))?(?:${gap}\b(hiding)\b)?` +
    String.raw`(?:${gap}(\((?:[^()]|\((?:[^()]|\([^()]{0,100}\)){0,1000}\)){0,3000}\)))?`,
  'gmu',
);
const HASKELL_WORD = /[\p{L}_][\w']*/gu;

/** Of two modules that have a name, an import must hide one's or name the other's, or a bare mention is an error. */
function haskellNames(text: string): StandardNames {
  const names = new Set(HASKELL_NAMES);
  const namespaces = new Set<string>();
  for (const [, before, module, behind, alias, hiding, list = ''] of text.matchAll(HASKELL_IMPORT)) {
    const isLibrary = HASKELL_MODULE.test(module!);
    const namespace = alias ?? module!;
    if (isLibrary) {
      // `Data.Map` is no `Map` of the tree.
      names.add(module!);
      namespaces.add(namespace);
    } else namespaces.delete(namespace);
    const isOthers = hiding !== undefined || !isLibrary;
    const isBare = before === undefined && behind === undefined;
    if (isOthers && isBare) for (const [name] of list.matchAll(HASKELL_WORD)) names.delete(name);
  }
  return { names, namespaces };
}

const STANDARD_NAMES: Readonly<Record<string, (text: string) => StandardNames>> = {
  cpp: () => CPP,
  rust: rustNames,
  go: goNames,
  java: (text) => jvmNames(text, JAVA_LANG),
  kotlin: (text) => jvmNames(text, [...JAVA_LANG, ...KOTLIN_FUNCTIONS], KOTLIN_MEMBERS),
  scala: (text) => jvmNames(text, JAVA_LANG),
  csharp: () => CSHARP,
  php: phpNames,
  zig: zigNames,
  lua: luaNames,
  perl: () => PERL,
  ruby: () => RUBY,
  swift: () => SWIFT,
  dart: () => DART,
  elixir: elixirNames,
  haskell: haskellNames,
};
