"""Time from saving a file to the new picture of a card: `python benchmarks/serve.py --runs 9`.

A copy of ONIROO is served, and asked over HTTP for what the page asks for: told of the change, it
gets the game, the faces of the cards in the window, and the picture that is new.
"""

import argparse
import http.client
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cards import ROOT, RUN

WINDOW = 40  # cards that a window of 1600 x 1000 px shows
QUIET = 0.3  # s between what is asked for and the next change


class Served:
    """A game that is served by a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [*RUN, "serve", folder.name, "--port", "0", "--no-open"]
        self.process = subprocess.Popen(command, cwd=folder.parents[1], stdout=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        self.host = line.split("http://")[1].split("/")[0]
        self.connection = http.client.HTTPConnection(self.host)
        events = http.client.HTTPConnection(self.host)
        events.request("GET", "/events")
        self.events = events.getresponse()

    def get(self, path: str) -> bytes:
        self.connection.request("GET", path)
        return self.connection.getresponse().read()

    def told(self) -> int:
        """Return the number of the next reading that is told."""
        while True:
            line = self.events.readline()
            if line.startswith(b"data: "):
                return json.loads(line[6:])["number"]

    def faces(self) -> dict[str, str]:
        """Return the keys of the cards in the window."""
        game = json.loads(self.get("/data/game?lang=en"))
        ids = ",".join(card["id"] for card in game["cards"][:WINDOW])
        faces = json.loads(self.get(f"/data/faces?lang=en&ids={ids}"))["faces"]
        return {name: sides["front"]["key"] for name, sides in faces.items()}

    def picture(self, key: str) -> bytes:
        data = self.get(f"/picture/{key}-320.png")
        assert data.startswith(b"\x89PNG")
        return data


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--checks", action="store_true", help="save while the checks run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for part in ("cards", "layouts", "i18n"):
            shutil.copytree(ROOT / part / "oniroo", Path(place) / part / "oniroo")
        file = Path(place) / "cards/oniroo/symbols.yaml"
        start = time.perf_counter()
        served = Served(file.parent)
        served.told()
        known = served.faces()
        for key in known.values():
            served.picture(key)
        print(f"first window of {WINDOW} cards: {time.perf_counter() - start:.2f} s")
        seconds = []
        try:
            for run in range(options.runs):
                if options.checks:
                    other = http.client.HTTPConnection(served.host)
                    other.request("GET", "/data/findings?lang=en")
                time.sleep(QUIET * (1 + 4 * options.checks))
                text = file.read_text("utf-8")
                start = time.perf_counter()
                file.write_text(re.sub("name: Owl[0-9]*", f"name: Owl{run}", text), "utf-8")
                served.told()
                faces = served.faces()
                new = [key for name, key in faces.items() if known[name] != key]
                assert len(new) == 1, new
                served.picture(new[0])
                seconds.append(time.perf_counter() - start)
                known = faces
        finally:
            served.process.terminate()
        median, worst = statistics.median(seconds), max(seconds)
        print(f"save to picture, {options.runs} runs: median {median:.2f} s, worst {worst:.2f} s")


if __name__ == "__main__":
    sys.exit(main())
