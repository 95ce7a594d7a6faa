package dev.kubeinformer.kotlin.sample

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

/**
 * Tests that the Kotlin on the page is that of the application here.
 */
class KotlinPageTests {

	@Test
	fun `every block is in a source file`() {
		val sources = listOf("Greeting.kt", "GreetingApplication.kt").map {
			Files.readString(Path.of("src/test/kotlin/dev/kubeinformer/kotlin/sample", it))
		}
		val blocks = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
			.findAll(Files.readString(Path.of("../docs/handlers.md"))).map { it.groupValues[1].trim() }.toList()
		assertThat(blocks).hasSize(2).allSatisfy { block ->
			assertThat(sources).anySatisfy { assertThat(it).contains(block) }
		}
	}

}
