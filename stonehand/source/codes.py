"""The codes of findings: what each one means, why it matters, and what to do about it.

A finding is a problem that has a code. The code never changes, so that it can be looked up
(docs/checks.md is made from this table), silenced, and counted by other programs. Where a finding
is made it brings only its place and what was measured; how grave it is stands here.
"""

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Code(NamedTuple):
    """A kind of finding: how grave it is, what it says in short, its cause and its cure."""

    name: str
    severity: Severity
    title: str
    cause: str
    cure: str


TEXTS = (
    Code(
        "text-overflow",
        "error",
        "A text is too much for its box",
        "The text does not fit at its size, or at the smallest size that `fit: shrink` may go to. "
        "Nothing is printed, since words would be lost or lie over others.",
        "Shorten the text, give the element more room, set `fit: shrink`, or allow a smaller size "
        "(`smallest`). For one language, say so in the style's `languages`.",
    ),
    Code(
        "missing-glyph",
        "error",
        "No font has a character",
        "The fonts of the language lack a character of the text. Other programs print an empty "
        "box in its place.",
        "Put a font that has the character into `fonts/` and name its family in the language's "
        "`fallback`, or use another character.",
    ),
    Code(
        "small-text",
        "warning",
        "Type is too small to read",
        "The text was shrunk to fit, or set, below the size that can be read at arm's length "
        "(5 pt, unless `check` in `game.yaml` has another `readable`).",
        "Shorten the text, give it more room, or raise `smallest` so that it is reported where it "
        "does not fit.",
    ),
    Code(
        "text-near-cut",
        "warning",
        "A text reaches into the safe margin",
        "No knife is exact: a cut may stray by a millimetre, more at a print shop. What lies in "
        "the margin that the template keeps `safe` may look crooked, or be cut.",
        "Move the element inward, or lower the template's `safe` if you cut with care.",
    ),
    Code(
        "text-cut-off",
        "warning",
        "A text goes beyond the cut",
        "A part of the text lies outside what is cut out, and will be cut off.",
        "Move the element, or make its box smaller.",
    ),
    Code(
        "low-contrast",
        "warning",
        "A text is hard to tell from what lies behind it",
        "The contrast between the text and its ground is less than WCAG 2.2 asks (1.4.3): 4.5 to "
        "1, or 3 to 1 for type of at least 18 pt, or 14 pt if it is bold. In dim light, and for "
        "many eyes, it can't be read.",
        "Make the text darker or what is behind it paler (or the other way round), or lay a panel "
        "between a picture and the text.",
    ),
)

PICTURES = (
    Code(
        "coarse-picture",
        "warning",
        "A picture has too few pixels for its size in print",
        "Under 200 dpi, pixels show at arm's length.",
        "Use a larger picture (the finding says how many pixels are sharp), or print it smaller.",
    ),
    Code(
        "soft-picture",
        "note",
        "A picture is less fine than print services ask",
        "Between 200 and 300 dpi a picture is good on a home printer; print services ask for 300.",
        "Use a larger picture where you have one.",
    ),
    Code(
        "stretched-picture",
        "warning",
        "A picture is stretched",
        "`fit: stretch` puts a picture into a box of other proportions: circles become eggs.",
        "Use `fit: contain` or `cover`, or give the box the picture's proportions.",
    ),
    Code(
        "colour-space",
        "warning",
        "A picture has the colours of a printing press",
        "A CMYK picture among RGB ones: what its colours look like depends on the printer, and "
        "differs from the same colours elsewhere on the card.",
        "Convert it to RGB (sRGB), unless the whole game is made for a press.",
    ),
    Code(
        "broken-profile",
        "warning",
        "A picture has a broken colour profile",
        "The profile can't be read, or is not one for the picture's colours. They are taken as "
        "sRGB.",
        "Open the picture in an editor and save it as sRGB.",
    ),
    Code(
        "several-pictures",
        "warning",
        "A file holds several pictures",
        "An animation or a file of several pages: only the first picture is printed.",
        "Save the picture that you want as a file of its own.",
    ),
    Code(
        "transparency",
        "note",
        "A picture is partly transparent",
        "Printers at home and most services do it right. Where a press asks for PDF/X-1a, "
        "transparent pictures must be flattened first.",
        "Give the picture the ground it stands on, if your print shop asks for it.",
    ),
    Code(
        "bleed-guessed",
        "note",
        "Whether a picture has a bleed was told from its proportions",
        "`bleed: auto` takes a picture with or without its bleed, whichever fits.",
        "Say `bleed: yes` or `extend` if it is not as you want it.",
    ),
)

