//! Recordings whose content is hostile and whose digests are valid, and damaged ones.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::commands::InputKind;
use super::super::process::make_fifo;
use super::damage::damages;
use super::json::{Mutation, mutations};
use super::{CONTROLS, HostileInput, NAME, read, write};

/// The recording that is changed.
const SEED: &str = "crates/screentest/tests/cassettes/dialog.cassette";
const MANIFEST: &str = "manifest.json";

/// The files of a recording except its manifest, and the manifest.
#[derive(Debug, Clone)]
struct CassetteFiles {
    files: BTreeMap<String, Vec<u8>>,
    manifest: Value,
}

impl CassetteFiles {
    fn seed() -> Result<CassetteFiles> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(SEED).with_context(|| format!("cannot list `{SEED}`"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let bytes = read(&path.to_string_lossy())?;
            files.insert(name.into_owned(), bytes);
        }
        let manifest = files
            .remove(MANIFEST)
            .context("a cassette has a manifest")?;
        Ok(CassetteFiles {
            files,
            manifest: serde_json::from_slice(&manifest)?,
        })
    }

    /// Returns a copy of the recording in which one file has other contents.
    fn with(&self, name: &str, bytes: Vec<u8>) -> CassetteFiles {
        let mut changed = self.clone();
        changed.files.insert(name.to_owned(), bytes);
        changed
    }

    /// Writes the recording. The sizes and digests in its manifest are those of the files.
    fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        let mut manifest = self.manifest.clone();
        for (name, bytes) in &self.files {
            write(&folder.join(name), bytes)?;
            manifest["files"][name] = json!({"bytes": bytes.len(), "sha256": digest(bytes)});
        }
        write_manifest(folder, manifest)
    }

    fn input(self, name: impl Into<String>) -> HostileInput {
        self.named_input(name, InputKind::Cassette.file_name())
    }

    fn named_input(self, name: impl Into<String>, file: &'static str) -> HostileInput {
        HostileInput::new(InputKind::Cassette, name, move |folders| {
            self.write(&folders.work.join(file))?;
            Ok(PathBuf::from(file))
        })
    }

    /// Returns a recording for each hostile value in a line of a file.
    fn mutated_lines(&self, name: &str) -> Vec<HostileInput> {
        let text = String::from_utf8_lossy(&self.files[name]).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let mut seen = Vec::new();
        let mut inputs = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            for (what, line) in mutations(&line, |_| false) {
                // The same field of a later line is read in the same way.
                if seen.contains(&what) {
                    continue;
                }
                let line = line.to_string();
                // The first bytes of a keyframe are fixed.
                let line = match line.strip_suffix('}').filter(|_| index == 0) {
                    Some(rest) if name == "frames.jsonl" => {
                        let rest = rest.replacen("\"key\":true,", "", 1);
                        format!("{{\"key\":true,{}}}", rest.trim_start_matches('{'))
                    }
                    _ => line,
                };
                let mut changed = lines.clone();
                changed[index] = &line;
                let bytes = changed.join("\n") + "\n";
                let changed = self.with(name, bytes.into_bytes());
                inputs.push(changed.input(format!("{name} {what}")));
                seen.push(what);
            }
        }
        inputs
    }
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a manifest with its own digest, which is computed with zeros in its place.
fn write_manifest(folder: &Path, mut manifest: Value) -> Result<()> {
    let own = "sha256_of_manifest";
    manifest[own] = json!("0".repeat(64));
    let zeros = serde_json::to_string_pretty(&manifest)?;
    manifest[own] = json!(digest(zeros.as_bytes()));
    let text = serde_json::to_string_pretty(&manifest)?;
    write(&folder.join(MANIFEST), text.as_bytes())
}

/// Writes the unchanged recording.
pub(super) fn write_seed(folder: &Path) -> Result<()> {
    CassetteFiles::seed()?.write(folder)
}

/// Returns all recordings.
pub(super) fn inputs() -> Result<Vec<HostileInput>> {
    let seed = CassetteFiles::seed()?;
    let mut inputs = manifests(&seed);
    for name in [
        "frames.jsonl",
        "events.jsonl",
        "input.jsonl",
        "output.jsonl",
    ] {
        inputs.extend(seed.mutated_lines(name));
    }
    inputs.extend(streams(&seed));
    for (name, bytes) in &seed.files {
        for (what, bytes) in damages(bytes) {
            let changed = seed.with(name, bytes);
            inputs.push(changed.input(format!("{name} {what}")));
        }
    }
    inputs.extend(directories(&seed));
    Ok(inputs)
}

