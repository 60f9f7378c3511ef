//! The document around a page's content. Start with [`sheet`].

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours, light and dark, tables and cards, narrow and wide, print.
const STYLE: &str = include_str!("base.css");

/// Nothing is loaded from anywhere, whatever a name in a record says.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A document with its own style after that of all pages. `script` may be empty.
pub fn sheet(title: &str, style: &str, script: &str, body: &Markup) -> String {
    let sheet = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                (body)
                @if !script.is_empty() { script { (PreEscaped(script)) } }
            }
        }
    };
    sheet.into_string()
}