FACES = (
    Code(
        "thin-line",
        "warning",
        "A line is thinner than a printer holds",
        "Lines under 0.25 pt (0.088 mm) break up or vanish in print.",
        "Make the `line` wider.",
    ),
    Code(
        "thin-drawing",
        "note",
        "A drawing has lines thinner than a printer holds",
        "Lines under 0.25 pt (0.088 mm) break up or vanish in print. In a drawing made small, "
        "these may be details that nobody misses.",
        "Print the drawing larger, or draw its lines bolder.",
    ),
    Code(
        "unequal-sides",
        "error",
        "Front and back differ in size",
        "Both are sides of one piece of paper.",
        "Give both templates the same `size`.",
    ),
    Code(
        "telling-back",
        "warning",
        "A back gives its card away",
        "The backs of a kind are to be the same, but that of this card differs, if only by a "
        "pixel. Players who look closely know the card.",
        "Use one back for all. If backs are meant to differ, say so: "
        "`back: {template: ..., differs: yes}`.",
    ),
    Code(
        "hue-only",
        "warning",
        "Two colours are told apart only by their hue",
        "One in twelve men sees these two values of a list alike, and nothing else tells them "
        "apart: no picture differs.",
        "Make one colour much lighter or darker, or give the values a picture (`picture`) each "
        "and draw it on the cards.",
    ),
)

CATALOGUE = (
    Code(
        "duplicate-cards",
        "warning",
        "Two cards are the same",
        "All fields of both cards are equal, but for their ids.",
        "Remove one and give the other a `count`, or correct what should differ.",
    ),
    Code(
        "broken-constraint",
        "warning",
        "The cards break a constraint that the game declares",
        "`constraints` in `game.yaml` says what holds for the cards: how many there are, which "
        "values are unique, how evenly they are spread, what goes with what.",
        "Correct the cards or the constraint.",
    ),
    Code(
        "unused-field",
        "warning",
        "A field is never printed",
        "Cards have a value that no template of their kind, no name, no rule and no text uses.",
        "Draw it, or remove the field. Notes to yourself go into comments.",
    ),
    Code(
        "unused-picture",
        "warning",
        "A picture is never printed",
        "No card, template or rulebook names the file.",
        "Remove it, or move it out of `art/`.",
    ),
    Code(
        "unused-template",
        "warning",
        "A template is never used",
        "No kind, deck or box names the file, nor does another template.",
        "Remove it.",
    ),
    Code(
        "unused-name",
        "warning",
        "A style, colour or text is never used",
        "`game.yaml` declares a name that nothing refers to.",
        "Remove it.",
    ),
    Code(
        "unknown-language",
        "warning",
        "A style names a language that the game is not made in",
        "What it says for this language is never used.",
        "Correct the code, or add the language to `languages`.",
    ),
)

