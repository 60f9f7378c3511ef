//! The Inference player of \[Richards & Amir 2007\], on this engine's searches.
//! Simulations deal the opponent's tiles by the belief that follows from their last turns,
//! and pre-endgames weigh draws by it. Their player is `inference:richards-amir`.
//! All else is the engine's.

use crate::players::kind::{KindLeaves, LATE, LEAVES, OptionPrinted, PlayerKind, PlayerOption, PlayerOptionType, PlayerOptions, WIN_TABLE};
use crate::players::strategies::engine::{EnginePlayer, EngineSettings, ITERATIONS, NODES};
use crate::players::view::Sight;
use crate::rules::VariantSupport;
use crate::search::OpponentModel;

/// The engine with an opponent model.
pub const INFERENCE: PlayerKind = PlayerKind {
    name: "inference",
    about: "the engine, which infers what the opponent kept before it simulates; at most N racks are held against each of their turns",
    sight: Sight::Fair,
    options: &[MODEL, HELD, SIMS, PlayerOption { printed: OptionPrinted::Always, ..LATE }, ITERATIONS, NODES, LEAVES, WIN_TABLE],
    leaves: KindLeaves::Lexicon,
    variants: VariantSupport::CLASSIC,
    make: |options, _, knowledge| Box::new(EnginePlayer::new(knowledge, settings(options))),
};

const MODEL: PlayerOption = PlayerOption {
    name: "model",
    values: PlayerOptionType::Word { words: &["uniform", "richards-amir", "static", "sim", "auto"], default: "static" },
    printed: OptionPrinted::Bare,
};
/// Racks that `inference:sim` simulates.
const SIMS: PlayerOption =
    PlayerOption { name: "sims", values: PlayerOptionType::Count { most: 2000, default: Some(20) }, printed: OptionPrinted::IfNotDefault };
const HELD: PlayerOption = PlayerOption::count("held", 200_000, 1000);

fn settings(options: &PlayerOptions) -> EngineSettings {
    let model = OpponentModel::from_name(options.word(&MODEL)).unwrap_or_default();
    let held = usize::try_from(options.count(&HELD)).unwrap_or(usize::MAX);
    let simulated = usize::try_from(options.count(&SIMS)).unwrap_or(usize::MAX);
    EngineSettings { model, held, simulated, ..EngineSettings::of(options) }
}
