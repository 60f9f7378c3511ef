// Quackle's Championship Player as a SIU engine that answers `go movetime <ms>`.
//
// Quackle has no limit in milliseconds. Its player simulates up to 14 plays one after another, each as often as a number says that it calls
// seconds per turn, and with one or two tiles in the bag goes through all racks without looking at a clock. So this program measures what one
// of these seconds costs, for each kind of search, and asks for as many as take the movetime on average. Single turns take more or less.
// Quackle's own sign to stop is given at twice the movetime.
//
// Each search runs in a process of its own. If it has no answer after `--patience` ms, it is killed, and the best play by static equity is
// the answer; standard error says so. Say a `margin_ms` above it in a tournament, and `positions = "whole"`: nothing is remembered of a game.
//
// `make_quackle` builds it against a checkout of Quackle (tried with commit 87ffbe5), and makes its data. What is built contains Quackle, and
// is under its licence, GPL-3, as a whole.

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "alphabetparameters.h"
#include "bag.h"
#include "boardparameters.h"
#include "computerplayer.h"
#include "datamanager.h"
#include "game.h"
#include "gameparameters.h"
#include "lexiconparameters.h"
#include "resolvent.h"
#include "strategyparameters.h"
#include "test/trademarkedboards.h"

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

const int RACK_SIZE = 7;

// The command line.
struct Arguments {
    std::string data;
    std::string lexicon = "twl06";
    int patience = 15000;
    bool debug = false;
};

// The kinds of search, whose seconds cost differently.
enum class Kind { TwoPlies, ToTheEnd, PreEndgame, Endgame };

// What a search said.
struct Answer {
    std::string move;
    double took = 0;      // ms
    double fraction = 0;  // of the search that was done, 1 at its end
};

// Tells Quackle's player when to stop, and hears how far it is.
class Deadline : public Quackle::ComputerDispatch {
public:
    explicit Deadline(Clock::time_point until) : until_(until) {}
    bool shouldAbort() override {
        if (Clock::now() < until_) return false;
        aborted_ = true;
        return true;
    }
    void signalFractionDone(double fraction) override { fraction_ = std::max(fraction_, fraction); }
    double done() const { return aborted_ ? fraction_ : 1.0; }

private:
    Clock::time_point until_;
    double fraction_ = 0.0;
    bool aborted_ = false;
};

// A position whose count of turns without points can be set.
class OpenPosition : public Quackle::GamePosition {
public:
    explicit OpenPosition(const Quackle::GamePosition &position) : Quackle::GamePosition(position) {}
    void setScorelessTurns(int turns) { m_scorelessTurnsInARow = turns; }
};

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    std::istringstream stream(text);
    while (std::getline(stream, part, separator)) parts.push_back(part);
    parts.resize(std::max<size_t>(parts.size(), 1));
    return parts;
}

Quackle::LetterString encoded(const std::string &letters) {
    UVString leftover;
    Quackle::LetterString string = QUACKLE_ALPHABET_PARAMETERS->encode(letters, &leftover);
    if (!leftover.empty()) throw std::runtime_error("not letters: " + letters);
    return string;
}

// Puts the tiles of a CGP's board on an empty board, one at a time.
void place(Quackle::Board &board, const std::string &rows) {
    int row = 0;
    for (const std::string &text : split(rows, '/')) {
        int column = 0;
        for (size_t at = 0; at < text.size();) {
            if (isdigit(text[at])) {
                size_t digits = 0;
                column += std::stoi(text.substr(at), &digits);
                at += digits;
            } else {
                board.makeMove(Quackle::Move::createPlaceMove(row, column, true, encoded(text.substr(at, 1))));
                column += 1;
                at += 1;
            }
        }
        row += 1;
    }
}