TRANSLATIONS = (
    Code(
        "untranslated",
        "warning",
        "A text is not translated",
        "The PO file has no translation for this text, or an empty one. The source text is "
        "printed.",
        "Run `stonehand translate update` and translate the entry.",
    ),
    Code(
        "fuzzy",
        "warning",
        "A translation is of an older text, or marked as fuzzy",
        "The source has changed since, or a translator was not sure. The source text is printed, "
        "since a rule that holds no longer is worse than one in another language.",
        "Bring the translation up to date and remove the mark `fuzzy`.",
    ),
    Code(
        "unused-translation",
        "warning",
        "A translation is of no text",
        "No text of the game has the entry's context, or a table holds its translation.",
        "Run `stonehand translate update`; it moves the entry to the end of the file.",
    ),
    Code(
        "references",
        "error",
        "References, values or icons were lost or added",
        "The translation does not have the same `[[references]]`, `{values}` and `:icons:`.",
        "Put in what is missing, as it stands in the source; remove what is not there.",
    ),
    Code(
        "figures",
        "error",
        "Numbers were lost or added",
        "The translation has other numbers than the source.",
        "Correct the number. If it is written as a word, say `# numbers-as-words` above the entry.",
    ),
    Code(
        "emphasis",
        "error",
        "A mark of emphasis is not closed",
        "The `*` or `_` would be printed as it stands.",
        "Close it, with no space inside.",
    ),
    Code(
        "plurals",
        "error",
        "An entry has fewer plural forms than the language",
        "Some numbers would have no text.",
        "Translate every form.",
    ),
    Code(
        "voices",
        "warning",
        "Emphasis was lost or added",
        "Other pieces are strong or emphasised than in the source.",
        "Emphasise what is emphasised in the source.",
    ),
    Code(
        "end-mark",
        "warning",
        "A sentence does not end with its mark",
        "The source ends with a full stop, colon or question mark, the translation with another or "
        "none.",
        "End it with the mark of the language.",
    ),
    Code(
        "full-width",
        "warning",
        "A full-width mark in a language that has none",
        "It comes from an input method for Chinese or Japanese and leaves a gap.",
        "Type the plain mark.",
    ),
    Code(
        "quotes",
        "warning",
        "Quotation marks are not those of the language",
        "Marks of typewriters or of another language, or one that is left open.",
        "Use the marks that the finding names.",
    ),
    Code(
        "doubled-word",
        "warning",
        "A word stands there twice",
        "Most often it was left over from a change.",
        "Remove one.",
    ),
    Code(
        "spaces",
        "warning",
        "Spaces are doubled or at an edge",
        "They show as gaps.",
        "Remove them.",
    ),
    Code(
        "invisible",
        "warning",
        "A character can't be seen",
        "It breaks searching and line breaking, and most often came with pasted text.",
        "Remove it.",
    ),
    Code(
        "unchanged",
        "warning",
        "A translation is the source text",
        "More than three words are those of the source.",
        "Translate it.",
    ),
    Code(
        "composed",
        "warning",
        "A text is not composed (Unicode NFC)",
        "Letters and their marks are apart, so that searching finds only some of them.",
        "Type the letters anew, or let an editor convert the file to NFC.",
    ),
    Code(
        "terms",
        "warning",
        "A term is translated otherwise than in the termbase",
        "The words of a reference hold none of the stems that `terms.csv` accepts.",
        "Use the term, or add the stem to the termbase.",
    ),
    Code(
        "consistency",
        "warning",
        "One text has two translations",
        "The same source text was translated otherwise elsewhere.",
        "Use one of both.",
    ),
)

RULEBOOK = (
    Code(
        "missing-rule",
        "warning",
        "An id is left out",
        "Rules are counted without gaps, so that nobody looks for one that never was.",
        "Correct the id, or leave the heading of a rule that is gone, marked as withdrawn.",
    ),
    Code(
        "wide-table",
        "warning",
        "A table is wider than its column",
        "It runs into the margin even in small type.",
        "Shorten its words, leave a column out, or use a wider format.",
    ),
    Code(
        "wide-word",
        "warning",
        "A word is wider than its column",
        "It can't be divided and runs into the margin.",
        "Use another word, put a soft hyphen into it, or use a wider format.",
    ),
    Code(
        "unsettled-pages",
        "warning",
        "The page numbers of the contents do not settle",
        "The contents take more or less room with each number that changes.",
        "Change a title by a word.",
    ),
)

