//! Makes the seeds: [`write_all`] writes `<folder>/<target>/` for each target, and dictionaries of words.
//!
//! A seed is something whole (a conversation of `protocol/sessions`, a position, a table), or a copy of it that is cut off, has a wrong
//! byte, or has a part twice. The same program makes the same seeds. Files are read from the top folder of the repository, which must be the current one.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use tilewright::formats::{klv2, kwg};
use tilewright::internals::seal;
use tilewright::lexicon::Lexicon;
use tilewright::rules::LetterDistribution;

/// Damaged copies of each seed.
const DAMAGED: u64 = 6;

/// Lines of a conversation that the target `lines` reads.
const LINES: usize = 20;

/// Every kind of event of a game.
const GAME: &str = "\
#character-encoding UTF-8
#player1 Ann Ann Arbor
#player2 Ben
#title A short game
#lexicon ENABLE
#rack1 AB
>Ann: ACEIRTV 8D VICAR +28 28
#note The first play,
and a note of two lines.
>Ben: AEFGHII -FGII +0 0
>Ann: BDEELNT - +0 28
>Ben: AAEHOOT H7 O.EA +4 4
>Ben: AAEHOOT -- -4 0
>Ann: BDEELNT H8 (R)END +5 33
>Ann: BELT (challenge) +5 38
>Ben: AAEHOOT 11H DOAT +10 10 DOAT, EnD
>Ann: BELQTU? -3 +0 38
>Ben: AEHIIOS (AEHIIOS) -10 0
>Ben: (AET) +10 10
>Ben: AEHIIOS (time) -20 -20
";

/// A match as earlier versions kept it, without its pairs.
const MATCH: &str = concat!(
    r#"{"tilewright":"0.1.0","players":["static","greedy"],"tables":[{"leaves":"a#1","winpct":"b#2"},{"leaves":"a#1","winpct":"b#2"}],"#,
    r#""lexicon":"ENABLE#3","rules":"small#4","seed":1,"clock_ms":1000}"#,
    "\n"
);

/// Writes the seeds of all targets.
///
/// # Errors
/// A file that cannot be read or written.
pub fn write_all(folder: &Path) -> io::Result<()> {
    let conversations = conversations()?;
    let lines: Vec<&str> = conversations.iter().flat_map(|lines| lines.iter().map(String::as_str)).collect();
    let words: BTreeSet<&str> = lines.iter().flat_map(|line| line.split_whitespace()).filter(|word| word.len() < 20).collect();

    let chunks = conversations.iter().flat_map(|lines| lines.chunks(LINES)).map(|lines| lines.join("\n").into_bytes());
    write(folder, "lines", chunks.collect())?;
    fs::write(folder.join("lines.dict"), dictionary(words.iter().copied()))?;

    // Choices of a game and of what is asked about it, drawn at random.
    let choices =
        |seed: u64| (0..200).flat_map(move |at| (seed << 8 | at).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).to_le_bytes());
    write(folder, "engine", (1..40).map(|seed| choices(seed).collect()).collect())?;

    let mut positions: Vec<String> = lines.iter().filter_map(|line| line.strip_prefix("position cgp ")).map(String::from).collect();
    for file in files("src/lab/data", "cgp")? {
        positions.extend(file.lines().map(String::from));
    }
    let small = ["5/1A3/1[CH]ER1/5/5 AE?/ 0/0 0", "5/5/5/5/5 /[CH] -5/7 3 etl 1; cr 5pt; frob 1;"].map(|text| format!("+{text}"));
    let english = positions.iter().map(|text| format!(" {}", text.split(" moves ").next().unwrap_or_default()));
    write(folder, "cgp", english.chain(small).map(String::into_bytes).collect())?;
    let opcodes =
        ["bb ", "bdn ", "cr void", "etl ", "gid ", "ld ", "lex ", "lm ", "mcnz ", "oru;", "ti ", "to ", "tmr ", "var misere", "; "];
    fs::write(folder.join("cgp.dict"), dictionary(opcodes.into_iter().chain(["15/", "[CH]", "?", "/"])))?;

    write(folder, "gcg", vec![format!(" {GAME}").into_bytes(), b"+>a: AB 3B AB +10 10\n>b: E -E +0 0\n".to_vec()])?;
    let pieces =
        ["#player1 ", "#rack2 ", "#note ", "(challenge)", "(time)", " -- ", " - ", "+0 ", ">Ann: ", ">Ben: ", " 8H ", " H8 ", "(A)", "."];
    fs::write(folder.join("gcg.dict"), dictionary(pieces.into_iter()))?;

    let told = lines.iter().filter_map(|line| line.strip_prefix("play ").map(|play| vec![play]));
    let listed = lines.iter().filter_map(|line| line.split_once(" moves ").map(|(_, moves)| moves.split_whitespace().collect()));
    let mut moves: Vec<&str> = told.chain(listed).flatten().collect();
    moves.extend(["ex.AB.ABCDEFG", "ex.3", "pass", "phony.8D.DOG", "8D.DOG.DGOAEIR.5.1", "B2.[CH]A", "h7.bA.AB?", "2B.AA..-5"]);
    let seeds = moves.iter().enumerate().map(|(at, text)| [&[at as u8 % 4], text.as_bytes()].concat());
    write(folder, "notation", seeds.collect())?;

    let lists = ["CAT\nCATS\nCARE\nACT\nTACO", "AA\nAB", "ZZZ", "QUIZ\nQUIZZED\nQUIZZES\nQUIZZER\nQUIZZERS"];
    let graph = |list: &&str| kwg::to_bytes(Lexicon::from_text("seed", &LetterDistribution::english(), list).expect("words").graph());
    write(folder, "kwg", lists.iter().map(graph).collect())?;
    let leaves: [&[(&[u8], f32)]; 3] =
        [&[], &[(&[0], 25.0), (&[0, 19], 30.5), (&[17], -7.0)], &[(&[1, 1, 2, 3, 4, 5], 1e30), (&[2], -0.0)]];
    let values = |leaves: &&[(&[u8], f32)]| klv2::to_bytes(&leaves.iter().copied().collect()).expect("few leaves");
    write(folder, "klv2", leaves.iter().map(values).collect())?;

    let wins = ["unseen,-1,0,1\n30,0.2,0.5,0.75\n7/5,0,0.5,1\n", "# text\nunseen,5\n0,1\n1,0.5\n"].map(|text| text.as_bytes().to_vec());
    write(folder, "win_table", wins.to_vec())?;
    write(folder, "letter_distribution", vec![fs::read("src/formats/data/english.csv")?, b"?,?,1,0,0\nA,a,6,1,1\nCH,ch,6,5,0\n".to_vec()])?;
    write(folder, "layout", vec![fs::read("src/formats/data/standard15.txt")?, b"=.=\n.+.\n~^\"\n".to_vec(), b"*'\n--\n".to_vec()])?;
    write(
        folder,
        "bag_terms",
        vec![fs::read("lexicons/enable.bag.csv")?, b"left,worth,leave\n-1,-2.5,0\n0,1000,1\n1,0.001,0.25\n".to_vec()],
    )?;
    // One kind of tile has one leave of each size, two kinds have 27 in all, and 8 full racks.
    let table = |magic: &[u8; 8], kinds: u32, numbers: u8| {
        let numbers = (0..numbers).flat_map(|number| i16::from(number).to_le_bytes());
        [&magic[..], &kinds.to_le_bytes()].concat().into_iter().chain(numbers).collect::<Vec<u8>>()
    };
    write(folder, "leave_table", vec![table(b"TWLEAVE1", 1, 6), table(b"TWLEAVE1", 2, 27), table(b"TWRACKS1", 2, 8)])?;
    let pair = |pair| format!("{{\"pair\":{pair},\"divergent\":true,\"games\":[{0},{0}]}}\n", GAME_RESULT);
    let old = format!("{MATCH}{}{}", pair(0), pair(1)).into_bytes();
    write(folder, "match_file", vec![MATCH.into(), old, journal().into_bytes()])
}

