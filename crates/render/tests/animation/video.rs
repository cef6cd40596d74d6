//! Tests of the frames of a video; ffmpeg is not run.

use std::ffi::OsStr;
use std::time::Duration;

use screentest_fixtures::random::Random;
use screentest_render::animation::{self, Animation, Timing};
use screentest_render::video::{Container, VideoError, VideoFrames};

use crate::expected::{self, Picture};
use crate::sample_frames;

fn options(rate: u32) -> animation::AnimationOptions {
    animation::AnimationOptions {
        frame_rate: Some(rate),
        timing: Timing::FINE,
        idle_limit: Some(Duration::from_secs(2)),
        ..animation::AnimationOptions::default()
    }
}

/// Returns the picture that is visible in the middle of each tick.
fn expected(pictures: &[Picture], rate: u32, count: u64) -> Vec<&Picture> {
    let mut picked = Vec::new();
    let mut start = Duration::ZERO;
    let mut rest = pictures.iter().peekable();
    for tick in 0..count {
        let middle = Duration::from_secs_f64((tick as f64 + 0.5) / f64::from(rate));
        while rest.len() > 1 && start + rest.peek().unwrap().duration <= middle {
            start += rest.next().unwrap().duration;
        }
        picked.push(*rest.peek().unwrap());
    }
    picked
}

#[test]
fn frames_have_a_constant_rate() {
    let mut random = Random::new(9);
    for rate in [1, 10, 30, 60] {
        let animation = expected::random_animation(&mut random, 5, &options(rate));
        let painter = expected::bare(7);
        let pictures = expected::pictures(&animation, &painter);
        let mut video = VideoFrames::new(&animation, &painter, rate).unwrap();
        let count = video.frame_count();
        for picture in expected(&pictures, rate, count) {
            let rgb: Vec<u8> = picture
                .pixels
                .iter()
                .flat_map(|pixel| &pixel[..3])
                .copied()
                .collect();
            assert!(video.next_frame().unwrap() == rgb, "{rate} a second");
        }
        assert_eq!(video.next_frame(), None);
        let length = Duration::from_secs_f64(count as f64 / f64::from(rate));
        assert!(length.abs_diff(animation.duration()) <= Duration::from_secs(1) / rate);
    }
}

#[test]
fn an_animation_without_duration_is_one_frame() {
    let animation = Animation::still(sample_frames::frames().remove(0).screen);
    let mut video = VideoFrames::new(&animation, &expected::bare(1), 30).unwrap();
    assert_eq!(video.frame_count(), 1);
    assert!(video.next_frame().is_some());
    assert!(video.next_frame().is_none());
}

#[test]
fn ffmpeg_arguments_name_input_and_output() {
    let animation = Animation::still(sample_frames::frames().remove(0).screen);
    let video = VideoFrames::new(&animation, &expected::bare(1), 30).unwrap();
    let line = |container, output| {
        let words = video.arguments(container, OsStr::new(output));
        let words: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        words.join("|")
    };
    assert_eq!(
        line(Container::Mp4, "a video.mp4"),
        "-hide_banner|-loglevel|error|-y|-f|rawvideo|-pixel_format|rgb24|-video_size|720x456|-framerate|30|-i|pipe:0|\
         -an|-vf|pad=ceil(iw/2)*2:ceil(ih/2)*2|-pix_fmt|yuv420p|-c:v|libx264|-crf|20|-movflags|+faststart|-f|mp4|a video.mp4"
    );
    assert!(
        line(Container::Webm, "x").ends_with("|-c:v|libvpx-vp9|-b:v|0|-crf|30|-row-mt|1|-f|webm|x")
    );
}

#[test]
fn a_rate_out_of_bounds_is_refused() {
    let animation = Animation::still(sample_frames::frames().remove(0).screen);
    for rate in [0, 1001] {
        let error = VideoFrames::new(&animation, &expected::bare(1), rate).unwrap_err();
        assert_eq!(error, VideoError::Rate(rate));
    }
}

#[test]
fn changed_colours_of_the_terminal_change_the_picture() {
    let options = animation::AnimationOptions {
        hold: Duration::from_secs(1),
        ..options(10)
    };
    let (animation, pictures) = expected::recolored_animation(&options);
    let mut video = VideoFrames::new(&animation, &expected::bare(3), 10).unwrap();
    let mut shown: Vec<Vec<u8>> = Vec::new();
    while let Some(frame) = video.next_frame() {
        shown.push(frame.to_vec());
    }
    shown.dedup();
    assert_eq!(shown.len(), pictures);
}
