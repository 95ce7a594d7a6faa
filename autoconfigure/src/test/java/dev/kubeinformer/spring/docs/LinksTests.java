package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * Tests that the links and pictures of the pages beside the README, in {@code docs/} and
 * in the templates lead somewhere, and that the site has all of these pages.
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
			return Stream.concat(top, Stream.concat(below("docs"), below("templates")))
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
		List<Path> linked = links(readme).stream()
			.map((link) -> ROOT.resolve(link.replaceFirst("#.*", "")).normalize())
			.toList();
		assertThat(pages()).filteredOn((page) -> !page.equals(readme))
			.hasSizeGreaterThan(5)
			.allSatisfy((page) -> assertThat(linked).contains(page.normalize()));
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
		try {
			return CODE.matcher(Files.readString(page)).replaceAll("");
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + page, ex);
		}
	}

}
