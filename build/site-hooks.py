"""What the site needs that the pages in docs/ do not say, so that they read as well where the sources are hosted.

Links out of docs/ lead to pages of the site where there are such pages, and else to the sources.
"""

import io
import posixpath
import re
import zipfile
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.structure.nav import Link, Section

# Pages outside of docs/, by their names on the site.
OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "templates/handler/README.md": "template-handler.md",
    "templates/controller/README.md": "template-controller.md",
    "templates/clusters/README.md": "template-clusters.md",
}

LINK = re.compile(r"(?P<before>\]\()(?P<path>[^)\s#:]+)(?P<rest>(?:#[^)\s]*)?\))")

COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)

CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)


def root(config):
    return Path(config.config_file_path).resolve().parent


def on_files(files, config):
    for name, page in OUTSIDE.items():
        folder = posixpath.dirname(name)
        text = moved((root(config) / name).read_text(encoding="utf-8"), folder)
        if name.startswith("templates/"):
            archive = f"start/{posixpath.basename(folder)}.zip"
            files.append(File.generated(config, archive, content=zipped(root(config) / folder)))
            text += f"\nThe folder is [{folder}]({config.repo_url}/tree/main/{folder}) of the sources, "
            text += f"and [{posixpath.basename(archive)}]({archive}) has all of it.\n"
        files.append(File.generated(config, page, content=text))
    return files


def zipped(folder):
    """The files of a folder, the same bytes each time; what a build leaves there is left out."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            path = file.relative_to(folder)
            if file.is_file() and path.parts[0] != "target":
                entry = zipfile.ZipInfo(f"{folder.name}/{path.as_posix()}", (1980, 1, 1, 0, 0, 0))
                entry.external_attr = 0o644 << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())
    return content.getvalue()


def moved(text, folder):
    """A page of another folder as a page of docs/: its links begin there."""
    return outside_of_code(text, lambda link: link["before"] + below_docs(folder, link["path"]) + link["rest"])


def below_docs(folder, path):
    place = posixpath.normpath(posixpath.join(folder, path))
    if place in OUTSIDE:
        return OUTSIDE[place]
    return place[len("docs/"):] if place.startswith("docs/") else "../" + place


def on_page_markdown(markdown, page, config, files):
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    # what a test gives the blocks of a page is not for readers
    markdown = COMMENT.sub("", markdown)
    return outside_of_code(markdown, lambda link: link["before"] + target(link["path"], page, config) + link["rest"])


def target(path, page, config):
    place = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), path))
    if place.startswith("docs/"):
        return path
    if place in OUTSIDE:
        return OUTSIDE[place]
    source = root(config) / place
    if not source.exists():
        raise PluginError(f"'{page.file.src_uri}' links to '{path}', and there is no '{place}'")
    return f"{config.repo_url}/{'tree' if source.is_dir() else 'blob'}/main/{place}"


def outside_of_code(markdown, replacement):
    parts = CODE.split(markdown)
    return "".join(part if i % 2 else LINK.sub(replacement, part) for i, part in enumerate(parts))


def on_nav(nav, config, files):
    """Where build/site puts the Javadoc beside the pages, the last group of the reference leads there."""
    if config.extra.get("javadoc"):
        for item in nav.items:
            if isinstance(item, Section) and item.title == "Reference":
                item.children.append(Link("Javadoc", "api/index.html"))
    return nav


