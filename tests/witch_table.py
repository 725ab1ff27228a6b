"""A table that plays Catch the Witch as its rules are written, with random players.

Read it beside `i18n/witch/rules.md`: a method for each step, in the order of the rules. All that a
player comes to know goes through `Cat.learn`, as (topic, detail); what the host or the bowl knows
stays in local variables. So a test can tell whether somebody learned what is not theirs.

`settle` and `settle_vote` are the checks of K_05 and nothing else.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

ROLES = {  # C_01, in the order of its rows, for 4 to 12 players
    "witch": (1, 1, 1, 2, 2, 2, 2, 3, 3),
    "crow": (0, 0, 1, 0, 0, 1, 1, 1, 1),
    "joker": (0, 0, 0, 0, 1, 1, 1, 1, 1),
    "healer": (1, 1, 1, 1, 1, 1, 1, 1, 1),
    "guard": (0, 0, 1, 1, 1, 1, 1, 1, 1),
    "seer": (0, 1, 1, 1, 1, 1, 1, 1, 1),
    "pickpocket": (0, 0, 0, 0, 1, 1, 1, 1, 1),
    "villager": (2, 2, 1, 2, 1, 1, 2, 2, 3),
}
SETTINGS = {  # C_02
    "places": (3, 3, 4, 4, 4, 5, 5, 6, 6),
    "needed": (2, 2, 2, 3, 3, 3, 4, 4, 4),
    "seals": (2, 3, 3, 3, 3, 3, 3, 3, 3),
    "knights": (4, 5, 5, 5, 5, 5, 6, 6, 6),
    "curse": (3, 3, 3, 3, 3, 3, 3, 3, 3),
}
SIDES = {"witch": "witch", "crow": "witch", "joker": "solo"}  # all others: village
SOOT = -1
COPIES = 2  # of each open place in a larder

VILLAGE, WITCHES, JOKER = "village", "witches", "joker"


def setting(name: str, players: int) -> int:
    """Return a number of C_02."""
    return SETTINGS[name][players - 4]


def roles_for(players: int) -> list[str]:
    """Return the role cards of C_01."""
    return [role for role, counts in ROLES.items() for _ in range(counts[players - 4])]


@dataclass
class Cat:
    """A player: what lies before them, and what they know."""

    seat: int
    role: str
    larder: list[int]
    basket: list[int] = field(default_factory=lambda: [SOOT, SOOT])
    path: int | None = None
    frog_since: int | None = None
    out: bool = False
    fed: int = 0  # cards that went into rituals
    knows: set[tuple[str, object]] = field(default_factory=set)

    @property
    def witch(self) -> bool:
        return self.role == "witch"

    @property
    def side(self) -> str:
        return SIDES.get(self.role, "village")

    @property
    def frog(self) -> bool:
        return self.frog_since is not None

    @property
    def human(self) -> bool:
        return not self.frog and not self.out

    def learn(self, topic: str, detail: object) -> None:
        self.knows.add((topic, detail))


@dataclass(frozen=True)
class Letter:
    """What a cat writes by Day without a host; to seat 0 is to the duck."""

    to: int
    mark: str  # greeting, spell, return or watch
    place: int | None = None


def settle(cats: Iterable[Cat]) -> tuple[str, str] | None:
    """Check the end of the Day (K_05): who has won, and how."""
    cats = list(cats)
    left = [cat for cat in cats if cat.witch and not cat.out]
    if left and all(cat.frog for cat in left):
        return VILLAGE, "all frogs"
    witches = sum(cat.human for cat in left)
    others = sum(cat.human and not cat.witch for cat in cats)
    if witches and others <= witches:
        return WITCHES, "takeover"
    return None


def settle_vote(cats: Iterable[Cat], gone: Cat | None, last: bool) -> tuple[str, str] | None:
    """Check what comes after a vote (K_05)."""
    cats = list(cats)
    if gone and gone.role == "joker":
        return JOKER, "voted out"
    if last:
        return (VILLAGE, "final vote") if gone and gone.witch else (WITCHES, "final vote")
    if all(cat.out for cat in cats if cat.witch):
        return VILLAGE, "all out"
    return settle(cats)


class Table:
    """One game."""

    def __init__(self, players: int, host: bool, seed: int) -> None:
        self.players = players
        self.host = host
        self.random = random.Random(seed)
        self.wits = self.random.random()  # how well this village plays, 0 to 1
        roles = roles_for(players)
        self.random.shuffle(roles)
        self.places = list(range(1, setting("places", players) + 1))
        self.cats = [Cat(n, role, self.places * COPIES) for n, role in enumerate(roles, 1)]
        self.day = 0
        self.seals = self.ashes = 0
        self.head: Cat | None = None
        self.healed: int | None = None  # whom the healer chose yesterday
        self.log: list[tuple[int, str]] = []  # checks as they were made, and steps
        self.result: tuple[str, str] | None = None

    # --- who is there ---

    @property
    def humans(self) -> list[Cat]:
        return [cat for cat in self.cats if cat.human]

    def all_learn(self, topic: str, detail: object) -> None:
        for cat in self.cats:
            cat.learn(topic, detail)

    def after(self, cat: Cat) -> list[Cat]:
        """Return all others in seating order, from the next on."""
        return self.cats[cat.seat :] + self.cats[: cat.seat - 1]

    # --- the game ---

    def play(self) -> tuple[str, str]:
        self.see_roles()
        while self.result is None:
            self.morning()
            self.walk()
            self.result = self.check("day", settle(self.cats))
            if self.result is None:
                self.evening()
                self.night()
        return self.result

    def check(self, when: str, result: tuple[str, str] | None) -> tuple[str, str] | None:
        self.log.append((self.day, f"{when}: {result}"))
        return result

    @property
    def score(self) -> int:
        """The witch score (K_06)."""
        return sum(cat.frog and not cat.out for cat in self.cats)

    def see_roles(self) -> None:
        """C_04: each the own card; witches each other; the crow the witches."""
        for cat in self.cats:
            cat.learn("role", (cat.seat, cat.role))
            if cat.witch or cat.role == "crow":
                for other in self.cats:
                    if other.witch:
                        cat.learn("role", (other.seat, "witch"))

    def morning(self) -> None:
        """E_01 and E_02."""
        self.day += 1
        for cat in self.cats:
            if cat.frog_since is not None and not cat.out and self.day - cat.frog_since == 2:
                cat.frog_since = None
                self.all_learn("returned", (self.day, cat.seat))
        self.demand = self.random.sample(self.places, setting("needed", self.players))
        self.all_learn("demand", (self.day, tuple(self.demand)))

    def walk(self) -> None:
        """F: the Day."""
        for cat in self.humans:  # F_02
            wanted = [place for place in cat.larder if place in self.demand]
            wise = wanted and self.random.random() < self.wits
            self.lay(cat, self.random.choice(wanted if wise else cat.larder))
        later = {cat.seat for cat in self.humans if cat.witch}
        guard = next((cat for cat in self.humans if cat.role == "guard"), None)
        if guard and self.random.random() < 0.6:
            later.add(guard.seat)
        else:
            guard = None
        counts = Counter(cat.path for cat in self.humans if cat.seat not in later)
        seen = (self.day, tuple(sorted(counts.items())))
        if self.host:
            watched, spells, returned = self.call(guard, seen)
        else:
            watched, spells, returned = self.post(guard, seen)
        hit = [  # F_05, 1
            cat
            for cat in self.humans
            if any(cat.seat == target and cat.path == place for target, place in spells)
            and cat.path != watched
            and cat is not guard
        ]
        for cat in hit:
            cat.frog_since = self.day
        if returned:  # 2
            returned.frog_since = None
        for cat in self.cats:  # 3
            if cat.path is None:
                continue
            home = cat.human and cat is not guard
            (cat.basket if home else cat.larder).append(cat.path)
            cat.path = None
        self.hit = [cat.seat for cat in hit]
        self.returned = [returned.seat] if returned else []

    def lay(self, cat: Cat, place: int) -> None:
        """Lay a path card out of the larder, the old one going back."""
        if cat.path is not None:
            cat.larder.append(cat.path)
        cat.larder.remove(place)
        cat.path = place
        cat.learn("path", (self.day, cat.seat, place))

    def choose_frog(self) -> Cat | None:
        """Let the healer choose, never the same on two days in a row (L_02)."""
        healer = next((cat for cat in self.humans if cat.role == "healer"), None)
        frogs = [cat for cat in self.cats if cat.frog and not cat.out]
        frogs = [cat for cat in frogs if cat.seat != self.healed]
        chosen = self.random.choice(frogs) if healer and frogs else None
        self.healed = chosen.seat if chosen else None
        return chosen

    def choose_spell(self, witch: Cat) -> tuple[int, int]:
        """Let a witch choose place and target, with what she knows; she goes there, too."""
        place = self.random.choice([*witch.larder, witch.path or 0])
        if place != witch.path:
            self.lay(witch, place)
        known = {detail for topic, detail in witch.knows if topic == "role"}
        others = [cat.seat for cat in self.humans if cat is not witch]
        kind = [seat for seat in others if (seat, "witch") not in known]
        return self.random.choice(kind if self.random.random() < 0.95 else others), place

    def call(
        self, guard: Cat | None, seen: tuple[int, object]
    ) -> tuple[int | None, list[tuple[int, int]], Cat | None]:
        """F_03: the host calls healer, guard and witches; nobody else has open eyes."""
        returned = self.choose_frog()
        self.log.append((self.day, "call healer"))
        watched = None
        self.log.append((self.day, "call guard"))
        if guard:
            guard.learn("counts", seen)
            watched = self.random.choice(self.places)
            guard.learn("watched", (self.day, watched))
        self.log.append((self.day, "call witches"))
        spells = []
        for witch in [cat for cat in self.humans if cat.witch]:
            witch.learn("counts", seen)
        for witch in [cat for cat in self.humans if cat.witch]:
            spells.append(self.choose_spell(witch))
            for other in self.cats:  # their eyes are open
                if other.witch and other.human:
                    other.learn("spell", (self.day, witch.seat, *spells[-1]))
        return watched, spells, returned

    def post(
        self, guard: Cat | None, seen: tuple[int, object]
    ) -> tuple[int | None, list[tuple[int, int]], Cat | None]:
        """F_04: place slips are read out; then letters, one from each, mixed and delivered."""
        self.all_learn("counts", seen)
        letters = []
        frog = self.choose_frog()
        for cat in self.humans:
            if cat.witch:
                target, place = self.choose_spell(cat)
                letters.append(Letter(target, "spell", place))
                cat.learn("spell", (self.day, cat.seat, target, place))
            elif cat is guard:
                letters.append(Letter(0, "watch", self.random.choice(self.places)))
            elif cat.role == "healer" and frog:
                letters.append(Letter(frog.seat, "return"))
            else:
                letters.append(Letter(self.random.choice(self.after(cat)).seat, "greeting"))
        self.random.shuffle(letters)
        watched = next((letter.place for letter in letters if letter.mark == "watch"), None)
        self.all_learn("watched", (self.day, watched))
        spells, returned = [], None
        for letter in letters:
            if not letter.to:
                continue
            reader = self.cats[letter.to - 1]
            reader.learn("letter", (self.day, letter.to, letter.mark, letter.place))
            if letter.mark == "return":
                returned = reader
            elif letter.mark == "spell":
                spells.append((letter.to, letter.place or 0))
        return watched, spells, returned

    def evening(self) -> None:
        """G_01 and G_02."""
        for seat in self.hit:
            self.all_learn("frog", (self.day, seat))
        for seat in self.returned:
            self.all_learn("returned", (self.day, seat))
        for cat in self.humans:
            others = [other for other in self.cats if other is not cat and not other.out]
            if cat.role == "pickpocket":
                victim = self.random.choice(others)
                if cat.basket and victim.basket:
                    mine = cat.basket.pop(self.random.randrange(len(cat.basket)))
                    theirs = victim.basket.pop(self.random.randrange(len(victim.basket)))
                    cat.basket.append(theirs)
                    victim.basket.append(mine)
                    cat.learn("swap", (self.day, victim.seat, theirs))
            elif cat.role == "seer":
                other = self.random.choice(others)
                cat.learn("side", (other.seat, other.side))

    def night(self) -> None:
        """H, I and J."""
        members = self.propose()
        if members and self.ritual(members):
            self.seals += 1
            if self.seals == setting("seals", self.players):
                self.result = self.check("ritual", (VILLAGE, "seals"))
                return
        elif members:
            self.ashes += 1
        self.check("ritual", None)
        self.vote()

    def propose(self) -> list[Cat]:
        """H: go round until a proposal passes or the curse meter is full."""
        curse = 0
        while curse < setting("curse", self.players):
            order = [*self.after(self.head), self.head] if self.head else self.cats
            self.head = next(cat for cat in order if cat.human)
            self.log.append((self.day, f"head {self.head.seat}"))
            del self.demand[len(self.humans) :]
            members = self.choose_members()
            yes = {cat.seat for cat in self.humans if self.random.random() < 0.6}
            self.all_learn("yes", (self.day, curse, tuple(sorted(yes))))
            if 2 * len(yes) > len(self.humans):
                return members
            curse += 1
        return []

    def choose_members(self) -> list[Cat]:
        """Let the head propose, for each ingredient a cat that says it has it; witches may lie."""
        left = self.random.sample(self.humans, len(self.humans))
        members = []
        for wanted in self.demand:
            able = [c for c in left if wanted in c.basket or c.side == "witch"]
            wise = able and self.random.random() < self.wits
            members.append(self.random.choice(able if wise else left))
            left.remove(members[-1])
        return members

    def ritual(self, members: list[Cat]) -> bool:
        """I: each puts in a card; one looks; all learn success or failure."""
        cards = []
        agreed = dict(zip((cat.seat for cat in members), self.demand, strict=True))
        for cat in members:
            if not cat.basket:
                continue
            wish = agreed[cat.seat]
            good = wish in cat.basket and not (cat.side == "witch" and self.random.random() < 0.7)
            card = wish if good else self.random.choice(cat.basket)
            cat.basket.remove(card)
            cards.append(card)
            cat.fed += 1
        self.random.shuffle(cards)
        success = sorted(cards) == sorted(self.demand)
        if not self.host:
            assert self.head
            seated = {cat.seat for cat in members}
            [looker, *_] = [cat for cat in self.after(self.head) if cat.seat not in seated]
            looker.learn("ritual cards", (self.day, tuple(sorted(cards))))
            self.log.append((self.day, f"looks {looker.seat}"))
        self.all_learn("ritual", (self.day, success))
        return success

    def vote(self) -> None:
        """J: the most votes are out; a tie or nothing but skips is nobody."""
        votes: Counter[int] = Counter()
        for cat in self.humans:
            others = [c.seat for c in self.humans if c is not cat]
            skip = self.random.random() < 0.8 * self.wits
            choice = 0 if skip else self.random.choice([0, *others])
            self.all_learn("vote", (self.day, cat.seat, choice))
            if choice:
                votes[choice] += 1
        ranked = votes.most_common(2)
        tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
        gone = self.cats[ranked[0][0] - 1] if ranked and not tie else None
        self.gone = gone
        if gone:
            gone.out = True
            self.all_learn("role", (gone.seat, gone.role))
        last = self.day == setting("knights", self.players)
        self.result = self.check("vote", settle_vote(self.cats, gone, last))