// The position of a CGP from the player on turn. A rack of the other player's that is unknown or known in part is filled from the tiles unseen.
Quackle::GamePosition position_of(const std::string &cgp) {
    std::istringstream fields(cgp);
    std::string rows, racks, scores;
    int scoreless = 0;
    if (!(fields >> rows >> racks >> scores >> scoreless)) throw std::runtime_error("not a CGP: " + cgp);

    Quackle::PlayerList players;
    for (const char *name : {"mover", "other"}) players.push_back(Quackle::Player(name, Quackle::Player::ComputerPlayerType));
    Quackle::Game game;
    game.setPlayers(players);
    game.addPosition();
    OpenPosition position(game.currentPosition());

    place(position.underlyingBoardReference(), rows);
    Quackle::Bag bag = position.board().tilesNotOnBoard();
    racks += '/';
    std::vector<std::string> held = split(racks, '/');
    held.resize(2);
    for (int id : {0, 1}) {
        Quackle::Rack rack(encoded(held[id]));
        if (!bag.removeLetters(rack.tiles())) throw std::runtime_error("more tiles than there are: " + cgp);
        if (id == 1) bag.refill(rack);
        position.setPlayerRack(id, rack, false);
    }
    position.setBag(bag);
    std::vector<std::string> points = split(scores, '/');
    for (int id : {1, 0}) {
        position.setCurrentPlayer(id);
        position.setPlayerOnTurn(id);
        position.currentPlayer().setScore(std::stoi(points.at(id)));
    }
    position.setScorelessTurns(scoreless);
    position.ensureBoardIsPreparedForAnalysis();
    return position;
}

// The move in the notation of SIU.
std::string siu_move(const Quackle::GamePosition &position, Quackle::Move move) {
    switch (move.action) {
        case Quackle::Move::Pass:
            return "pass";
        case Quackle::Move::Exchange:
            return "ex." + QUACKLE_ALPHABET_PARAMETERS->userVisible(move.tiles());
        case Quackle::Move::Place: {
            std::string word = QUACKLE_ALPHABET_PARAMETERS->userVisible(position.board().prettyTilesOfMove(move, false));
            return move.positionString() + "." + word;
        }
        default:
            throw std::runtime_error("no move: " + move.toString());
    }
}

Kind kind_of(const Quackle::GamePosition &position) {
    int in_bag = position.bag().size();
    if (in_bag == 0) return Kind::Endgame;
    if (in_bag <= 2) return Kind::PreEndgame;
    return in_bag <= 2 * RACK_SIZE ? Kind::ToTheEnd : Kind::TwoPlies;
}

// Quackle's answer with this number of its seconds.
Answer search(const Quackle::GamePosition &position, int seconds, Clock::time_point start, double movetime) {
    Quackle::TorontoPlayer player;
    player.setParameters(Quackle::ComputerParameters{seconds, false});
    Deadline deadline(start + std::chrono::microseconds(static_cast<long>(2000 * movetime)));
    player.setPosition(position);
    player.setDispatch(&deadline);
    Quackle::Move move = player.move();
    return {siu_move(position, move), Milliseconds(Clock::now() - start).count(), deadline.done()};
}

// A search in a process of its own; `none` after so many ms.
Answer search_apart(const Quackle::GamePosition &position, int seconds, Clock::time_point start, double movetime, int patience) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        std::ostringstream line;
        try {
            Answer answer = search(position, seconds, start, movetime);
            line << answer.move << ' ' << answer.took << ' ' << answer.fraction << '\n';
        } catch (const std::exception &error) {
            std::cerr << "Quackle: " << error.what() << std::endl;
            _exit(1);
        }
        std::string text = line.str();
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    pollfd waiting{ends[0], POLLIN, 0};
    int left = patience - static_cast<int>(Milliseconds(Clock::now() - start).count());
    char text[256] = {};
    Answer answer;
    if (poll(&waiting, 1, std::max(left, 0)) > 0 && read(ends[0], text, sizeof text - 1) > 0) {
        std::istringstream(text) >> answer.move >> answer.took >> answer.fraction;
    }
    close(ends[0]);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return answer;
}

// What one of Quackle's seconds costs, in ms, for each kind of search that knows of them. Endgames do not.
class Costs {
public:
    // The number of seconds that takes this time, at least 1.
    int seconds(Kind kind, double movetime) const {
        auto cost = costs_.find(kind);
        return cost == costs_.end() ? 1 : std::max(1, static_cast<int>(std::lround(movetime / cost->second)));
    }

    // Learns from a search, an eighth of the way.
    void learn(Kind kind, int seconds, const Answer &answer) {
        auto cost = costs_.find(kind);
        if (cost != costs_.end()) cost->second += (answer.took / std::max(answer.fraction, 0.05) / seconds - cost->second) / 8;
    }

private:
    std::map<Kind, double> costs_ = {{Kind::TwoPlies, 130}, {Kind::ToTheEnd, 130}, {Kind::PreEndgame, 400}};
};

