//! Word maps, made in the background: searches begin without them and are faster with them.

use crate::lexicon::Lexicon;
use crate::search::threads::{THREAD_SPACE, has_room_for_search};
use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};

/// Bytes of a word map for each byte of the word graph, while it is made: 10 for ENABLE, somewhat more where words share less.
const MAP_BYTES: usize = 16;

/// Sends lexicons to the thread that makes word maps, one after the other; `None` until it is started.
///
/// One thread serves the whole process, because allocators keep freed memory for the thread that used
/// it. With a thread for each map, the process held the memory of many maps.
static MAP_MAKER: Mutex<Option<mpsc::Sender<Weak<Lexicon>>>> = Mutex::new(None);

/// Starts to make a lexicon's word map in the background. Searches are slower until it is there. They stay slower if it lacks memory or
/// a thread.
pub fn make_map_beside(lexicon: &Arc<Lexicon>) {
    let bytes = size_of_val(lexicon.graph().nodes()).saturating_mul(MAP_BYTES);
    // The thread takes space of its own, and a search may begin meanwhile.
    if !has_room_for_search(bytes.saturating_add(THREAD_SPACE)) {
        tracing::info!("no memory for the word map of {}: searches are slower", lexicon.name());
        return;
    }
    let mut maker = MAP_MAKER.lock().unwrap_or_else(PoisonError::into_inner);
    let lexicon = Arc::downgrade(lexicon);
    match maker.take().map_or_else(start_map_maker, Ok) {
        // A maker that has died of a bug makes no map.
        Ok(sender) => drop(maker.insert(sender).send(lexicon)),
        Err(error) => tracing::info!("no thread for the word map ({error}): searches are slower"),
    }
}

fn start_map_maker() -> io::Result<mpsc::Sender<Weak<Lexicon>>> {
    let (sender, lexicons) = mpsc::channel::<Weak<Lexicon>>();
    // A lexicon that was dropped meanwhile needs no map.
    let make = move || lexicons.iter().filter_map(|lexicon| lexicon.upgrade()).for_each(|lexicon| lexicon.make_map());
    std::thread::Builder::new().name("word maps".to_string()).spawn(make)?;
    Ok(sender)
}
