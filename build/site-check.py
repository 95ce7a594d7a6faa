"""Checks a built site: each link leads to a file and a heading, each picture is there and is described, and no page
loads anything from another host.

Usage: site-check.py DIRECTORY
"""

import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself, as opposed to what a reader follows.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("source", "srcset"), ("link", "href")}


class Page(HTMLParser):

    def __init__(self, text):
        super().__init__()
        self.ids = Counter()
        self.links = []
        self.findings = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in {values.get("id"), values.get("name") if tag == "a" else None}:
            if name:
                self.ids[name] += 1
        if tag == "img" and not values.get("alt"):
            self.findings.append(f"the picture '{values.get('src')}' has no description")
        if tag == "a" and values.get("href") is not None:
            self.links.append((values["href"], False))
        for name in ("src", "srcset", "href"):
            if (tag, name) in LOADED and values.get(name):
                self.links.append((values[name], True))

    handle_startendtag = handle_starttag


def main(site):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if site / "index.html" not in pages:
        return [f"{site} has no index.html"], pages
    findings = []
    for path, page in pages.items():
        own = "/api/" not in path.as_posix()
        for finding in page.findings if own else []:
            findings.append(f"{path}: {finding}")
        for link, loaded in page.links:
            problem = broken(site, pages, path, link, loaded)
            if problem:
                findings.append(f"{path}: '{link}' {problem}")
    return findings, pages


def broken(site, pages, path, link, loaded):
    parts = urlsplit(link)
    if parts.scheme in ("data", "mailto", "javascript"):
        return None
    if parts.scheme or parts.netloc:
        return "is loaded from another host" if loaded else None
    # a page for any address that does not exist begins all links at the root
    base = site if parts.path.startswith("/") else path.parent
    file = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path.resolve()
    if file.is_dir():
        file = file / "index.html"
    if not file.is_file():
        return "leads nowhere"
    target = pages.get(file)
    if parts.fragment and target and not target.ids[unquote(parts.fragment)]:
        return "leads to no heading"
    return None


if __name__ == "__main__":
    findings, pages = main(Path(sys.argv[1]).resolve())
    for finding in findings[:50]:
        print(finding, file=sys.stderr)
    if findings:
        sys.exit(f"{len(findings)} findings in {len(pages)} pages")
    print(f"{len(pages)} pages are in {sys.argv[1]}; links, pictures and hosts are as they must be")
