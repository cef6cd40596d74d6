use super::*;
use crate::screen::theme::luminance;

use ThemeCollection::{Betamax, Screentest, Vhs};

/// Themes of VHS: colours of text and background, then the 16 numbered colours.
#[rustfmt::skip]
const OF_VHS: [(&str, &str); 17] = [
    ("3024 Day", "4a4543 f7f7f7 090300 db2d20 01a252 fded02 01a0e4 a16a94 b5e4f4 a5a2a2 5c5855 e8bbd0 3a3432 4a4543 807d7c d6d5d4 cdab53 f7f7f7"),
    ("Aardvark Blue", "dddddd 102040 191919 aa342e 4b8c0f dbba00 1370d3 c43ac3 008eb0 bebebe 454545 f05b50 95dc55 ffe763 60a4ec e26be2 60b6cb f7f7f7"),
    ("ayu_light", "5c6773 fafafa 000000 ff3333 86b300 f29718 41a6d9 f07178 4dbf99 ffffff 323232 ff6565 b8e532 ffc94a 73d8ff ffa3aa 7ff1cb ffffff"),
    ("Catppuccin Mocha", "cdd6f4 1e1e2e 45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de 585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8"),
    ("catppuccin-mocha", "cdd6f4 1e1e2e 45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de 585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8"),
    ("Dracula", "f8f8f2 1e1f29 000000 ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd bbbbbb 555555 ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd ffffff"),
    ("Gruvbox Light", "282828 fbf1c7 fbf1c7 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836 9d8374 cc241d 98971a d79921 458588 b16186 689d69 7c6f64"),
    ("Hyper", "ffffff 000000 000000 fe0100 33ff00 feff00 0066ff cc00ff 00ffff d0d0d0 808080 fe0100 33ff00 feff00 0066ff cc00ff 00ffff ffffff"),
    ("Monokai Pro", "fcfcfa 403e41 403e41 ff6188 a9dc76 ffd866 fc9867 ab9df2 78dce8 fcfcfa 727072 ff6188 a9dc76 ffd866 fc9867 ab9df2 78dce8 fcfcfa"),
    ("nord", "d8dee9 2e3440 3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0 4c566a bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4"),
    ("Rose Pine", "e0def4 191724 706e86 eb6f92 9ccfd8 f6c177 31748f c4a7e7 ebbcba e0def4 706e86 eb6f92 9ccfd8 f6c177 31748f c4a7e7 ebbcba e0def4"),
    ("SeaShells", "deb88d 09141b 17384c d15123 027c9b fca02f 1e4950 68d4f1 50a3b5 deb88d 434b53 d48678 628d98 fdd39f 1bbcdd bbe3ee 87acb4 fee4ce"),
    ("Sublette", "ccced0 202535 253045 ee5577 55ee77 ffdd88 5588ff ff77cc 44eeee f5f5da 405570 ee6655 99ee77 ffff77 77bbff aa88ff 55ffbb ffffee"),
    ("TokyoNight", "787c99 16161e 363b54 f7768e 41a6b5 e0af68 7aa2f7 bb9af7 7dcfff 787c99 363b54 f7768e 41a6b5 e0af68 7aa2f7 bb9af7 7dcfff acb0d0"),
    ("tokyonight", "c0caf5 1a1b26 15161e f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff a9b1d6 414868 f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c0caf5"),
    ("Tomorrow Night Eighties", "cccccc 2d2d2d 393939 f2777a 99cc99 ffcc66 6699cc cc99cc 66cccc e0e0e0 515151 f2777a 99cc99 ffcc66 6699cc cc99cc 66cccc ffffff"),
    ("Zeonica", "ffffff 01001d 0c0c0c cc2929 21c221 d6c315 3e31f5 d918b9 13d4d4 b2b2b2 686868 ff6e6e 6bff6b ffff6b 737cff ff70ff 7fffff ffffff"),
];

