//! A file of `src/` as its compiler reads it: the paths that its code uses, its types and functions, and its lines without
//! tests. What stands under `#[cfg(test)]` is left out; so are comments, and with them the links of the documentation.
//!
//! A path is written from the crate's root: `super::X` in `search/endgame/moves.rs` is `search`, `endgame`, `X`.

use super::{files_below, repository};
use proc_macro2::{TokenStream, TokenTree};
use std::sync::LazyLock;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, Stmt, TraitItem, UseTree};

/// A file with what its code names and defines.
pub struct Source {
    /// Relative to `src/`, with `/`.
    pub name: String,
    /// All of it.
    pub text: String,
    /// The lines of code that are shipped, with their numbers: no tests, no comments.
    pub shipped: Vec<(usize, String)>,
    /// Number of lines that are not tests, comments and blank lines among them.
    pub lines_without_tests: usize,
    /// Paths that the code uses, from the crate's root, with their lines.
    pub uses: Vec<(usize, Vec<String>)>,
    /// Structs, enums, unions, traits and aliases that stand by themselves, with their lines.
    pub types: Vec<(usize, String)>,
    /// Functions with the lines on which they begin and their number of lines.
    pub functions: Vec<(usize, String, usize)>,
}

impl Source {
    /// Reads a file's text; `name` is relative to `src/`.
    pub fn read(name: &str, text: &str) -> Source {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("src/{name}: {error}"));
        let mut reader = Reader { module: module_of(name), uses: Vec::new(), types: Vec::new(), functions: Vec::new(), tests: Vec::new() };
        reader.visit_file(&file);
        let Reader { uses, types, functions, tests, .. } = reader;
        let is_test = |line: usize| tests.iter().any(|(first, last)| (*first..=*last).contains(&line));
        let lines: Vec<(usize, &str)> =
            text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(number, _)| !is_test(*number)).collect();
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_string();
        Source {
            name: name.to_string(),
            text: text.to_string(),
            shipped: lines.iter().map(|(number, line)| (*number, code(line))).collect(),
            lines_without_tests: lines.len(),
            uses,
            types,
            functions,
        }
    }

    /// The folder of `src/` that the file is in.
    pub fn folder(&self) -> Option<&str> {
        self.name.split_once('/').map(|(folder, _)| folder)
    }
}

/// All files of `src/`, tests too.
pub fn all_files() -> &'static [Source] {
    static FILES: LazyLock<Vec<Source>> = LazyLock::new(read_all_files);
    &FILES
}

fn read_all_files() -> Vec<Source> {
    let names = files_below("src", |_| true);
    let names = names.iter().filter_map(|path| path.strip_prefix("src/")).filter(|name| name.ends_with(".rs"));
    let read = |name: &str| std::fs::read_to_string(repository().join("src").join(name)).expect("a readable file");
    let files: Vec<Source> = names.map(|name| Source::read(name, &read(name))).collect();
    assert!(files.len() > 10, "only {} files below src", files.len());
    files
}

/// The files of `src/` without those that are tests as a whole.
pub fn shipped_files() -> Vec<&'static Source> {
    all_files().iter().filter(|file| !is_test_file(&file.name)).collect()
}

/// Whether a file holds nothing but tests.
pub fn is_test_file(name: &str) -> bool {
    name.ends_with("/tests.rs") || name.contains("/tests/")
}

/// The module that a file is: `search/endgame/mod.rs` is `search`, `endgame`. The program's own file is a module beside the library.
pub fn module_of(name: &str) -> Vec<String> {
    let path = name.strip_suffix(".rs").unwrap_or(name);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Vec::new() } else { path.split('/').map(str::to_string).collect() }
}

struct Reader {
    module: Vec<String>,
    uses: Vec<(usize, Vec<String>)>,
    types: Vec<(usize, String)>,
    functions: Vec<(usize, String, usize)>,
    /// First and last lines of what is only there for tests.
    tests: Vec<(usize, usize)>,
}

impl Reader {
    /// Takes down a path as it is written in the code.
    fn take_path(&mut self, line: usize, written: &[String]) {
        let mut module = self.module.clone();
        let mut rest = written;
        match written.first().map(String::as_str) {
            Some("crate" | "tilewright") => {
                module.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            Some("super") => {}
            // A lone name is a local one, or came by an import.
            _ if written.len() < 2 => return,
            // A child of this module, or a name from elsewhere: that shows when it is looked up among the modules.
            _ => {}
        }
        while rest.first().is_some_and(|word| word == "super") {
            module.pop();
            rest = &rest[1..];
        }
        module.extend_from_slice(rest);
        self.uses.push((line, module));
    }

    fn take_use_tree(&mut self, line: usize, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.take_use_tree(line, &with(path.ident.to_string()), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.take_use_tree(line, before, item)),
            UseTree::Name(name) if name.ident == "self" => self.take_path(line, before),
            UseTree::Rename(rename) if rename.ident == "self" => self.take_path(line, before),
            UseTree::Name(name) => self.take_path(line, &with(name.ident.to_string())),
            UseTree::Rename(rename) => self.take_path(line, &with(rename.ident.to_string())),
            UseTree::Glob(_) => self.take_path(line, &with("*".to_string())),
        }
    }

