"""Sheets: papers, imposition, backs that meet their fronts, cut marks, rulers and labels."""