/// Themes of Betamax, in the same form.
#[rustfmt::skip]
const OF_BETAMAX: [(&str, &str); 13] = [
    ("3024 Day", "4a4543 f7f7f7 090300 db2d20 01a252 caba00 01a0e4 a16a94 8fbece a5a2a2 5c5855 dbaec3 3a3432 4a4543 807d7c bcbbba cdab53 f7f7f7"),
    ("Aardvark Blue", "dddddd 102040 191919 aa342e 4b8c0f dbba00 1370d3 c43ac3 008eb0 bebebe 454545 f05b50 95dc55 ffe763 60a4ec e26be2 60b6cb f7f7f7"),
    ("Adventure Time", "f8dcc0 1f1d45 050404 bd0013 4ab118 e7741e 0f4ac6 665993 70a598 f8dcc0 4e7cbf fc5f5a 9eff6e efc11a 1997c6 9b5953 c8faf4 f6f5fb"),
    ("Black Metal (Bathory)", "c1c1c1 000000 000000 5f8787 fbcb97 e78a53 888888 999999 aaaaaa c1c1c1 404040 5f8787 fbcb97 e78a53 888888 999999 aaaaaa c1c1c1"),
    ("Catppuccin Mocha", "cdd6f4 1e1e2e 45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8 585b70 f37799 89d88b ebd391 74a8fc f2aede 6bd7ca bac2de"),
    ("Dracula", "f8f8f2 282a36 21222c ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2 6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff ffffff"),
    ("Flexoki Light", "100f0f fffcf0 100f0f af3029 66800b ad8301 205ea6 a02f6f 24837b 6f6e69 b7b5ac d14d41 879a39 d0a215 4385be ce5d97 3aa99f cecdc3"),
    ("Gruvbox Light", "3c3836 fbf1c7 fbf1c7 cc241d 98971a d79921 458588 b16286 689d6a 7c6f64 928374 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836"),
    ("Kanagawa Wave", "dcd7ba 1f1f28 090618 c34043 76946a c0a36e 7e9cd8 957fb8 6a9589 c8c093 727169 e82424 98bb6c e6c384 7fb4ca 938aa9 7aa89f dcd7ba"),
    ("Nord", "d8dee9 2e3440 3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0 596377 bf616a a3be8c ebcb8b 81a1c1 b48ead 8fbcbb eceff4"),
    ("Rose Pine", "e0def4 191724 26233a eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4 6e6a86 eb6f92 31748f f6c177 9ccfd8 c4a7e7 ebbcba e0def4"),
    ("TokyoNight", "c0caf5 1a1b26 15161e f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff a9b1d6 414868 f7768e 9ece6a e0af68 7aa2f7 bb9af7 7dcfff c0caf5"),
    ("Zenburn", "dcdccc 3f3f3f 4d4d4d 7d5d5d 60b48a f0dfaf 5d6d7d dc8cc3 8cd0d3 dcdccc 709080 dca3a3 c3bf9f e0cf9f 94bff3 ec93d3 93e0e3 ffffff"),
];

#[track_caller]
fn check(written: &str, name: &str) {
    let found = Theme::named(written).map(|theme| theme.name.into_owned());
    assert_eq!(found.as_deref(), Ok(name), "{written:?}");
}

#[track_caller]
fn check_colors(collection: ThemeCollection, name: &str, colors: &str) {
    let theme = Theme::named_in(name, collection).unwrap();
    let found = [theme.fg, theme.bg].into_iter().chain(theme.ansi);
    let found: Vec<String> = found.map(|color| color.to_string()).collect();
    assert_eq!(found.join(" ").replace('#', ""), colors, "{name}");
    assert_eq!(theme.name, name);
}

#[test]
fn themes_have_the_colours_of_vhs() {
    for (name, colors) in OF_VHS {
        check_colors(Vhs, name, colors);
        assert_eq!(Theme::named(name), Theme::named_in(name, Vhs));
    }
}

#[test]
fn themes_have_the_colours_of_betamax() {
    for (name, colors) in OF_BETAMAX {
        check_colors(Betamax, name, colors);
    }
}

#[test]
fn every_exact_name_is_its_own_theme_in_its_collection() {
    for (_, collection) in ThemeCollection::ALL {
        for theme in collection.themes() {
            assert_eq!(
                Theme::named_in(&theme.name, collection).as_ref(),
                Ok(&theme)
            );
            // Elsewhere the name exists too, perhaps with other colours.
            check(&theme.name, &theme.name);
        }
    }
}

#[test]
fn an_inexact_name_ignores_case_spaces_hyphens_underscores_and_parentheses() {
    for (written, name) in [
        ("NORD", "nord"),
        ("TOKYONIGHT-DAY", "tokyonight-day"),
        ("3024_night", "3024 Night"),
        ("blue-matrix", "Blue Matrix"),
        ("black-metal-bathory", "Black Metal (Bathory)"),
        ("Tinacious Design Dark", "Tinacious Design Dark"),
        ("tinacious-design-light", "Tinacious Design (Light)"),
        (" SeaShells ", "SeaShells"),
        ("dark+", "Dark+"),
        ("DRACULA+", "Dracula+"),
        ("Rosé Pine", "Rose Pine"),
        ("catppuccin-frappé", "Catppuccin Frappe"),
        // Of several spellings, our own is preferred, because its words are the same.
        ("tokyo-night", "Tokyo Night"),
        ("solarized_dark", "Solarized Dark"),
        ("onedark", "OneDark"),
    ] {
        check(written, name);
    }
}