SHEETS = (
    Code(
        "shared-cuts",
        "note",
        "Cards that differ at their edges share cuts",
        "With `gap: 0`, a cut that strays leaves a sliver of the neighbour.",
        "Leave `gap` out, or set it to twice the bleed.",
    ),
    Code(
        "narrow-gap",
        "note",
        "The gap leaves only a part of the bleed",
        "Between two cards, half the gap is printed of each one's bleed.",
        "Leave `gap` out, or set it to twice the bleed.",
    ),
    Code(
        "creep",
        "warning",
        "The pages of a booklet creep",
        "Inner sheets of a folded booklet stand out, and their pages are moved to the spine.",
        "Use thinner paper.",
    ),
    Code(
        "printer-readings",
        "warning",
        "The readings of a calibration sheet contradict each other",
        "No way of printing gives all of them.",
        "Read the sheet again.",
    ),
    Code(
        "printer-paper",
        "warning",
        "The printer was calibrated with another paper",
        "Another paper takes another way through the printer.",
        "Calibrate it with this paper.",
    ),
    Code(
        "printer-margin",
        "warning",
        "The margin is less than the printer leaves blank",
        "What lies there is not printed.",
        "Raise the `margin`, or leave it out.",
    ),
)

PDF = (
    Code(
        "pdf-damaged",
        "warning",
        "A PDF is damaged",
        "It could be read only by guessing what a broken part was meant to be. Other programs may "
        "guess otherwise, or refuse it.",
        "Export it again.",
    ),
    Code(
        "pdf-broken-page",
        "error",
        "A page has content that can't be read",
        "What is drawn there is wrong or cut off: it may be missing in print.",
        "Export the file again.",
    ),
    Code(
        "pdf-unread",
        "warning",
        "A PDF is too large to be looked at whole",
        "What is told holds only for the other pages.",
        "Split the file.",
    ),
    Code(
        "pdf-claim",
        "note",
        "A PDF claims a standard that is not checked",
        "Only PDF/X-1a and PDF/X-4 are.",
        "Nothing, if your print shop asks for this standard.",
    ),
    Code(
        "pdf-font",
        "error",
        "A font is not embedded",
        "Each machine takes another font in its place: lines change, and letters may be missing.",
        "Embed all fonts when you export, also the common ones such as Helvetica.",
    ),
    Code(
        "pdf-lost-text",
        "warning",
        "A text can't be searched or copied",
        "The font does not say which characters its signs are (it has neither a ToUnicode table "
        "nor a known encoding). It prints well, but can't be found or read aloud.",
        "Export it from a program that writes ToUnicode tables.",
    ),
    Code(
        "pdf-boxes",
        "error",
        "The boxes of a page do not lie in each other",
        "The trim lies within the bleed, and that within the media box (the paper). Programs for "
        "imposition place or cut such a page wrongly.",
        "Correct the boxes, or the page format and bleed from which they come.",
    ),
    Code(
        "pdf-page-sizes",
        "note",
        "Pages differ in size",
        "Print dialogues take the paper of the first page, or scale the others.",
        "Make a file for each size, unless it is meant so.",
    ),
    Code(
        "pdf-coarse-image",
        "warning",
        "An image has too few pixels for its size in print",
        "Under 200 dpi, pixels show at arm's length.",
        "Use a larger image, or print it smaller.",
    ),
    Code(
        "pdf-soft-image",
        "note",
        "An image is less fine than print services ask",
        "Between 200 and 300 dpi an image is good on a home printer; print services ask for 300.",
        "Use a larger image where you have one.",
    ),
    Code(
        "pdf-thin-line",
        "warning",
        "A line is thinner than a press holds",
        "Lines under 0.25 pt (0.088 mm) break up or vanish in print.",
        "Make the line wider.",
    ),
    Code(
        "pdf-fine-line",
        "note",
        "A line is thinner than some printers hold",
        "Lines under 0.25 pt (0.088 mm) are drawn by home printers, but may come out paler or "
        "wider than they are. Drawings that were made smaller have such lines.",
        "Make the line wider if it matters.",
    ),
    Code(
        "pdf-ink",
        "warning",
        "A place takes too much ink",
        "The inks of one place add up to more than paper takes (300 % unless `--ink` says "
        "otherwise; some shops allow 240 %): it dries badly, and stains the next sheet.",
        "Convert the colours with a profile of a lower limit, or mix a paler black.",
    ),
    Code(
        "pdf-white-overprint",
        "error",
        "White is set to overprint",
        "No ink that overprints leaves what lies below as it is: on a press, white vanishes.",
        "Turn overprinting off for white things.",
    ),
    Code(
        "pdf-transparency",
        "note",
        "A PDF has live transparency",
        "Printers at home and most services do it right. Where a press asks for PDF/X-1a, it must "
        "be flattened.",
        "Nothing, unless your print shop asks for it.",
    ),
    Code(
        "pdf-large-page",
        "note",
        "A page is larger than A4 and Letter",
        "Most printers in homes and offices will scale it, or cut it off.",
        "Use a smaller paper, or have it printed by a shop.",
    ),
    Code(
        "pdf-press-colours",
        "note",
        "A PDF for home has the colours of a press",
        "A home printer turns CMYK and spot colours into its own in a way that is not known.",
        "Export it with RGB colours, or print a page to see whether they are right.",
    ),
    Code(
        "pdf-active",
        "warning",
        "A PDF acts by itself, or is locked",
        "Scripts, forms, attachments and encryption are no part of what is printed. Viewers warn "
        "of them or refuse them, and so do print services.",
        "Export the file without them.",
    ),
    Code(
        "pdf-title",
        "note",
        "A PDF has no title",
        "Viewers and screen readers tell the name of the file instead.",
        "Set the title in the properties of the document.",
    ),
    Code(
        "pdf-language",
        "note",
        "A PDF does not say its language",
        "Screen readers may read it with the sounds of another.",
        "Set the language in the properties of the document.",
    ),
    Code(
        "pdf-untagged",
        "note",
        "A PDF has no tags",
        "Tags tell screen readers what is a heading, a list or a table, and in which order to "
        "read. Sheets of cards do well without.",
        "Export a rulebook as tagged PDF.",
    ),
    Code(
        "pdf-x-name",
        "error",
        "A file does not say that it is PDF/X",
        "PDF/X-1a is told in the document's information, PDF/X-4 in its metadata (XMP).",
        "Export it as PDF/X.",
    ),
    Code(
        "pdf-x-version",
        "error",
        "A file is of a later PDF version than its standard",
        "PDF/X-1a is PDF 1.3 (2001) or 1.4 (2003), PDF/X-4 is 1.6.",
        "Export it as PDF/X.",
    ),
    Code(
        "pdf-x-metadata",
        "error",
        "A PDF/X lacks a title or a date",
        "The standard asks for a title and the dates of creation and of the last change.",
        "Fill them in and export the file again.",
    ),
    Code(
        "pdf-x-trapped",
        "error",
        "A PDF/X does not say whether it is trapped",
        "`Trapped` must be True or False: whether colours that meet overlap already.",
        "Set it to False, unless you know better.",
    ),
    Code(
        "pdf-x-id",
        "error",
        "A PDF/X has no ID",
        "The standard asks for one in the trailer of the file.",
        "Export it as PDF/X.",
    ),
    Code(
        "pdf-x-intent",
        "error",
        "A PDF/X does not say for which press it was made",
        "It needs one output intent: the name of a printing condition, with the profile of a "
        "press (of CMYK for PDF/X-1a).",
        "Choose an output intent when you export, such as that for coated paper.",
    ),
    Code(
        "pdf-x-boxes",
        "error",
        "A page of a PDF/X has no trim box, or an art box beside it",
        "The trim box says where the page is cut.",
        "Export it as PDF/X, with the trim.",
    ),
    Code(
        "pdf-x-bleed",
        "warning",
        "A page has little bleed",
        "Where colour reaches the cut, print shops ask for 3 mm of it beyond, since no knife is "
        "exact.",
        "Export the file with 3 mm of bleed, unless no colour reaches the cut.",
    ),
    Code(
        "pdf-x-font",
        "error",
        "A font that is not used is not embedded either",
        "Some programs list Helvetica in every file. PDF/X forbids it.",
        "Embed it, or remove it from the resources.",
    ),
    Code(
        "pdf-x-colour",
        "error",
        "A PDF/X has colours of the wrong kind",
        "PDF/X-1a takes CMYK, grey and spot colours; PDF/X-4 takes others if they have a profile.",
        "Convert the colours when you export.",
    ),
    Code(
        "pdf-x-small-type",
        "note",
        "Small type is printed in several inks",
        "Inks never meet exactly: type under 8 pt gets coloured edges, or fills up.",
        "Set small type in black alone.",
    ),
    Code(
        "pdf-x-transparency",
        "error",
        "A PDF/X-1a has transparency",
        "The standard knows none: opacity, blend modes, soft masks and transparency groups must be "
        "flattened.",
        "Flatten it when you export, or send PDF/X-4.",
    ),
    Code(
        "pdf-x-filter",
        "error",
        "Content is packed in a way that PDF/X forbids",
        "LZW is forbidden, in PDF/X-1a JPEG 2000 and JBIG2 are, too.",
        "Export it with ZIP (Flate) or JPEG.",
    ),
    Code(
        "pdf-x-foreign",
        "error",
        "Content changes how the press works",
        "Transfer curves, halftones of most kinds, PostScript and placeholders (OPI) are forbidden "
        "in PDF/X: the print shop decides these.",
        "Export it without them.",
    ),
    Code(
        "pdf-x-annotation",
        "error",
        "Notes or links lie on a page of a PDF/X",
        "They may lie only beyond the bleed, where they can't print.",
        "Export it without links and comments.",
    ),
    Code(
        "pdf-x-active",
        "error",
        "A PDF/X acts by itself, or is locked",
        "Scripts, actions, forms, attachments and encryption are forbidden.",
        "Export the file without them.",
    ),
    Code(
        "pdf-x-packed",
        "error",
        "A PDF/X-1a is packed in streams of objects",
        "They came with PDF 1.5; readers of PDF/X-1a need not know them.",
        "Export it as PDF 1.4 or 1.3.",
    ),
    Code(
        "pdf-x-layers",
        "error",
        "A PDF/X-1a has layers",
        "Whether a layer prints depends on the reader.",
        "Flatten the layers when you export.",
    ),
)

