"""Writers of Scenes: PDF for print, PNG for the screen; files appear whole or not at all."""
