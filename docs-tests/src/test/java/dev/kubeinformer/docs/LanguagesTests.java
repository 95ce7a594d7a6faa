package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no block escapes the tests of this module, because nothing here knows its
 * language.
 */
@Tag("once")
class LanguagesTests {

	private static final Set<String> TESTED = Set.of("java", "kotlin", "xml", "yaml", "yml", "properties", "json",
			"shell", "bash", "sh", Block.HIDDEN);

	/** Output, diagrams, and what other tests and tools hold. */
	private static final Set<String> OTHER = Set.of("", "text", "console", "mermaid", "dockerfile", "html", "promql",
			"go");

	static List<Page> pages() throws IOException {
		return Page.all();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void languageOfEveryBlockShouldBeKnown(Page page) {
		assertThat(page.blocks())
			.allSatisfy((block) -> assertThat(TESTED.contains(block.language()) || OTHER.contains(block.language()))
				.as("%s: '%s'", block, block.language())
				.isTrue());
	}

	/**
	 * Nothing here compiles Go, so it is that of a program of its own.
	 */
	@ParameterizedTest
	@MethodSource("pages")
	void goShouldBeAnExcerpt(Page page) {
		assertThat(page.blocks("go")).allSatisfy((block) -> {
			Block before = page.before(block);
			assertThat(before != null && before.isExcerpt()).as("%s", block).isTrue();
		});
	}

	@Test
	void pagesShouldBeFound() throws IOException {
		assertThat(Page.all()).extracting(Page::toString)
			.contains("README.md", "docs/handlers.md", "templates/handler/README.md")
			.hasSizeGreaterThan(20);
		assertThat(Page.with("java")).hasSizeGreaterThan(7);
		assertThat(Page.with("yaml")).hasSizeGreaterThan(7);
	}

}
