package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the links and pictures of the README, of the pages in {@code docs/} and of
 * the templates are valid, and that the site contains all of these pages.
 */
class LinksTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern CODE = Pattern.compile("^ *```.*?^ *```", Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern INLINE_CODE = Pattern.compile("`[^`\\n]*`");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]*)\\)");

	private static final Path HOME = ROOT.resolve("docs/index.md");

	private static final Pattern NAVIGATION = Pattern.compile("^ *- [^#\\n]*: *(\\S+\\.md)$", Pattern.MULTILINE);

	private static final Pattern PICTURE = Pattern.compile("!\\[([^]]*)]\\(([^)\\s]*)\\)");

	private static final Pattern RUN_IN = Pattern.compile("^[^\\s#|>*-][^\\n|]*\\n([*-] .*|\\|.*)$", Pattern.MULTILINE);

	private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

	static List<Path> pages() throws IOException {
		try (Stream<Path> top = Files.list(ROOT)) {
			return Stream.of(top, below("docs"), below("templates"), below("examples"))
				.flatMap((files) -> files)
				.filter((file) -> file.toString().endsWith(".md"))
				.sorted()
				.toList();
		}
	}

	private static Stream<Path> below(String folder) throws IOException {
		if (!Files.exists(ROOT.resolve(folder))) {
			return Stream.empty();
		}
		try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
			return files.filter((file) -> !file.toString().contains("/target/")).toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyLinkShouldLeadToAFileAndHeading(Path page) throws IOException {
		assertThat(broken(page)).isEmpty();
	}

	@Test
	void everyPageShouldBeLinkedFromTheReadme() throws IOException {
		Path readme = ROOT.resolve("README.md");
		Set<Path> linked = linkedFrom(readme);
		assertThat(pages()).filteredOn((page) -> !page.equals(readme) && !isTemplate(page) && !isExample(page))
			.hasSizeGreaterThan(5)
			.allSatisfy((page) -> assertThat(linked).contains(page.normalize()));
	}

	@Test
	void navigationOfTheSiteShouldNameEveryPageOnce() throws IOException {
		List<String> navigation = NAVIGATION
			.matcher(Files.readString(ROOT.resolve("mkdocs.yml")).replaceFirst("(?s).*\nnav:\n", ""))
			.results()
			.map((item) -> item.group(1))
			.toList();
		List<String> pages = pages().stream()
			.filter((page) -> !page.equals(ROOT.resolve("README.md")) && !isExample(page))
			.map(LinksTests::name)
			.toList();
		assertThat(navigation).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(pages);
	}

	@Test
	void homePageShouldLeadToEveryGroup() throws IOException {
		assertThat(linkedFrom(HOME)).contains(page("getting-started"), page("handlers"), page("controllers"),
				page("replicas"), page("clusters"), page("operations"), page("configuration"), page("concepts"));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyPictureShouldBeThereAndDescribed(Path page) {
		String text = withoutCode(page);
		assertThat(PICTURE.matcher(text).results()).allSatisfy((picture) -> {
			assertThat(picture.group(1)).as(picture.group()).isNotBlank();
			assertThat(page.resolveSibling(picture.group(2))).exists();
		});
		assertThat(text).as("has elements of HTML, whose links nobody checks").doesNotContain("<img", "<a ");
	}

	/**
	 * The site would load what draws them from another host.
	 */
	@ParameterizedTest
	@MethodSource("pagesOfTheSite")
	void noPageShouldHaveADiagramThatAScriptDraws(Path page) throws IOException {
		assertThat(Files.readString(page)).doesNotContain("```mermaid");
	}

	/**
	 * GitHub takes a list without a blank line before it for a list, the site does not.
	 */
	@ParameterizedTest
	@MethodSource("pages")
	void listsAndTablesShouldBeginAfterABlankLine(Path page) {
		assertThat(RUN_IN.matcher(withoutCode(page, "code")).results().map((line) -> line.group(1))).isEmpty();
	}

	@Test
	void brokenLinksShouldBeFound(@TempDir Path directory) throws IOException {
		Path page = Files.writeString(directory.resolve("page.md"), """
				# What `is` it, then?
				[own](#what-is-it-then) [none](#none) [file](other.md) [web](https://example.com/missing)
				[here](page.md#what-is-it-then) [wrong](page.md#wrong) `[code](missing.md)`
				```
				# comment
				[code](missing.md)
				```
				[comment](#comment)
				## Twice
				## Twice
				[second](#twice-1) [third](#twice-2)
				""");
		assertThat(broken(page)).containsExactly("#none", "other.md", "page.md#wrong", "#comment", "#twice-2");
	}

	private static Set<Path> linkedFrom(Path page) throws IOException {
		Set<Path> linked = new HashSet<>();
		links(page).forEach((link) -> linked.add(page.resolveSibling(link.replaceFirst("#.*", "")).normalize()));
		return linked;
	}

	private static Path page(String name) {
		return ROOT.resolve("docs").resolve(name + ".md").normalize();
	}

	private static boolean isTemplate(Path page) {
		return page.startsWith(ROOT.resolve("templates"));
	}

	/**
	 * Returns whether a page belongs to an example. Such a page is next to its sources,
	 * and the site only links to it.
	 */
	private static boolean isExample(Path page) {
		return page.startsWith(ROOT.resolve("examples"));
	}

	static List<Path> pagesOfTheSite() throws IOException {
		return pages().stream().filter((page) -> !isExample(page)).toList();
	}

	/**
	 * The name of a page on the site, where those of all folders are in one.
	 */
	private static String name(Path page) {
		Path docs = ROOT.resolve("docs");
		if (page.startsWith(docs)) {
			return docs.relativize(page).toString();
		}
		return isTemplate(page) ? "template-" + page.getParent().getFileName() + ".md"
				: page.getFileName().toString().toLowerCase(Locale.ROOT);
	}

	private static List<String> broken(Path page) throws IOException {
		return links(page).stream().filter((link) -> !leadsSomewhere(page, link)).toList();
	}

	private static List<String> links(Path page) throws IOException {
		String text = INLINE_CODE.matcher(withoutCode(page)).replaceAll("");
		return LINK.matcher(text)
			.results()
			.map((MatchResult link) -> link.group(1))
			.filter((link) -> !link.matches("[a-z]+:.*"))
			.toList();
	}

	private static boolean leadsSomewhere(Path page, String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
		if (!Files.exists(target)) {
			return false;
		}
		return parts.length == 1 || anchors(target).contains(parts[1]);
	}

	/**
	 * The anchors that GitHub gives headings.
	 */
	private static Set<String> anchors(Path page) {
		Set<String> anchors = new HashSet<>();
		HEADING.matcher(withoutCode(page)).results().forEach((heading) -> {
			String anchor = heading.group(1)
				.strip()
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{L}\\p{N} _-]", "")
				.replace(' ', '-');
			String unique = anchor;
			for (int i = 1; !anchors.add(unique); i++) {
				unique = anchor + "-" + i;
			}
		});
		return anchors;
	}

	private static String withoutCode(Path page) {
		return withoutCode(page, "");
	}

	private static String withoutCode(Path page, String placeholder) {
		try {
			return CODE.matcher(Files.readString(page)).replaceAll(placeholder);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + page, ex);
		}
	}

}
