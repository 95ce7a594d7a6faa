package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Java code of each page compiles.
 */
class JavaBlocksTests {

	static List<Page> pages() throws IOException {
		return Page.with("java", Block.HIDDEN);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void codeShouldCompile(Page page) throws IOException {
		assertThat(new JavaPage(page).compile().errors()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void excerptShouldBeInItsFile(Page page) throws IOException {
		assertThat(JavaPage.wrongExcerpts(page)).isEmpty();
	}

}
