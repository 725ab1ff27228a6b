"""Forty kinds of bad input, and where each is tested.

A name is that of a case in `bad/`, or of a test with its file. Most of what is tested of an input
stands there together with its like; here one sees that none is forgotten.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
INPUTS = {
    "1 a tab for indentation": ["bad/yaml-syntax"],
    "2 the same key twice": ["bad/yaml-syntax"],
    "3 one id in two files": ["bad/cards-fields"],
    "4 an unknown field": ["bad/cards-fields", "bad/game-keys", "bad/cards-files"],
    "5 a field that is missing": ["bad/cards-fields", "bad/game-missing"],
    "6 a count that is negative, huge or no number": ["bad/cards-fields"],
    # an id becomes the name of a file, so that 1:30 is a text but no id
    "7 ids and texts that look like numbers, truth values or times": [
        "test_bad_input.py::test_ids_and_texts_stay_as_they_are_written",
        "test_source.py::test_every_scalar_stays_the_text_that_stands_there",
        "bad/card-ids",
    ],
    "8 aliases and merge keys that expand without end": [
        "test_bad_input.py::test_a_hostile_file_costs_neither_time_nor_memory",
        "test_bounds.py::test_a_hostile_text_costs_no_more_than_its_length",
        "bad/yaml-syntax",
    ],
    "9 an alias within itself": ["bad/yaml-syntax"],
    "10 a hundred thousand brackets": [
        "test_bad_input.py::test_a_hostile_file_costs_neither_time_nor_memory",
        "bad/yaml-content",
    ],
    "11 a tag that would run code": ["bad/yaml-syntax"],
    "12 marks of a merge conflict": [
        "bad/yaml-syntax",
        "bad/po-conflict",
        "test_rules_reading.py::test_what_is_no_text_is_no_rules",
    ],
    "13 UTF-16, Latin-1, NUL": [
        "bad/yaml-encoding",
        "test_source.py::test_a_byte_that_is_not_utf_8_is_told_by_the_character_it_stands_at",
    ],
    "14 an empty file, or a list for a mapping": ["bad/yaml-content", "bad/game-list"],
    "15 huge files, devices, pipes and folders": [
        "test_bad_input.py::test_a_huge_file_is_refused_before_it_is_read",
        "test_bad_input.py::test_a_file_without_end_is_not_read",
        "test_bad_input.py::test_a_folder_or_a_pipe_is_no_file",
        "test_bounds.py::test_the_values_of_a_file_are_bounded_while_it_is_read",
    ],
    "16 pictures outside the project, by path or address": ["bad/art-names"],
    "17 links out of the project": [
        "test_bad_input.py::test_a_picture_that_is_a_link_out_of_the_project_is_refused",
        "test_bad_input.py::test_a_link_within_its_folder_is_followed",
        "test_bad_input.py::test_no_file_or_folder_of_a_project_may_be_a_link_out_of_it",
    ],
    "18 pictures that are missing, or differ by upper and lower case": ["bad/art-names"],
    "19 pictures of too many pixels": [
        "test_art.py::test_too_many_pixels_are_refused_by_the_header_alone",
        "test_art.py::test_a_refused_bomb_takes_no_memory",
        "test_bad_input.py::test_a_picture_of_a_billion_pixels_is_refused_before_it_is_decoded",
    ],
    "20 pictures cut off, altered or empty": [
        "bad/art-files",
        "test_art.py::test_a_damaged_picture_is_a_fault",
    ],
    "21 other formats under the name of one": [
        "bad/art-files",
        "test_art.py::test_a_file_is_what_its_name_says",
    ],
    "22 pictures with more data than pixels": ["test_art.py::test_a_damaged_picture_is_a_fault"],
    "23 rare kinds of pixels, turns, animations and profiles": [
        "test_art.py::test_16_bit_gray_png_is_scaled",
        "test_art.py::test_16_bit_gray_tiff_is_scaled",
        "test_art.py::test_cmyk_jpeg_as_adobe_writes_it_is_not_a_negative",
        "test_art.py::test_palette_with_a_transparent_entry",
        "test_art.py::test_an_exif_turn_is_seen",
        "test_art.py::test_of_an_animation_the_first_picture_with_a_warning",
        "test_art.py::test_a_broken_colour_profile_is_ignored_with_a_warning",
    ],
    "24 SVG with DOCTYPE and entities": ["bad/art-files", "test_art.py::test_the_gate_refuses"],
    "25 SVG that names files and addresses, or holds scripts": [
        "bad/art-files",
        "test_art.py::test_the_gate_refuses",
    ],
    "26 SVG without end or size, or that is none": [
        "bad/art-files",
        "test_art.py::test_the_gate_refuses",
        "test_art.py::test_a_drawing_larger_than_10_mb_is_refused",
        "test_bounds.py::test_a_hostile_text_costs_no_more_than_its_length",
    ],
    "27 PDF that is damaged or locked, has no pages, many, or active parts": [
        "test_art.py::test_a_bad_pdf_is_a_fault",
        "test_art.py::test_pages_by_number",
        "test_art.py::test_a_page_among_thousands",
        "test_art.py::test_active_parts_stay_behind",
    ],
    "28 fonts that are none, or lack a letter": [
        "bad/fonts",
        "bad/glyph-missing",
        "test_fonts.py::test_is_a_problem_with_its_name",
        "test_fonts.py::test_is_an_error_that_names_code_point_card_and_field",
    ],
    # a long word that does not fit is an error like any text that does not
    "29 control characters, heaps of marks, endless words": [
        "bad/cards-fields",
        "test_bad_input.py::test_a_text_that_nobody_could_read_is_told_at_once",
        "test_paragraph.py::test_the_65th_mark_on_a_letter_is_one",
    ],
    "30 text that does not fit": [
        "bad/text-does-not-fit",
        "test_paragraph.py::test_shrink_tells_that_its_smallest_size_is_reached",
    ],
    "31 lengths without unit, with a comma, beyond all bounds": [
        "bad/template-values",
        "test_source.py::test_any_text_is_a_length_in_range_or_is_refused_with_a_hint",
    ],
    "32 templates that draw outside, in circles, without end, or what is not there": [
        "bad/template-drawn",
        "test_bad_input.py::test_repetitions_are_bounded",
        "test_bad_input.py::test_parts_that_use_parts_twice_each_are_bounded",
    ],
    "33 sheets that hold no card; backs that some cards lack": [
        "bad/card-larger-than-paper",
        "bad/margin-leaves-no-room",
        "test_bad_input.py::test_a_wrong_command_line_ends_with_code_2",
        "test_sheets.py::test_that_a_card_lacks_leave_their_place_empty",
    ],
    "34 rules with ids missing, twice or out of order, and unknown names": [
        "test_rules_reading.py::test_are_told_at_their_line",
        "test_rules_reading.py::test_unknown_names_are_told_at_their_lines_all_in_one_run_with_all_else",
    ],
    "35 rules that never settle, or are nested without end": [
        "test_rules_pages.py::test_pages_that_never_settle_end_with_a_warning",
        "test_rules_reading.py::test_what_is_nested_or_repeated_without_end_is_read_in_a_second",
    ],
    "36 PO files with faults of form": [
        "bad/po-faults",
        "test_po.py::test_a_fault_is_told_once_at_its_place",
        "test_po.py::test_a_fault_of_the_header_is_told_once_at_its_place",
        "test_translation.py::test_a_file_of_another_language_is_an_error",
    ],
    "37 translations that drop or change what they must keep": [
        "bad/po-warnings",
        "test_translate.py::test_a_bad_translation_is_told",
    ],
    # a file is never called by an id alone, so that CON is one like any other
    "38 names that can't be files, or would be one file": [
        "bad/card-ids",
        "bad/game-names",
        "test_bad_input.py::test_names_that_no_file_can_have_are_refused",
    ],
    "39 targets that can't be written, full disks, other runs, being killed": [
        "test_output.py::test_because_its_folder_is_not_ours_to_write_is_reported",
        "test_output.py::test_is_reported_in_a_line_and_leaves_the_folder_as_it_was",
        "test_output.py::test_a_link_to_a_file_elsewhere_is_replaced_and_not_followed",
        "test_output.py::test_open_elsewhere_stays_as_it_was_for_who_reads_it",
        "test_output.py::test_that_were_killed_left_old_files_whole_and_are_tidied_up_after",
        "test_output.py::test_into_one_folder_at_once_do_not_mix",
        "test_cli.py::test_is_not_followed_unless_named",
        "test_cli.py::test_ctrl_c_between_two_files_ends_with_130_and_leaves_neither",
    ],
    "40 a system that lacks what others have": [
        "test_cli.py::test_settings_of_the_system_that_are_odd_or_missing_make_no_difference",
        "test_cli.py::test_a_folder_that_is_gone_is_told_in_a_line",
        "test_cli.py::test_words_that_are_not_utf_8_are_shown_as_escapes",
        "test_cli.py::test_a_terminal_that_knows_no_korean_shows_escapes_not_a_traceback",
        "test_cli.py::test_a_reader_that_has_gone_is_no_traceback",
        "test_pdf.py::test_come_from_the_same_game_anywhere_at_any_time",
    ],
}


@cache
def functions_of(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("what", INPUTS)
def test_every_bad_input_is_tested_where_the_list_says(what):
    assert INPUTS[what]
    for name in INPUTS[what]:
        file, _, test = name.partition("::")
        assert test in functions_of(file) if test else (TESTS / file).is_dir(), name


def test_the_list_has_all_forty():
    assert [int(what.partition(" ")[0]) for what in INPUTS] == list(range(1, 41))