    /// The paths among the arguments of a macro, which are tokens without a meaning of their own.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.end_path(line, &mut path);
                        line = word.span().start().line;
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && colons < 2 => colons += 1,
                other => {
                    self.end_path(line, &mut path);
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.take_tokens(group.stream());
                    }
                }
            }
        }
        self.end_path(line, &mut path);
    }

    fn end_path(&mut self, line: usize, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.take_path(line, path);
        }
        path.clear();
    }

    /// Whether something is only there for tests; if so its lines are taken down.
    fn is_test(&mut self, attributes: &[Attribute], whole: &impl Spanned) -> bool {
        let is_test = attributes.iter().any(|attribute| {
            let condition = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
            attribute.path().is_ident("cfg") && (condition == "test" || condition.replace(' ', "").starts_with("all(test,"))
        });
        if is_test {
            let first = attributes.first().map_or(whole.span(), Spanned::span).start().line;
            self.tests.push((first, whole.span().end().line));
        }
        is_test
    }

    fn take_function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let last = block.span().end().line;
        self.functions.push((first, signature.ident.to_string(), last + 1 - first));
    }

    fn take_type(&mut self, name: &syn::Ident) {
        self.types.push((name.span().start().line, name.to_string()));
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if self.is_test(attributes_of(item), item) {
            return;
        }
        match item {
            Item::Enum(item) => self.take_type(&item.ident),
            Item::Struct(item) => self.take_type(&item.ident),
            Item::Trait(item) => self.take_type(&item.ident),
            Item::Type(item) => self.take_type(&item.ident),
            Item::Union(item) => self.take_type(&item.ident),
            Item::Fn(item) => self.take_function(&item.sig, &item.block),
            Item::Use(item) => {
                let line = item.use_token.span.start().line;
                self.take_use_tree(line, &[], &item.tree);
                return;
            }
            Item::Mod(item) => {
                self.module.push(item.ident.to_string());
                if item.content.is_none() {
                    // Its file: written from the root.
                    let child = [vec!["crate".to_string()], self.module.clone()].concat();
                    self.take_path(item.mod_token.span.start().line, &child);
                }
                visit::visit_item_mod(self, item);
                self.module.pop();
                return;
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if self.is_test(attributes, item) {
            return;
        }
        if let ImplItem::Fn(function) = item {
            self.take_function(&function.sig, &function.block);
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if let TraitItem::Fn(function) = item {
            if self.is_test(&function.attrs, item) {
                return;
            }
            if let Some(block) = &function.default {
                self.take_function(&function.sig, block);
            }
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !self.is_test(&field.attrs, field) {
            visit::visit_field(self, field);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let attributes: &[Attribute] = match statement {
            Stmt::Local(local) => &local.attrs,
            Stmt::Macro(call) => &call.attrs,
            _ => &[],
        };
        if !self.is_test(attributes, statement) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.take_path(path.span().start().line, &words);
        }
        visit::visit_path(self, path);
    }

    /// `pub(in crate::search)` names where something may be used, and uses nothing itself.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.take_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[test]
fn paths_are_read_wherever_they_stand() {
    let text = "
use crate::rules::{Rack, scoring::{self, Score as S}, tiles::*};
mod child;
pub use child::Thing;
pub(in crate::cli) fn f(x: &super::board::Board) -> crate::search::Mode {
    assert_eq!(x, crate::movegen::lanes::LANE, \"{}\", self::child::f());
    let y: Vec<crate::evaluation::Leaves> = child::g::<super::super::lexicon::Words>(local, std::mem::take(x));
}
#[cfg(test)]
use crate::players::A;
struct Fields {
    a: u8,
    #[cfg(test)]
    b: crate::training::B,
}
mod inner {
    use super::super::state::C;
}
#[cfg(test)]
mod tests {
    use crate::cli::D;
}
";
    let used: Vec<String> = Source::read("search/endgame/mod.rs", text).uses.into_iter().map(|(_, path)| path.join("::")).collect();
    for path in [
        "rules::Rack",
        "rules::scoring",
        "rules::scoring::Score",
        "rules::tiles::*",
        "search::endgame::child",
        "search::endgame::child::Thing",
        "search::board::Board",
        "search::Mode",
        "movegen::lanes::LANE",
        "search::endgame::child::f",
        "evaluation::Leaves",
        "search::endgame::child::g",
        "lexicon::Words",
        "search::state::C",
    ] {
        assert!(used.iter().any(|found| found == path), "{path} is missing from {used:#?}");
    }
    for layer in ["cli", "players", "training"] {
        assert!(!used.iter().any(|found| found.starts_with(layer)), "{layer} is used by tests alone: {used:#?}");
    }
}

#[test]
fn tests_and_comments_are_not_shipped() {
    let text = "//! Text.\nuse a::B; // why\n\n/// Tested.\n#[cfg(test)]\nuse c::D;\nfn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\nfn h() {\n}";
    let source = Source::read("rules/x.rs", text);
    let shipped: Vec<(usize, &str)> = source.shipped.iter().map(|(number, code)| (*number, code.as_str())).collect();
    assert_eq!(shipped, [(1, ""), (2, "use a::B; "), (3, ""), (7, "fn f() {}"), (12, "fn h() {"), (13, "}")]);
    assert_eq!(source.lines_without_tests, 6);
    assert_eq!(source.functions, [(7, "f".to_string(), 1), (12, "h".to_string(), 2)]);
}

#[test]
fn types_are_read_and_associated_types_are_not() {
    let text = "struct A; pub enum B {} trait C { type D; } type E = A; impl C for A { type D = B; }\nfn f() { struct G; }\n#[cfg(test)] struct H;";
    let names: Vec<String> = Source::read("rules/x.rs", text).types.into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["A", "B", "C", "E", "G"]);
}

#[test]
fn files_are_modules() {
    assert_eq!(module_of("search/endgame/mod.rs"), ["search", "endgame"]);
    assert_eq!(module_of("search/bag.rs"), ["search", "bag"]);
    assert!(module_of("lib.rs").is_empty());
    assert_eq!(module_of("main.rs"), ["main"]);
}
