"""What a PDF has beside its pages: structure tree, links, places they lead to, and bookmarks.

PDF 32000-1: 14.7 structure, 12.5.6.5 links, 12.3.2.3 named destinations, 12.3.3 outline.
"""

from pikepdf import Array, Dictionary, Name, NameTree, NumberTree, Object, OutlineItem, Pdf, String

from stonehand.scene import Anchor, Bookmark, Box, Group, Link, Mark, Matrix, Scene, Tag

FLAG_PRINT = 4  # of an annotation: it is there on paper, too


def has_tags(mark: Mark) -> bool:
    """Tell whether a mark, or one within it, has a place in the document's structure."""
    if not isinstance(mark, Group) or mark.shared:
        return False
    return mark.tag is not None or any(map(has_tags, mark.marks))


class Structure:
    """Gathers structure and places page by page, and writes them at the end."""

    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self._nodes: dict[Tag, Object] = {}
        self._document: Object | None = None
        self._parents: list[Object] = []  # by key of the parent tree: of a page, or of a link
        self._places: dict[str, Array] = {}
        self._links: list[tuple[Object, Link, Box]] = []

    def add_page(self, page: Object, tags: list[Tag]) -> None:
        """Note the structure nodes of a page's marked content, by its ids."""
        page.StructParents = len(self._parents)
        page.Tabs = Name.S
        nodes = []
        for mcid, tag in enumerate(tags):
            node = self._node(tag)
            kid = Dictionary(Type=Name.MCR, Pg=page, MCID=mcid)
            node.K.append(kid)
            nodes.append(node)
        self._parents.append(self.pdf.make_indirect(Array(nodes)))

    def add_places(self, page: Object, scene: Scene, to_points: Matrix) -> None:
        """Note the anchors and links of a page."""
        for mark, matrix in scene.walk():
            if isinstance(mark, Anchor):
                x, y = to_points.after(matrix)(mark.x, mark.y)
                self._places[mark.name] = Array([page, Name.XYZ, round(x, 2), round(y, 2), None])
            elif isinstance(mark, Link):
                place = to_points.after(matrix)
                x1, y1 = place(mark.box.x, mark.box.bottom)
                x2, y2 = place(mark.box.right, mark.box.y)
                self._links.append((page, mark, Box(x1, y1, x2 - x1, y2 - y1)))

    def finish(self, outline: list[Bookmark]) -> None:
        """Write everything into the document."""
        for page, link, box in self._links:
            self._link(page, link, box)
        root = self.pdf.Root
        if self._places:
            tree = NameTree.new(self.pdf)
            for name in sorted(self._places):
                tree[name] = self._places[name]
            root.Names = Dictionary(Dests=tree.obj)
        if self._document is not None:
            numbers = NumberTree.new(self.pdf)
            for key, parent in enumerate(self._parents):
                numbers[key] = parent
            tree_root = self._document.P
            tree_root.ParentTree = numbers.obj
            tree_root.ParentTreeNextKey = len(self._parents)
            root.StructTreeRoot = tree_root
            root.MarkInfo = Dictionary(Marked=True)
        if outline:
            self._outline(outline)

    def _node(self, tag: Tag | None) -> Object:
        if tag is None:
            if self._document is None:
                tree_root = self.pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
                document = Dictionary(Type=Name.StructElem, S=Name.Document, P=tree_root, K=Array())
                self._document = self.pdf.make_indirect(document)
                tree_root.K = self._document
            return self._document
        if tag not in self._nodes:
            parent = self._node(tag.parent)
            node = Dictionary(Type=Name.StructElem, S=Name(f"/{tag.role}"), P=parent, K=Array())
            if tag.language:
                node.Lang = String(tag.language)
            if tag.alt:
                node.Alt = String(tag.alt)
            if tag.scope:
                node.A = Dictionary(O=Name.Table, Scope=Name(f"/{tag.scope}"))
            self._nodes[tag] = self.pdf.make_indirect(node)
            parent.K.append(self._nodes[tag])
        return self._nodes[tag]

    def _link(self, page: Object, link: Link, box: Box) -> None:
        if "://" in link.target:
            action = Dictionary(S=Name.URI, URI=String(link.target))
        elif link.target in self._places:
            action = Dictionary(S=Name.GoTo, D=String(link.target))
        else:
            return  # the book has no such place: a term without an entry
        annotation = self.pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Link,
                Rect=Array([round(v, 2) for v in (box.x, box.y, box.right, box.bottom)]),
                Border=Array([0, 0, 0]),
                F=FLAG_PRINT,
                A=action,
                Contents=String(link.alt),
            )
        )
        if "/Annots" not in page:
            page.Annots = Array()
        page.Annots.append(annotation)
        if link.tag is not None:
            node = self._node(link.tag)
            node.K.append(Dictionary(Type=Name.OBJR, Pg=page, Obj=annotation))
            annotation.StructParent = len(self._parents)
            self._parents.append(node)

    def _outline(self, bookmarks: list[Bookmark]) -> None:
        with self.pdf.open_outline() as outline:
            path: list[OutlineItem] = []
            for mark in bookmarks:
                item = OutlineItem(mark.title, destination=self._places[mark.target])
                del path[mark.level :]
                (path[-1].children if path else outline.root).append(item)
                item.is_closed = mark.level > 0
                path.append(item)