// The answer to a `go`, and what standard error is to hear of it.
std::string choose(const std::string &cgp, double movetime, Costs &costs, const Arguments &arguments) {
    Clock::time_point start = Clock::now();
    Quackle::GamePosition position = position_of(cgp);
    Kind kind = kind_of(position);
    int seconds = costs.seconds(kind, movetime);
    Answer answer = search_apart(position, seconds, start, movetime, arguments.patience);
    if (answer.move.empty()) {
        std::cerr << "no answer after " << arguments.patience << " ms, the best static play instead: " << cgp << std::endl;
        Quackle::StaticPlayer player;
        player.setPosition(position);
        answer = {siu_move(position, player.move()), Milliseconds(Clock::now() - start).count(), 0.5};
    }
    costs.learn(kind, seconds, answer);
    if (arguments.debug) {
        std::cerr << answer.took << " ms of " << movetime << ", kind " << static_cast<int>(kind) << ", bag " << position.bag().size() << ", "
                  << seconds << " seconds, done " << answer.fraction << ": " << answer.move << std::endl;
    }
    return answer.move;
}

void load(const Arguments &arguments) {
    QUACKLE_DATAMANAGER->setAppDataDirectory(arguments.data);
    QUACKLE_DATAMANAGER->setBackupLexicon("default_english");
    QUACKLE_DATAMANAGER->setBoardParameters(new ScrabbleBoard);  // the library alone has another board
    std::string words = arguments.data + "/lexica/" + arguments.lexicon;
    QUACKLE_LEXICON_PARAMETERS->loadDawg(words + ".dawg");
    QUACKLE_LEXICON_PARAMETERS->loadGaddag(words + ".gaddag");
    QUACKLE_STRATEGY_PARAMETERS->initialize(arguments.lexicon);
    if (!QUACKLE_LEXICON_PARAMETERS->hasDawg() || !QUACKLE_LEXICON_PARAMETERS->hasGaddag()) throw std::runtime_error("no words: " + words);
    const Quackle::StrategyParameters *strategy = QUACKLE_STRATEGY_PARAMETERS;
    if (!strategy->hasSyn2() || !strategy->hasWorths() || !strategy->hasVcPlace() || !strategy->hasBogowin() || !strategy->hasSuperleaves()) {
        throw std::runtime_error("a table of Quackle's strategy is missing in " + arguments.data);
    }
}

Arguments read_arguments(int count, char **words) {
    Arguments arguments;
    for (int at = 1; at < count; ++at) {
        std::string word = words[at];
        if (word == "--debug") {
            arguments.debug = true;
        } else if (at + 1 < count && word == "--data") {
            arguments.data = words[++at];
        } else if (at + 1 < count && word == "--lexicon") {
            arguments.lexicon = words[++at];
        } else if (at + 1 < count && word == "--patience") {
            arguments.patience = std::stoi(words[++at]);
        } else {
            throw std::runtime_error("not understood: " + word);
        }
    }
    if (arguments.data.empty()) throw std::runtime_error("--data is needed: the folder with lexica/ and strategy/");
    return arguments;
}

// Answers SIU until `quit`, on what was standard output: Quackle writes on it, too, and that goes nowhere.
void serve(const Arguments &arguments) {
    FILE *out = fdopen(dup(STDOUT_FILENO), "w");
    if (out == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr) throw std::runtime_error("no output");
    Quackle::DataManager manager;
    load(arguments);
    Costs costs;
    std::string cgp;
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> words = split(line, ' ');
        if (words[0] == "siu") {
            std::fputs("id name Quackle 87ffbe5\nid author Jason Katz-Brown, John O'Laughlin, John Fultz\ncapability auto\nsiuok\n", out);
        } else if (words[0] == "isready") {
            std::fputs("readyok\n", out);
        } else if (line.rfind("position cgp ", 0) == 0) {
            cgp = line.substr(13);
        } else if (words[0] == "go") {
            auto at = std::find(words.begin(), words.end(), "movetime");
            if (at == words.end() || at + 1 == words.end()) throw std::runtime_error("only `go movetime <ms>` is known");
            std::fprintf(out, "bestmove %s\n", choose(cgp, std::stod(at[1]), costs, arguments).c_str());
        } else if (words[0] == "quit") {
            return;
        }
        std::fflush(out);
    }
}

int main(int count, char **words) {
    try {
        serve(read_arguments(count, words));
    } catch (const std::exception &error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    return 0;
}