/// A journal of one pair, in which a fault ended a game.
fn journal() -> String {
    let identity =
        r#"{"tilewright":"0.1.0","lexicon":"ENABLE@3","rules":"english@4","identities":["static","X"],"configuration":{"seed":1}}"#;
    let head = format!(r#"{{"journal":1,"kind":"pairs","unit":"pair","pieces":1,"run":"1f","identity":{identity}}}"#);
    let game = GAME_RESULT.trim_end_matches('}');
    let plays = r#"[{"play":"8D.DOG","score":10,"time_us":5,"told":{"wp":50.5}},{"play":"pass","score":0,"time_us":6}]"#;
    let fault = r#"{"player":1,"reason":"late","text":"x"}"#;
    let games = format!(r#"{game},"plays":{plays},"idle_us":[0,7]}},{game},"plays":[],"idle_us":[0,0],"fault":{fault}}}"#);
    let keys = r#""piece":0,"run":"1f","deal":0,"engines":[0,1],"bag":"AB?","divergent":true"#;
    let pair = format!("{{{keys},\"games\":[{games}]}}");
    [seal(&head), seal(&pair)].concat()
}

/// A game of [`MATCH`].
const GAME_RESULT: &str = r#"{"scores":[401,350],"turns":[12,11],"bingos":[1,0],"time_us":[5,6],"overstepped":[false,true]}"#;

/// The lines that each example session sends to the engine.
fn conversations() -> io::Result<Vec<Vec<String>>> {
    let sessions = files("protocol/sessions", "session")?;
    let said = |text: &String| text.lines().filter_map(|line| line.strip_prefix("> ")).map(String::from).collect();
    Ok(sessions.iter().map(said).collect())
}

/// The files of a folder that end so, in order.
fn files(folder: &str, extension: &str) -> io::Result<Vec<String>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.iter().map(|path| Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())).collect()
}

/// Words as libFuzzer reads them.
fn dictionary<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let escaped = |word: &str| word.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    words.map(|word| format!("\"{}\"\n", escaped(word))).collect()
}

/// Writes the seeds of a target, each with damaged copies.
fn write(folder: &Path, target: &str, seeds: Vec<Vec<u8>>) -> io::Result<()> {
    let folder = folder.join(target);
    fs::create_dir_all(&folder)?;
    for (index, seed) in seeds.into_iter().enumerate() {
        fs::write(folder.join(format!("seed-{index}")), &seed)?;
        for number in 0..DAMAGED {
            fs::write(folder.join(format!("seed-{index}-{number}")), damaged(&seed, number))?;
        }
    }
    Ok(())
}

/// A copy that is cut off, has a wrong byte, or has a part twice.
fn damaged(seed: &[u8], number: u64) -> Vec<u8> {
    if seed.is_empty() {
        return Vec::new();
    }
    let place =
        |salt: u64| ((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt).wrapping_mul(0xd134_2543_de82_ef95) as usize % seed.len();
    let mut bytes = seed.to_vec();
    match number % 3 {
        0 => bytes.truncate(place(1)),
        1 => bytes[place(2)] ^= 1 << (number % 8),
        _ => {
            let (at, part) = (place(3), seed[place(4)..].iter().take(16).copied().collect::<Vec<u8>>());
            bytes.splice(at..at, part);
        }
    }
    bytes
}
