//! The board's page: its files, compiled in, and what the browser may do with them. The page itself is in `page/`: no library, no build step.
//!
//! Start with [`FILES`], and in `page/` with `app.js`.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its path on the server.
    pub path: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub text: &'static str,
}

const fn script(path: &'static str, text: &'static str) -> PageFile {
    PageFile { path, media: "text/javascript; charset=utf-8", text }
}

/// All files.
pub const FILES: [PageFile; 33] = [
    PageFile { path: "/", media: "text/html; charset=utf-8", text: include_str!("page/index.html") },
    PageFile { path: "/style.css", media: "text/css; charset=utf-8", text: include_str!("page/style.css") },
    script("/against.js", include_str!("page/against.js")),
    script("/analysis.js", include_str!("page/analysis.js")),
    PageFile { path: "/icon.svg", media: "image/svg+xml", text: include_str!("page/icon.svg") },
    script("/app.js", include_str!("page/app.js")),
    script("/board.js", include_str!("page/board.js")),
    script("/clock.js", include_str!("page/clock.js")),
    script("/commands.js", include_str!("page/commands.js")),
    script("/connection.js", include_str!("page/connection.js")),
    script("/controls.js", include_str!("page/controls.js")),
    script("/curve.js", include_str!("page/curve.js")),
    script("/game.js", include_str!("page/game.js")),
    script("/hands.js", include_str!("page/hands.js")),
    script("/load.js", include_str!("page/load.js")),
    script("/memory.js", include_str!("page/memory.js")),
    script("/notices.js", include_str!("page/notices.js")),
    script("/position.js", include_str!("page/position.js")),
    script("/quiz.js", include_str!("page/quiz.js")),
    script("/ranking.js", include_str!("page/ranking.js")),
    script("/report.js", include_str!("page/report.js")),
    script("/rules.js", include_str!("page/rules.js")),
    script("/saving.js", include_str!("page/saving.js")),
    script("/setup.js", include_str!("page/setup.js")),
    script("/show.js", include_str!("page/show.js")),
    script("/state.js", include_str!("page/state.js")),
    script("/study.js", include_str!("page/study.js")),
    script("/tables.js", include_str!("page/tables.js")),
    script("/tabs.js", include_str!("page/tabs.js")),
    script("/tree.js", include_str!("page/tree.js")),
    script("/turns.js", include_str!("page/turns.js")),
    script("/wire.js", include_str!("page/wire.js")),
    script("/words.js", include_str!("page/words.js")),
];

/// The content security policy of the page: its own files and a WebSocket to its server, and nothing else, whatever a loaded game contains.
pub fn policy(port: u16) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws://127.0.0.1:{port}; img-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_loads_is_there_and_comes_from_nowhere_else() {
        for file in FILES {
            assert!(!file.text.contains("https://") && !file.text.contains("innerHTML = `"), "{}", file.path);
            for line in file.text.lines() {
                let named = line.split_once("from \"./").or_else(|| line.split_once("href=\"")).or_else(|| line.split_once("src=\""));
                // A name after # is a part of the page itself.
                if let Some(name) = named.and_then(|(_, rest)| rest.split('"').next()).filter(|name| !name.starts_with('#')) {
                    assert!(FILES.iter().any(|file| file.path == format!("/{name}")), "{} loads {name}", file.path);
                }
            }
        }
        // Every script is preloaded, so that it does not wait for the one that imports it.
        for script in FILES.iter().filter(|file| file.path.ends_with(".js") && file.path != "/app.js") {
            assert!(FILES[0].text.contains(&format!(r#"<link rel="modulepreload" href="{}" />"#, &script.path[1..])), "{}", script.path);
        }
        // The policy allows no script and no style in the page itself.
        assert!(!FILES[0].text.contains("<style") && !FILES[0].text.contains("style=") && !FILES[0].text.contains("<script>"));
    }
}
