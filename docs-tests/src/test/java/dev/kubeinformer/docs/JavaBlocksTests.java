package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Java code of each page compiles.
 */
@TestInstance(Lifecycle.PER_CLASS)
class JavaBlocksTests {

	private final PageCompiler compiler = new PageCompiler();

	static List<Page> pages() throws IOException {
		return Page.with("java", Block.HIDDEN);
	}

	@AfterAll
	void close() throws IOException {
		this.compiler.close();
	}

	static List<Page> pagesForANewerJava() throws IOException {
		return pages().stream().filter((page) -> JavaPage.release(page) > 0).toList();
	}

	@ParameterizedTest
	@MethodSource("pages")
	@Tag("once")
	@Tag("slow")
	void codeShouldCompile(Page page) throws IOException {
		assertThat(errors(page)).isEmpty();
	}

	/** Tests of code for which the JDK of the first run may be too old. */
	@ParameterizedTest
	@MethodSource("pagesForANewerJava")
	@EnabledForJreRange(minVersion = 21)
	void codeForANewerJavaShouldCompile(Page page) throws IOException {
		assertThat(errors(page)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	@Tag("once")
	void excerptShouldBeInItsFile(Page page) throws IOException {
		assertThat(JavaPage.wrongExcerpts(page)).isEmpty();
	}

	@Test
	@Tag("once")
	void mistakesShouldBeFoundAtTheirLines() throws IOException {
		Page page = Page.of(Path.of("some/page.md"), """
				# Title
				```java
				class One {
					Two two;
				}
				```
				<!-- code: static String given; -->
				```java
				int length = given.length();
				given.missing();
				```
				```java
				class Two { }
				```
				```java
				@Bean
				Unknown bean() { … }
				```
				""");
		assertThat(errors(page)).hasSize(2)
			.anyMatch((error) -> error.startsWith("some/page.md:10: "))
			.anyMatch((error) -> error.startsWith("some/page.md:17: "));
	}

	@Test
	@Tag("once")
	void wrongExcerptShouldBeFound() throws IOException {
		Page page = Page.of(Path.of("page.md"), """
				<!-- code: excerpt of pom.xml -->
				```java
				class One { }
				```
				""");
		assertThat(JavaPage.wrongExcerpts(page)).containsExactly("page.md:3 is not in pom.xml");
	}

	private List<String> errors(Page page) throws IOException {
		return new JavaPage(page, this.compiler).compile().errors();
	}

}
