package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the tests that are on pages, with the applications that are there.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class PageTestsTests {

	private final PageCompiler compiler = new PageCompiler();

	static List<Page> pages() throws IOException {
		return Page.with("java")
			.stream()
			.filter((page) -> page.blocks("java").stream().anyMatch((block) -> isTest(page, block)))
			.toList();
	}

	private static boolean isTest(Page page, Block block) {
		Block before = page.before(block);
		return block.code().contains("@Test\n") && (before == null || !before.isExcerpt());
	}

	@AfterAll
	void close() throws IOException {
		this.compiler.close();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void testsOfThePageShouldPass(Page page) throws IOException {
		try (RunningPage running = new RunningPage(page, this.compiler)) {
			TestExecutionSummary summary = running.test();
			assertThat(RunningPage.failures(summary)).isEmpty();
			assertThat(summary.getTestsSucceededCount()).isPositive().isGreaterThanOrEqualTo(running.tests().size());
		}
	}

}
