//! Tests how a browser opens the board. `tests/integration/board_access.rs` tests who else can reach it.

use crate::board_page::BoardPage;
use crate::driver::Browser;
use std::fs;

#[test]
fn a_file_leads_the_browser_to_the_board() {
    let board = BoardPage::serve();
    let browser = Browser::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("way.html");
    fs::write(&file, format!("<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0;url={}\">", board.address)).expect("a file");
    browser.open(&format!("file://{}", file.display()));
    browser.wait("location.protocol === 'http:' && document.querySelector('#status')?.textContent.startsWith('Ready')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn the_name_localhost_leads_to_the_address_of_the_board() {
    let board = BoardPage::serve();
    let browser = Browser::start();
    browser.open(&board.address.replace("127.0.0.1", "localhost"));
    browser.wait("document.querySelector('#status')?.textContent.startsWith('Ready')");
    assert_eq!(browser.script("return location.href"), format!("http://127.0.0.1:{}/", board.port));
}
