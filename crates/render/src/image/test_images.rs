//! Images for tests.

use std::sync::Arc;

use screentest_core::screen::image::ImageRect;
use screentest_core::{ImageContent, ImageKind, ImagePlacement, ImageSize, Screen};

use crate::Pixel;

/// Returns an image of one colour that fills some cells.
pub(crate) fn filled(color: Pixel, at: (i32, i32), cells: (u32, u32), z: i32) -> ImagePlacement {
    let (cols, rows) = cells;
    let size = ImageSize::new(cols * 8, rows * 16);
    let pixels = vec![color; size.pixels() as usize].into_flattened();
    placed(ImageContent::rgba(size, pixels), at, cells, z)
}

/// Returns a placement of an image in its own size.
pub(crate) fn placed(
    image: Option<ImageContent>,
    (row, col): (i32, i32),
    (cols, rows): (u32, u32),
    z: i32,
) -> ImagePlacement {
    let image = Arc::new(image.expect("an image"));
    let rect = ImageRect::of(image.size());
    let mut placed = ImagePlacement {
        image,
        kind: ImageKind::Kitty,
        row,
        col,
        cols,
        rows,
        source: rect,
        drawn: rect,
        z,
        visible: Arc::default(),
    };
    placed.visible = Arc::new([placed.area()]);
    placed
}

/// Adds images to a screen. Their visible parts are clipped to it.
pub(crate) fn with_images(screen: Screen, images: &[ImagePlacement]) -> Screen {
    let clipped = images.iter().map(|image| {
        let rects = image.visible.iter();
        ImagePlacement {
            visible: rects.map(|rect| rect.clipped(screen.size.rect())).collect(),
            ..image.clone()
        }
    });
    Screen {
        images: clipped.collect(),
        ..screen
    }
}
