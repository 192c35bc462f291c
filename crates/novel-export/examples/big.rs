//! Measures the export of a large book: `cargo run --release -p novel-export --example big [CHAPTERS]`.
//!
//! Prints seconds and the peak of resident memory for each format.

#![allow(clippy::print_stdout, reason = "a measurement prints its numbers")]

use std::{
    env,
    error::Error,
    fs::{self, File},
    process::Command,
    time::Instant,
};

use novel_export::{BookInfo, ChapterSource, ExportError, ExportFormat, VolumeInfo, export};
use novel_model::{
    ChapterNo, Lang, VolumeNo,
    files::{GeneratedChapter, GeneratedScene},
};

const CHARACTERS: usize = 4_000;
const SCENES: usize = 4;

/// Makes chapters of 4,000 characters on demand, each another one.
struct Made;

impl ChapterSource for Made {
    fn chapter(&mut self, number: ChapterNo) -> Result<GeneratedChapter, ExportError> {
        let mut seed = number.get();
        let scenes = (1..=SCENES as u32).map(|scene_number| GeneratedScene {
            scene_number,
            content: prose(&mut seed),
            word_count: (CHARACTERS / SCENES) as u64,
        });
        Ok(GeneratedChapter {
            chapter_number: number,
            chapter_title: format!("第{}夜的雨", number.get()),
            scenes: scenes.collect(),
            total_words: CHARACTERS as u64,
        })
    }
}

/// Characters without pattern: the worst case for compression.
fn prose(seed: &mut u32) -> String {
    let mut text = String::new();
    for at in 1..=CHARACTERS / SCENES {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend(char::from_u32(0x4E00 + (*seed >> 16) % 3_000));
        if at % 50 == 0 {
            text.push_str("。\n\n");
        }
    }
    text
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let chapters: u32 = arguments.next().map_or(Ok(1_000), |text| text.parse())?;
    match arguments.next() {
        Some(format) => measure(format.parse()?, chapters),
        // One process each, so that the peaks do not mix.
        None => ExportFormat::ALL.iter().try_for_each(|format| {
            let program = env::current_exe()?;
            let arguments = [chapters.to_string(), format.to_string()];
            let status = Command::new(program).args(arguments).status()?;
            status
                .success()
                .then_some(())
                .ok_or_else(|| "failed".into())
        }),
    }
}

fn measure(format: ExportFormat, chapters: u32) -> Result<(), Box<dyn Error>> {
    let last = ChapterNo::new(chapters).ok_or("at least one chapter")?;
    let mut info = BookInfo::new(
        "雾城".to_owned(),
        None,
        Lang::Zh,
        "2026-08-01T12:00:00Z".to_owned(),
    );
    info.volumes = (1..=chapters.div_ceil(40))
        .filter_map(|volume| {
            Some(VolumeInfo {
                number: VolumeNo::new(volume)?,
                title: None,
                first: ChapterNo::new(volume * 40 - 39)?,
                last: ChapterNo::new(volume * 40)?,
            })
        })
        .collect();
    let path = env::temp_dir().join(format!("novel-export-big-{}.{format}", std::process::id()));
    let mut out = File::create(&path)?;
    let begin = Instant::now();
    let report = export(
        format,
        &info,
        ChapterNo::first()..=last,
        &mut Made,
        &mut out,
    )?;
    let seconds = begin.elapsed().as_secs_f64();
    fs::remove_file(&path)?;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "{format}: {} chapters, {} bytes, {seconds:.2} s, peak memory {}",
        report.chapters,
        report.bytes,
        peak.unwrap_or("unknown").trim(),
    );
    Ok(())
}
