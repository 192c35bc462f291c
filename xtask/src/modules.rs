//! Which modules of a crate use which: no cycles.
//!
//! The graph has a node for each top-level module of a crate and an edge for each `crate::module` in
//! its non-test source. An item that `lib.rs` or `main.rs` re-exports counts as its module's.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use syn::{Item, UseTree, visit::Visit};

/// Crates for tests, whose helpers may know each other.
const DEVELOPMENT: &[&str] = &["novel-mockllm", "novel-testkit"];

/// Edges between the modules of a crate.
pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

/// Every cycle between modules of the crates below `crates`, one line each.
pub(crate) fn cycles(crates: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for directory in directories(crates)? {
        let source = directory.join("src");
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        if DEVELOPMENT.contains(&name.as_ref()) {
            continue;
        }
        let graph = graph_of(&source)?;
        for cycle in cycles_in(&graph) {
            found.push(format!(
                "`{name}`: the modules {} use each other",
                cycle.join(", ")
            ));
        }
    }
    Ok(found)
}

/// Every file with a test below the source of a library that says `test = false`, from `cargo metadata`: no run
/// would see it.
pub(crate) fn unseen_tests(metadata: &Value) -> Result<Vec<String>, String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut found = Vec::new();
    let packages = list(&metadata["packages"]);
    for target in packages
        .iter()
        .flat_map(|package| list(&package["targets"]))
    {
        let is_library = list(&target["kind"]).contains(&Value::from("lib"));
        let source = target["src_path"].as_str().unwrap_or_default();
        let Some(source) = Path::new(source).parent() else {
            continue;
        };
        if is_library && target["test"] == false {
            let mut files = Vec::new();
            collect(source, &|_| true, &mut files)?;
            for path in files {
                let text = read(&path)?;
                if text.contains("#[test]") || text.contains("proptest!") {
                    found.push(format!(
                        "{}: no run sees its tests, because its library says `test = false`",
                        path.display()
                    ));
                }
            }
        }
    }
    Ok(found)
}

fn directories(parent: &Path) -> Result<Vec<PathBuf>, String> {
    let mut directories: Vec<PathBuf> = entries(parent)?;
    directories.retain(|path| path.join("src").is_dir());
    Ok(directories)
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(fault)? {
        paths.push(entry.map_err(fault)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn graph_of(source: &Path) -> Result<Graph, String> {
    let mut files = Vec::new();
    collect(source, &|name| !is_of_tests(name), &mut files)?;
    let mut parsed = Vec::new();
    for path in files {
        let text = read(&path)?;
        let file =
            syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        parsed.push((module_of(source, &path), file));
    }
    let exported = exports(&parsed);
    let mut graph = Graph::new();
    for (module, file) in &parsed {
        if is_root(module) {
            continue;
        }
        let mut uses = Uses::default();
        uses.visit_file(file);
        let edges = graph.entry(module.clone()).or_default();
        for first in uses.first_segments {
            let used = exported.get(&first).unwrap_or(&first);
            if used != module {
                edges.insert(used.clone());
            }
        }
    }
    let known: BTreeSet<String> = graph.keys().cloned().collect();
    for edges in graph.values_mut() {
        edges.retain(|edge| known.contains(edge));
    }
    Ok(graph)
}

/// The source files below a directory whose names are `wanted`.
fn collect(
    directory: &Path,
    wanted: &dyn Fn(&str) -> bool,
    files: &mut Vec<PathBuf>,
) -> Result<(), String> {
    for path in entries(directory)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            collect(&path, wanted, files)?;
        } else if name.ends_with(".rs") && wanted(&name) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_of_tests(name: &str) -> bool {
    name.ends_with("_tests.rs") || name == "tests.rs"
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The top-level module a file belongs to.
fn module_of(source: &Path, path: &Path) -> String {
    let below = path.strip_prefix(source).unwrap_or(path);
    let first = below.components().next();
    let first = first.map(|part| part.as_os_str().to_string_lossy().into_owned());
    let first = first.unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(&first).to_owned()
}

fn is_root(module: &str) -> bool {
    matches!(module, "lib" | "main")
}

/// Items the crate root re-exports, with the module they come from.
fn exports(parsed: &[(String, syn::File)]) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    let roots = parsed.iter().filter(|(module, _)| is_root(module));
    for item in roots.flat_map(|(_, file)| &file.items) {
        let Item::Use(item) = item else { continue };
        if let UseTree::Path(path) = &item.tree {
            names(&path.tree, &mut |name| {
                exported.insert(name, path.ident.to_string());
            });
        }
    }
    exported
}

/// The names a use tree brings in.
fn names(tree: &UseTree, each: &mut impl FnMut(String)) {
    match tree {
        UseTree::Path(path) => names(&path.tree, each),
        UseTree::Name(name) => each(name.ident.to_string()),
        UseTree::Rename(rename) => each(rename.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, each)),
        UseTree::Glob(_) => {}
    }
}

/// The first segments after `crate::`.
#[derive(Default)]
struct Uses {
    first_segments: BTreeSet<String>,
}

impl Uses {
    fn first(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.insert(path.ident.to_string()),
            UseTree::Name(name) => self.insert(name.ident.to_string()),
            UseTree::Rename(rename) => self.insert(rename.ident.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.first(tree)),
            UseTree::Glob(_) => {}
        }
    }

    fn insert(&mut self, segment: String) {
        self.first_segments.insert(segment);
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if let UseTree::Path(path) = &item.tree
            && path.ident == "crate"
        {
            self.first(&path.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut segments = path.segments.iter();
        if let (Some(first), Some(second)) = (segments.next(), segments.next())
            && first.ident == "crate"
        {
            self.insert(second.ident.to_string());
        }
        syn::visit::visit_path(self, path);
    }
}

/// Groups of modules that reach each other, each sorted.
fn cycles_in(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|module| (module.as_str(), reachable(graph, module)))
        .collect();
    let mut cycles = Vec::new();
    let mut settled = BTreeSet::new();
    for module in graph.keys() {
        let module = module.as_str();
        if settled.contains(module) {
            continue;
        }
        let mutual: Vec<String> = reach[module]
            .iter()
            .filter(|other| reach.get(**other).is_some_and(|back| back.contains(module)))
            .map(|other| (*other).to_owned())
            .collect();
        settled.extend(
            graph
                .keys()
                .map(String::as_str)
                .filter(|other| mutual.iter().any(|member| member == other)),
        );
        if mutual.len() > 1 {
            cycles.push(mutual);
        }
    }
    cycles
}

fn reachable<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = graph
        .get(from)
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    while let Some(module) = open.pop() {
        if let Some((name, edges)) = graph.get_key_value(module)
            && found.insert(name.as_str())
        {
            open.extend(edges.iter().map(String::as_str));
        }
    }
    found
}

#[cfg(test)]
#[path = "modules_tests.rs"]
mod tests;
