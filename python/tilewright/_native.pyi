"""The compiled half of the package. `tilewright` exports its classes and functions; the library does the computing."""

from os import PathLike
from typing import Any, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, Tuple, Union, final, overload

from .rows import Check, GameTurn, Hooks, Outcome, Repair

__version__: str
#: `classic`, `wordsmog`, `misere`, `crossplay`.
VARIANTS: Tuple[str, ...]
#: The alphabets with their tiles.
LETTERS: Tuple[str, ...]
#: The boards.
LAYOUTS: Tuple[str, ...]
#: The challenge rules.
CHALLENGES: Tuple[str, ...]

@final
class Rules:
    """Everything that is fixed before the first turn. Anything left out is as usual in the variant.

    `letters` and `layout` are names (`LETTERS`, `LAYOUTS`) or files.
    """

    def __new__(
        cls,
        variant: str = "classic",
        *,
        letters: Optional[str] = None,
        layout: Optional[str] = None,
        bingo_bonus: Optional[int] = None,
        rack_size: Optional[int] = None,
        exchange_limit: Optional[int] = None,
        max_zero_turns: Optional[int] = None,
        challenge: str = "void",
    ) -> Rules: ...
    @property
    def variant(self) -> str: ...
    @property
    def letters(self) -> str: ...
    @property
    def layout(self) -> str: ...
    @property
    def size(self) -> int:
        """Rows and columns of the board."""
    @property
    def bingo_bonus(self) -> int: ...
    @property
    def rack_size(self) -> int: ...
    @property
    def exchange_limit(self) -> int:
        """Tiles that must be in the bag for an exchange."""
    @property
    def max_zero_turns(self) -> int:
        """Turns without points in a row that end the game."""
    @property
    def challenge(self) -> str: ...
    @property
    def counts(self) -> Dict[str, int]:
        """How many tiles of each face there are; `?` is the blank."""
    @property
    def values(self) -> Dict[str, int]:
        """The points of each face."""
    @property
    def start(self) -> str:
        """The square that the first play must cover."""
    def premium(self, square: str) -> Tuple[int, int]:
        """The factors of a square, for a letter and for a word."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Rack:
    """Tiles, `AEINST?`: an immutable multiset. A rack equals its text."""

    def __new__(cls, tiles: str = "", *, letters: str = "english") -> Rack: ...
    @property
    def value(self) -> int:
        """The sum of the tiles' points."""
    def count(self, tile: str) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, tiles: Union[Rack, str], /) -> bool: ...
    def __add__(self, tiles: Union[Rack, str], /) -> Rack: ...
    def __sub__(self, tiles: Union[Rack, str], /) -> Rack: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Lexicon:
    """Words, with the leave values that belong to them.

    `source` is a file: a list (`.txt`) or a word graph (`.kwg`). Tables of the same name are found in its folder. Without a source the
    lexicon is ENABLE, which is built in.
    """

    def __new__(
        cls, source: Union[str, PathLike[str], None] = None, *, letters: str = "english", leaves: str = "auto", win_table: str = "auto"
    ) -> Lexicon: ...
    @staticmethod
    def from_words(
        words: Iterable[str], *, name: str = "words", letters: str = "english", leaves: str = "auto", win_table: str = "auto"
    ) -> Lexicon:
        """A lexicon of these words."""
    @property
    def name(self) -> str: ...
    @property
    def letters(self) -> str: ...
    @property
    def rules(self) -> Rules:
        """The usual rules with its letters."""
    def matching(self, pattern: str, limit: Optional[int] = None) -> List[str]:
        """The words that match a pattern: `?` or `.` stands for any letter, `*` for any number of letters."""
    def anagrams(self, tiles: Union[Rack, str], *, use_all: bool = True, limit: Optional[int] = None) -> List[str]:
        """The words that use all of these tiles, or some of them; `?` stands for any letter."""
    def hooks(self, word: str) -> Hooks:
        """The letters that make another word in front of a word, and after it."""
    def leave_value(self, tiles: Union[Rack, str]) -> float:
        """The value of keeping these tiles, points."""
    def definition(self, word: str) -> Optional[str]:
        """The definition of a word, if the list has one."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, word: str, /) -> bool: ...

@final
class Play:
    """An action on a turn, with its board. Plays are equal if they do the same, whatever they score."""

    @property
    def score(self) -> Optional[int]: ...
    @property
    def equity(self) -> Optional[float]:
        """Static equity; `None` for a play that was not ranked."""
    @property
    def kind(self) -> str:
        """`place`, `exchange`, `pass`, `exchange-unknown` or `phony`."""
    @property
    def word(self) -> str:
        """The main word with the tiles already on the board, blanks in lowercase; empty for an exchange or a pass."""
    @property
    def tiles(self) -> Rack:
        """The tiles of the rack that it uses."""
    @property
    def leave(self) -> Rack:
        """The tiles of the rack that it keeps, as far as the rack is known."""
    @property
    def square(self) -> Optional[str]:
        """The square of the first letter: `8D` across, `D8` down."""
    @property
    def is_across(self) -> bool: ...
    @property
    def is_bingo(self) -> bool: ...
    @property
    def placed(self) -> Dict[str, str]:
        """The placed tiles, by square."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Plays(Sequence[Play]):
    """Plays of a position, the best static equity first. A play is made on demand: `list(plays)` makes all of them."""

    @overload
    def __getitem__(self, index: int, /) -> Play: ...
    @overload
    def __getitem__(self, index: slice, /) -> List[Play]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Play]: ...
    def __reversed__(self) -> Iterator[Play]: ...
    def __contains__(self, play: object, /) -> bool: ...
    def index(self, play: Play) -> int: ...  # type: ignore[override]
    def count(self, play: Play) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Position:
    """A position with the plays that led to it. `push` and `pop` change it, as with a board of python-chess.

    Without a CGP it is the start of a game. The default words and rules are ENABLE and the usual rules.
    """

    def __new__(cls, cgp: Optional[str] = None, *, lexicon: Optional[Lexicon] = None, rules: Optional[Rules] = None) -> Position: ...
    def cgp(self) -> str:
        """The position as text, from the player on turn."""
    @property
    def rules(self) -> Rules: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def turn(self) -> int:
        """The seat on turn, 0 or 1. Setting it, the scores or the tiles by hand forgets the plays that led to the position."""
    @turn.setter
    def turn(self, seat: int) -> None: ...
    @property
    def rack(self) -> Rack:
        """The known tiles of the player on turn."""
    @property
    def opponent_rack(self) -> Rack: ...
    @property
    def racks(self) -> Tuple[Rack, Rack]:
        """The known tiles by seat."""
    def set_rack(self, tiles: Union[Rack, str], seat: Optional[int] = None) -> None:
        """Sets the rack of a player, by default the one on turn."""
    @property
    def unseen(self) -> Rack:
        """The tiles that the player on turn does not see: the bag and the other rack."""
    @property
    def in_bag(self) -> int: ...
    @property
    def scores(self) -> Tuple[int, int]:
        """The scores by seat."""
    @scores.setter
    def scores(self, scores: Tuple[int, int]) -> None: ...
    @property
    def spread(self) -> int:
        """The score of the player on turn minus that of the other player."""
    @property
    def zero_turns(self) -> int:
        """The number of consecutive turns without points up to now."""
    @zero_turns.setter
    def zero_turns(self, turns: int) -> None: ...
    def set_tiles(self, square: str, tiles: str) -> None:
        """Places tiles square by square: from `8D` across, from `D8` down. Blanks are in lowercase; `.` is an empty square."""
    def set_tile_map(self, tiles: Dict[str, str]) -> None:
        """Sets the tiles on the board, by square. All other squares become empty."""
    def tile_at(self, square: str) -> Optional[str]: ...
    def tile_map(self) -> Dict[str, str]:
        """All tiles on the board by square."""
    def legal_plays(self) -> Plays:
        """All plays with valid words, the exchanges and the pass, the best static equity first."""
    def best_plays(self, count: int = 15) -> Plays:
        """The best plays by static equity."""
    def parse_play(self, text: str) -> Play:
        """Reads a play: `8D.VICAR` across, `D8.VICAR` down, `ex.ABC`, `pass`."""
    def is_legal(self, play: Union[Play, str]) -> bool: ...
    def check(self, play: Union[Play, str]) -> Check:
        """Checks a play: its points, its words, and what is wrong with it."""
    def push(self, play: Union[Play, str]) -> Play:
        """Makes a play, whether or not its words are valid, and returns it."""
    def pop(self) -> Play:
        """Takes the last play back, and returns it."""
    @property
    def last_play(self) -> Optional[Play]: ...
    @property
    def plays(self) -> List[Play]:
        """The plays that led to the position."""
    def is_over(self) -> bool: ...
    def outcome(self) -> Optional[Outcome]:
        """How the game ended, and who won; `None` until the game is over."""
    def copy(self) -> Position: ...
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: Any) -> Position: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Game:
    """A recorded game. `push` adds turns; `parse` and `read` read GCG, and list in `repairs` what they mended."""

    def __new__(
        cls, player1: str = "player1", player2: str = "player2", *, lexicon: Optional[Lexicon] = None, rules: Optional[Rules] = None
    ) -> Game: ...
    @staticmethod
    def parse(text: Union[str, bytes], *, lexicon: Optional[Lexicon] = None, rules: Optional[Rules] = None) -> Game: ...
    @staticmethod
    def read(path: Union[str, PathLike[str]], *, lexicon: Optional[Lexicon] = None, rules: Optional[Rules] = None) -> Game: ...
    def gcg(self) -> str:
        """The game as text."""
    @property
    def players(self) -> Tuple[str, str]: ...
    @property
    def scores(self) -> Tuple[int, int]:
        """The totals at the end, in the order of `players`."""
    @property
    def lexicon_name(self) -> Optional[str]:
        """The lexicon that the record names."""
    def pragma(self, key: str) -> Optional[str]:
        """The text of a line `#key`."""
    def add_pragma(self, key: str, value: str) -> None: ...
    def add_note(self, text: str) -> None:
        """Adds a note to the last turn."""
    @property
    def repairs(self) -> List[Repair]:
        """The repairs of the text: each thing that was wrong or unusual, and how it was read."""
    @property
    def unread(self) -> Optional[str]:
        """Why the rest of the text was not read, if it was not."""
    @property
    def turns(self) -> List[GameTurn]: ...
    def position(self, turn: Optional[int] = None) -> Position:
        """The position before a turn (from 0), or at the end, with the plays up to it."""
    def positions(self) -> List[Position]:
        """The positions before each turn, and the last one."""
    def push(self, play: Union[Play, str], *, rack: Union[Rack, str, None] = None, note: Optional[str] = None) -> Play:
        """Adds a turn, with the rack of the player if it is known. If the turn ends the game, the final adjustments are also added."""
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[GameTurn]: ...
    @overload
    def __getitem__(self, index: int, /) -> GameTurn: ...
    @overload
    def __getitem__(self, index: slice, /) -> List[GameTurn]: ...
    def __eq__(self, other: object, /) -> bool: ...