/// Returns recordings with a hostile manifest.
fn manifests(seed: &CassetteFiles) -> Vec<HostileInput> {
    let skip = |path: &str| path.starts_with("/files") || path.starts_with("/sha256");
    let mut document = seed.manifest.clone();
    document["environment"]["set"] = json!({"A": "b"});
    document["environment"]["unset"] = json!(["A"]);
    document["terminal"]["hostname"] = json!("host");
    document["command"]["cwd"] = json!("/tmp");
    document["requires"] = json!(["feature"]);
    let mut changed: Vec<Mutation> =
        mutations(&document, |path| skip(path) || path == "/requires/0");
    if let Some(document) = document.as_object_mut() {
        document.remove("requires");
    }
    for (_, manifest) in &mut changed {
        if let Some(manifest) = manifest.as_object_mut() {
            manifest.remove("requires");
        }
    }
    for (what, place, value) in [
        ("requires controls", "requires", json!([CONTROLS])),
        (
            "status cut from controls",
            "status",
            json!({"cut": {"from": CONTROLS}}),
        ),
        (
            "status converted from controls",
            "status",
            json!({"converted": {"from": CONTROLS}}),
        ),
        (
            "status recovered huge",
            "status",
            json!({"recovered": {"dropped_output": u64::MAX, "dropped_lines": u64::MAX}}),
        ),
        ("field missing", "timing", Value::Null),
    ] {
        let mut manifest = document.clone();
        manifest[place] = value;
        changed.push((what.to_owned(), manifest));
    }
    let variable = json!({ CONTROLS: CONTROLS });
    let mut manifest = document.clone();
    manifest["environment"]["set"] = variable;
    changed.push(("variable controls".to_owned(), manifest));
    changed
        .into_iter()
        .map(|(what, manifest)| {
            let changed = CassetteFiles {
                manifest,
                files: seed.files.clone(),
            };
            changed.input(format!("{MANIFEST} {what}"))
        })
        .collect()
}

/// Returns recordings with hostile streams.
fn streams(seed: &CassetteFiles) -> Vec<HostileInput> {
    let key = |rest: &str| {
        format!("{{\"key\":true,\"seq\":1,\"t_ms\":0,\"at\":0,\"size\":[80,24]{rest}}}\n")
    };
    let text = serde_json::to_string(CONTROLS).unwrap_or_default();
    let lines = |count: usize| -> String {
        let line = |seq: usize| format!("{{\"seq\":{},\"t_ms\":1,\"at\":0}}\n", seq + 2);
        (0..count).map(line).collect()
    };
    let mut inputs = Vec::new();
    for (what, frames) in [
        ("row controls", key(&format!(",\"rows\":[[0,{text}]]"))),
        (
            "wide cell controls",
            key(",\"rows\":[[0,[[\"\\u001b\",0,2]]]]"),
        ),
        (
            "spacer controls",
            key(",\"rows\":[[0,[[\"\\u009b\",0,0]]]]"),
        ),
        (
            "cluster controls",
            key(&format!(",\"rows\":[[0,[[[{text}],0,1]]]]")),
        ),
        (
            "bidirectional row",
            key(",\"rows\":[[0,\"a\\u202eb\\u2066c\"]]"),
        ),
        ("title controls", key(&format!(",\"title\":{text}"))),
        (
            "directory controls",
            key(&format!(",\"working_directory\":{text}")),
        ),
        (
            "link controls",
            key(&format!(
                ",\"looks\":[{{\"link\":{text},\"link_id\":{text}}}],\"rows\":[[0,[[\"x\",1]]]]"
            )),
        ),
        (
            "palette controls",
            key(&format!(",\"palette\":{{{text}:\"#102040\"}}")),
        ),
        (
            "palette colour controls",
            key(&format!(",\"palette\":{{\"1\":{text}}}")),
        ),
        (
            "colour controls",
            key(&format!(",\"looks\":[{{\"fg\":{text}}}]")),
        ),
        (
            "size 65535x65535",
            key("").replace("[80,24]", "[65535,65535]"),
        ),
        ("size 0x0", key("").replace("[80,24]", "[0,0]")),
        (
            "rows moved out of range",
            format!(
                "{}{{\"seq\":2,\"t_ms\":1,\"at\":0,\"move\":[[0,18446744073709551615,2]]}}\n",
                key("")
            ),
        ),
        ("1000000 frames", key("") + &lines(1_000_000)),
    ] {
        let changed = seed.with("frames.jsonl", frames.into_bytes());
        inputs.push(changed.input(format!("frames.jsonl {what}")));
    }
    for (what, raw) in [
        ("repeat bomb", "x\x1b[65535b".repeat(1000)),
        (
            "scroll bomb",
            "\x1b[65535S\x1b[65535T\x1b[65535L".repeat(1000),
        ),
        ("title", format!("\x1b]2;{CONTROLS}\x1b\\text")),
        (
            "marks on a cell",
            "x".to_owned() + &"\u{301}".repeat(200_000),
        ),
    ] {
        // The times must fit the output.
        let length = raw.len();
        let times = format!("{{\"seq\":2,\"t_ms\":1,\"offset\":0,\"length\":{length}}}\n");
        let mut changed = seed.with("output.raw", raw.into_bytes());
        changed
            .files
            .insert("output.jsonl".to_owned(), times.into_bytes());
        inputs.push(changed.input(format!("output.raw {what}")));
    }
    inputs
}