PROJECT = (
    Code(
        "no-embedding",
        "warning",
        "A font forbids that it is embedded",
        "The font's licence bits (fsType of its table OS/2) allow no embedding in documents.",
        "Use another font, or ask its maker for a licence that allows it.",
    ),
    Code(
        "web-font",
        "warning",
        "A font is for the web",
        "WOFF files are not read.",
        "Convert it to TTF.",
    ),
    Code(
        "uncredited",
        "warning",
        "The credits do not name a picture or font",
        "`CREDITS.md` says where pictures and fonts come from and under which licence. Neither the "
        "file nor a folder that it lies in stands there in backticks.",
        "Add a line with its licence, such as `` `cards/my-game/art/`: own work, CC BY 4.0``.",
    ),
    Code(
        "no-credits",
        "note",
        "Nothing says where pictures and fonts come from",
        "The project has no `CREDITS.md`. Who gives a game away, or sells it, will be asked.",
        "Write one, and name each file or folder with its licence.",
    ),
    Code(
        "no-reason",
        "warning",
        "A finding is silenced without a reason",
        "Who reads it later can't tell whether it still holds.",
        "Write why after a dash: `# unchecked: small-text - it is a collector's number`.",
    ),
    Code(
        "nothing-silenced",
        "warning",
        "A comment silences nothing",
        "There is no such finding at its place (any more), or no such code.",
        "Remove the comment, or correct the code.",
    ),
)

SECTIONS = {
    "Texts on cards": TEXTS,
    "Pictures": PICTURES,
    "Faces": FACES,
    "Catalogue and files": CATALOGUE,
    "Translations": TRANSLATIONS,
    "Rulebooks": RULEBOOK,
    "Sheets and printers": SHEETS,
    "PDF files": PDF,
    "Project": PROJECT,
}

STOPPING = ("text-overflow", "missing-glyph", "unequal-sides", "references")
"""Codes of findings that no reason can silence: what they are about can't be printed."""

CODES = {code.name: code for codes in SECTIONS.values() for code in codes}