#[test]
fn aliases_name_their_themes() {
    for (alias, name) in ALIASES {
        check(alias, name);
        check(&alias.to_uppercase(), name);
        let known = catalogue()
            .into_iter()
            .find(|known| known.theme.name == name);
        assert!(known.unwrap().aliases.contains(&alias), "{alias}");
    }
    assert_eq!(Theme::named("dark"), Ok(Theme::DARK));
    assert_eq!(Theme::named("Light"), Ok(Theme::LIGHT));
    // tuispec writes hyphens; the theme of Betamax has spaces.
    check("GitHub Dark High Contrast", "GitHub Dark High Contrast");
}

#[test]
fn catalogue_has_every_name_once() {
    let all = catalogue();
    let names = all.iter().map(|entry| &*entry.theme.name);
    let aliases = all.iter().flat_map(|entry| entry.aliases.iter().copied());
    let mut listed: Vec<&str> = names.chain(aliases).collect();
    listed.sort_unstable();
    let collections = ThemeCollection::ALL.map(|(_, collection)| collection.entries());
    let entries = collections.into_iter().flatten().map(|entry| entry.name);
    let mut names: Vec<&str> = entries.chain(ALIASES.map(|(alias, _)| alias)).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(listed, names);
}

#[test]
fn catalogue_names_the_theme_that_is_found() {
    let mut names = Vec::new();
    for entry in catalogue() {
        let CatalogueEntry {
            theme,
            collections,
            aliases,
        } = entry;
        assert_eq!(Theme::named(&theme.name).as_ref(), Ok(&theme));
        for alias in aliases {
            let found = Theme::named(alias).unwrap();
            assert_eq!(
                (found.ansi, found.bg, found.fg),
                (theme.ansi, theme.bg, theme.fg)
            );
        }
        names.push((collections, theme.name.to_lowercase()));
    }
    let own = names
        .iter()
        .take_while(|(of, _)| *of == [Screentest])
        .count();
    assert_eq!(own, 19);
    assert!(names[own..].is_sorted_by_key(|(_, name)| name));
    let both = names.iter().filter(|(of, _)| *of == [Vhs, Betamax]).count();
    assert_eq!(both, 197);
}

#[test]
fn an_unknown_name_is_an_error_with_a_suggestion() {
    for (written, message) in [
        (
            "Draclua",
            "unknown theme `Draclua`, did you mean `Dracula` or `Dracula+`?",
        ),
        (
            "solarized",
            "unknown theme `solarized`, did you mean `Solarized Dark`, `Solarized Light` or `Solarized Darcula`?",
        ),
        ("drak", "unknown theme `drak`, did you mean `dark`?"),
        (
            "Blue Dolfin",
            "unknown theme `Blue Dolfin`, did you mean `Blue Dolphin`?",
        ),
        ("xyzzy plugh", "unknown theme `xyzzy plugh`"),
        ("", "unknown theme ``"),
        ("-", "unknown theme `-`"),
    ] {
        assert_eq!(Theme::named(written).unwrap_err().to_string(), message);
    }
}

#[test]
fn text_is_readable_in_our_own_themes() {
    for theme in Screentest.themes() {
        let distance = luminance(theme.fg).abs_diff(luminance(theme.bg));
        assert!(distance > 80, "{} has {distance}", theme.name);
    }
}

/// Returns the part of `docs/themes.md` below a heading.
fn section(heading: &str) -> &'static str {
    let page = include_str!("../../../../../../docs/themes.md");
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    rest.split_once("\n## ")
        .map_or(rest, |(section, _)| section)
}

#[test]
fn the_documentation_describes_our_own_themes() {
    let rows = section("screentest's own themes").lines();
    let rows: Vec<&str> = rows.filter(|line| line.starts_with("| `")).collect();
    let own = catalogue().into_iter().take(Screentest.entries().len());
    let expected: Vec<String> = own
        .map(|CatalogueEntry { theme, aliases, .. }| {
            let Theme { name, fg, bg, .. } = &theme;
            let kind = if theme.is_light() { "light" } else { "dark" };
            let aliases: Vec<String> = aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let aliases = aliases.join(", ");
            format!("| `{name}` | {kind} | `{fg}` on `{bg}` | {aliases} |")
        })
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn the_documentation_lists_every_theme_of_the_others() {
    for (heading, collection) in [("Themes of VHS", Vhs), ("Themes of Betamax", Betamax)] {
        // The names follow an empty line and the word `Names`.
        let (_, names) = section(heading).split_once("\nNames: ").unwrap();
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        let expected: Vec<&str> = collection
            .entries()
            .iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, expected);
    }
    // An asterisk marks a name with other colours than in VHS.
    let (_, names) = section("Themes of Betamax")
        .split_once("\nNames: ")
        .unwrap();
    let names: Vec<&str> = names.split('`').skip(1).collect();
    for pair in names.chunks(2) {
        let marked = pair[1].starts_with('*');
        let [of_vhs, own] = [Vhs, Betamax].map(|first| Theme::named_in(pair[0], first));
        assert_eq!(marked, of_vhs != own, "{}", pair[0]);
    }
}