/// Returns recordings whose directory is hostile.
fn directories(seed: &CassetteFiles) -> Vec<HostileInput> {
    let cassette = InputKind::Cassette.file_name();
    let changed = |name: &str, change: fn(&Path, &Path) -> Result<()>| {
        let seed = seed.clone();
        HostileInput::new(InputKind::Cassette, name, move |folders| {
            let path = folders.work.join(cassette);
            seed.write(&path)?;
            change(&path, &folders.outside)?;
            Ok(PathBuf::from(cassette))
        })
    };
    let mut inputs = vec![
        changed("FIFO as frames.jsonl", |path, _| {
            fs::remove_file(path.join("frames.jsonl"))?;
            make_fifo(&path.join("frames.jsonl"))
        }),
        changed("FIFO as manifest.json", |path, _| {
            fs::remove_file(path.join(MANIFEST))?;
            make_fifo(&path.join(MANIFEST))
        }),
        changed("FIFO as another file", |path, _| make_fifo(&path.join("x"))),
        changed("link to a device", |path, _| {
            fs::remove_file(path.join("output.raw"))?;
            Ok(symlink("/dev/zero", path.join("output.raw"))?)
        }),
        changed("link to outside", |path, outside| {
            fs::remove_file(path.join("events.jsonl"))?;
            Ok(symlink(
                outside.join("victim.txt"),
                path.join("events.jsonl"),
            )?)
        }),
        changed("link to itself", |path, _| {
            fs::remove_file(path.join(MANIFEST))?;
            Ok(symlink(MANIFEST, path.join(MANIFEST))?)
        }),
        changed("folder as manifest.json", |path, _| {
            fs::remove_file(path.join(MANIFEST))?;
            Ok(fs::create_dir(path.join(MANIFEST))?)
        }),
        changed("file with a hostile name", |path, _| {
            write(&path.join(NAME), b"")
        }),
        changed("sparse output.raw", |path, _| {
            grow(&path.join("output.raw"))
        }),
        changed("sparse frames.jsonl", |path, _| {
            grow(&path.join("frames.jsonl"))
        }),
        changed("sparse manifest.json", |path, _| grow(&path.join(MANIFEST))),
        changed("sparse output.raw of the given size", |path, _| {
            grow(&path.join("output.raw"))?;
            declare(path, "output.raw", SPARSE)
        }),
        changed("file missing", |path, _| {
            Ok(fs::remove_file(path.join("output.jsonl"))?)
        }),
        changed("manifest missing", |path, _| {
            Ok(fs::remove_file(path.join(MANIFEST))?)
        }),
        changed("empty directory", |path, _| {
            fs::remove_dir_all(path)?;
            Ok(fs::create_dir(path)?)
        }),
        changed("files outside", |path, outside| {
            let victim = outside.join("victim.txt");
            let victim = victim.to_string_lossy();
            declare(path, &victim, 1)?;
            declare(path, "../../outside/victim.txt", 1)
        }),
        changed("file with a hostile name declared", |path, _| {
            declare(path, NAME, 1)
        }),
        changed("size of a file huge", |path, _| {
            declare(path, "frames.jsonl", u64::MAX)
        }),
    ];
    inputs.push(seed.clone().named_input("hostile name", HOSTILE_NAME));
    inputs
}

const HOSTILE_NAME: &str = "a\x1b]0;OWNED\x07\u{9b}31m\x1b[2J.cassette";

/// 60 GB without an allocated block.
const SPARSE: u64 = 60_000_000_000;

fn grow(path: &Path) -> Result<()> {
    Ok(File::options().write(true).open(path)?.set_len(SPARSE)?)
}

/// Adds a file to a manifest, or changes its size there.
fn declare(folder: &Path, name: &str, bytes: u64) -> Result<()> {
    let mut manifest: Value = serde_json::from_slice(&fs::read(folder.join(MANIFEST))?)?;
    let digest = "0".repeat(64);
    manifest["files"][name] = json!({"bytes": bytes, "sha256": digest});
    write_manifest(folder, manifest)
}
