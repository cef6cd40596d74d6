//! Files of a stored screen.
//!
//! A screen is stored in two files: its text, and next to it its size and cursor, which the text
//! does not contain. A run stores its captures; a failed comparison stores both compared screens
//! and a description of their difference.
//!
//! ```text
//! <name>.ansi.txt, <name>.meta.json   a screen
//! <name>.png                          a picture of it, if requested
//! <name>.actual.ansi.txt, …           the screen as it was compared
//! <name>.expected.ansi.txt, …         the baseline as it was compared
//! <name>.diff.txt                     the difference
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use screentest_core::Screen;
use screentest_core::formats::ansi::{self, Meta};

use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{AtomicFile, Folder};

/// A stored screen, by its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScreenFiles {
    folder: PathBuf,
    name: String,
}

impl ScreenFiles {
    /// The stored screen of this name in a directory.
    pub(crate) fn new(folder: PathBuf, name: impl Into<String>) -> ScreenFiles {
        let name = name.into();
        ScreenFiles { folder, name }
    }

    /// The screen as it was compared.
    pub(crate) fn actual(&self) -> ScreenFiles {
        ScreenFiles::new(self.folder.clone(), format!("{}.actual", self.name))
    }

    /// The baseline as it was compared.
    pub(crate) fn expected(&self) -> ScreenFiles {
        ScreenFiles::new(self.folder.clone(), format!("{}.expected", self.name))
    }

    /// The file of the text.
    pub(crate) fn text(&self) -> PathBuf {
        self.file(".ansi.txt")
    }

    /// The file of the size and the cursor.
    pub(crate) fn meta(&self) -> PathBuf {
        self.file(".meta.json")
    }

    /// The file of the picture.
    #[cfg(feature = "render")]
    pub(crate) fn picture(&self) -> PathBuf {
        self.file(".png")
    }

    /// The file of the difference from the baseline.
    pub(crate) fn diff(&self) -> PathBuf {
        self.file(ScreenFiles::DIFF)
    }

    /// The extension of a difference's file.
    pub(crate) const DIFF: &str = ".diff.txt";

    /// The files of a comparison. The difference is first: without it, nothing is pending.
    pub(crate) fn comparison(&self) -> [PathBuf; 5] {
        let (actual, expected) = (self.actual(), self.expected());
        [
            self.diff(),
            actual.text(),
            actual.meta(),
            expected.text(),
            expected.meta(),
        ]
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.name))
    }

    /// Reads the screen; `None` if there is none.
    pub(crate) fn find(&self, within: &Folder) -> Result<Option<Screen>, ArtifactError> {
        match fs::symlink_metadata(self.text()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => self.read(within).map(Some),
        }
    }

    /// Reads the screen.
    pub(crate) fn read(&self, within: &Folder) -> Result<Screen, ArtifactError> {
        let path = self.meta();
        let meta = Meta::parse(within.read(&path)?)
            .map_err(|source| ArtifactError::Meta { path, source })?;
        let mut screen = ansi::read(&within.read(&self.text())?, meta.size());
        meta.place_cursor(&mut screen);
        Ok(screen)
    }

    /// Stores a screen, with temporary files in `temp_folder`.
    pub(crate) fn write(
        &self,
        within: &Folder,
        temp_folder: &Path,
        screen: &Screen,
    ) -> Result<(), ArtifactError> {
        let meta = Meta::new(screen.size).with_cursor(&screen.cursor);
        let text = ansi::write(screen);
        self.put(
            within,
            temp_folder,
            meta.to_string().as_bytes(),
            text.as_bytes(),
        )
    }

    /// Copies another stored screen byte for byte.
    pub(crate) fn copy(
        &self,
        within: &Folder,
        temp_folder: &Path,
        other: &ScreenFiles,
    ) -> Result<(), ArtifactError> {
        let (meta, text) = (within.read(&other.meta())?, within.read(&other.text())?);
        self.put(within, temp_folder, &meta, &text)
    }

    fn put(
        &self,
        within: &Folder,
        temp_folder: &Path,
        meta: &[u8],
        text: &[u8],
    ) -> Result<(), ArtifactError> {
        within.make(&self.folder)?;
        let meta = AtomicFile::write(temp_folder, &self.meta(), meta)?;
        let text = AtomicFile::write(temp_folder, &self.text(), text)?;
        // The size is renamed first: a reader that finds the text finds the size too.
        meta.commit()?;
        text.commit()
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;
    use screentest_fixtures::scratch::Scratch;

    use super::*;

    #[test]
    fn a_stored_screen_has_two_files_and_reads_back_equal() {
        let (scratch, temporary) = (Scratch::new(), Scratch::new());
        let within = Folder::open(scratch.path()).unwrap();
        let files = ScreenFiles::new(within.path().join("a/b"), "x");
        assert_eq!(files.find(&within).unwrap(), None);
        let screen = ansi::read(b"\x1b[31mred\x1b[m", Size { cols: 8, rows: 2 });
        files.write(&within, temporary.path(), &screen).unwrap();
        assert_eq!(files.find(&within).unwrap(), Some(screen));
        let copy = ScreenFiles::new(within.path().to_owned(), "y");
        copy.copy(&within, temporary.path(), &files).unwrap();
        assert_eq!(copy.read(&within).unwrap(), files.read(&within).unwrap());
        assert_eq!(fs::read_dir(within.path().join("a/b")).unwrap().count(), 2);
    }

    #[test]
    fn a_screen_without_its_size_is_an_error() {
        let scratch = Scratch::new();
        let within = Folder::open(scratch.path()).unwrap();
        let files = ScreenFiles::new(within.path().to_owned(), "x");
        scratch.write("x.ansi.txt", "text");
        let error = files.find(&within).unwrap_err();
        assert!(matches!(error, ArtifactError::Read { .. }), "{error}");
        scratch.write("x.meta.json", "garbage");
        let error = files.find(&within).unwrap_err();
        assert!(matches!(error, ArtifactError::Meta { .. }), "{error}");
    }
}