def read_games(path: Union[str, PathLike[str]], *, lexicon: Optional[Lexicon] = None, rules: Optional[Rules] = None) -> List[Game]:
    """Reads all games of a file."""

@final
class Searcher:
    """The compiled part of `tilewright.Engine`."""

    def __new__(
        cls, lexicon: Optional[Lexicon], threads: Optional[int], seed: int, hash_megabytes: int, memory_megabytes: int
    ) -> Searcher: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def threads(self) -> int: ...
    def start(self, position: Position, options: Any = None, seconds: Optional[float] = None) -> Search: ...
    def analyse_game(
        self, game: Game, iterations: Optional[int] = None, seconds: Optional[float] = None, opponent: Optional[str] = None
    ) -> str: ...
    def player_play(self, position: Position, player: str) -> Play: ...

@final
class Search:
    """The compiled part of `tilewright.Analysis`."""

    def next(self) -> Any: ...
    def stop(self) -> None: ...
    def finish(self) -> Any: ...

def run_program(arguments: List[str], again: List[str], typed: List[str]) -> NoReturn: ...
def play_match(
    player_a: Any,
    player_b: Any,
    pairs: Tuple[int, int],
    seed: int,
    threads: Optional[int],
    lexicon: Optional[Lexicon],
    rules: Optional[Rules],
    redraws: Optional[int],
    keep_games: bool,
) -> Dict[str, Any]: ...
def load_lexicon(source: str, words: Optional[str], letters: str, leaves: str, win_table: str) -> Lexicon: ...
def load_play(cgp: str, text: str, score: Optional[int], equity: Optional[int], lexicon: Lexicon, rules: Rules) -> Play: ...
def load_plays(cgp: str, count: int, lexicon: Lexicon, rules: Rules) -> Plays: ...
def load_position(
    cgp: Optional[str],
    game: Optional[Game],
    number: int,
    changes: Sequence[Tuple[Optional[int], str]],
    lexicon: Lexicon,
    rules: Rules,
) -> Position: ...
def load_game(text: bytes, lexicon: Lexicon, rules: Rules) -> Game: ...
