//! The document around a page's content, and the tables in it. Start with [`sheet`].

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours, light and dark, tables and cards, narrow and wide, print.
const STYLE: &str = include_str!("base.css");

/// The content security policy: nothing is loaded from anywhere, whatever the names in a record contain.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// An empty icon: without one, browsers ask the page's server for it.
const ICON: &str = "data:,";

/// A table with this row of headings, and these rows.
pub fn table(heading: &Markup, rows: &Markup) -> Markup {
    html! { table { thead { tr { (heading) } } tbody { (rows) } } }
}

/// A document with its own style after that of all pages. `script` may be empty.
pub fn sheet(title: &str, style: &str, script: &str, body: &Markup) -> String {
    let sheet = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href=(ICON);
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

/// Checks that a page is well formed, for the tests of all pages.
#[cfg(test)]
pub(crate) mod tests {
    /// Elements without an end.
    const VOID: [&str; 5] = ["meta", "link", "input", "br", "!DOCTYPE"];

    /// Returns what is wrong with a page: elements not closed in order, attributes and ids that come twice, dead links, files from elsewhere.
    pub(crate) fn faults(page: &str) -> Vec<String> {
        let (mut faults, mut open, mut ids, mut links) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut rest = page;
        while let Some(start) = rest.find('<') {
            let end = rest[start..].find('>').map_or(rest.len(), |end| start + end);
            let tag = &rest[start + 1..end];
            rest = &rest[(end + 1).min(rest.len())..];
            let name = tag.trim_start_matches('/').split(char::is_whitespace).next().unwrap_or_default();
            let mut attributes = Vec::new();
            for part in tag.split("=\"").zip(tag.split("=\"").skip(1)) {
                let value = part.1.split('"').next().unwrap_or_default();
                let attribute = part.0.rsplit(' ').next().unwrap_or_default();
                if attributes.contains(&attribute) {
                    faults.push(format!("{attribute} comes twice in <{name}>"));
                }
                attributes.push(attribute);
                match attribute {
                    "id" => ids.push(value.to_string()),
                    "href" if value != super::ICON => links.push(value.to_string()),
                    "src" => faults.push(format!("{value} is loaded")),
                    _ => {}
                }
            }
            if tag.starts_with('/') {
                let opened = open.pop();
                if opened != Some(name) {
                    faults.push(format!("</{name}> ends {opened:?}"));
                }
            } else if !VOID.contains(&name) {
                open.push(name);
                if ["style", "script"].contains(&name) {
                    let end = rest.find(&format!("</{name}>")).unwrap_or(rest.len());
                    rest = &rest[end..];
                }
            }
        }
        faults.extend(open.iter().map(|name| format!("<{name}> has no end")));
        let mut sorted = ids.clone();
        sorted.sort();
        sorted.dedup();
        if sorted.len() != ids.len() {
            faults.push("an id comes twice".to_string());
        }
        faults.extend(links.iter().filter(|link| !link.strip_prefix('#').is_some_and(|id| ids.iter().any(|found| found == id))).cloned());
        faults
    }

    #[test]
    fn faults_are_seen() {
        for (wrong, fault) in [
            ("<p>", "<p> has no end"),
            ("<p><b></p></b>", "</p> ends Some(\"b\")"),
            ("<i id=\"a\"></i><i id=\"a\"></i>", "an id comes twice"),
            ("<i class=\"a\" class=\"b\"></i>", "class comes twice in <i>"),
            ("<a href=\"#b\"></a>", "#b"),
            ("<a href=\"http://x\"></a>", "http://x"),
            ("<img src=\"x\">", "x is loaded"),
        ] {
            assert!(faults(wrong).contains(&fault.to_string()), "{wrong}: {:?}", faults(wrong));
        }
        assert!(faults("<!DOCTYPE html><p id=\"a\">a<br>b</p><a href=\"#a\"></a><script>a < b</script>").is_empty());
    }
}
