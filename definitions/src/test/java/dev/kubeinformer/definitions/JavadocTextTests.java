package dev.kubeinformer.definitions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link JavadocText}.
 */
class JavadocTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			Number of pods.                      | Number of pods.
			Two\\n lines.                        | Two lines.
			One.\\n <p>\\n Two.                  | One.\\n\\nTwo.
			One.<p>Two.</p><p>Three.</p>         | One.\\n\\nTwo.\\n\\nThree.
			Of:<ul><li>a</li>\\n<li>b</li></ul>End. | Of:\\n\\na\\nb\\n\\nEnd.
			A <b>bold</b> <a href="x">link</a>.  | A bold link.
			1 &lt; 2 &amp;&amp; 3 &#62; 2 &#x3e; 1 &unknown; | 1 < 2 && 3 > 2 > 1 &unknown;
			Is {@code a < b && <T>} here.        | Is a < b && <T> here.
			Is {@code {a: {b: 1}}} here.         | Is {a: {b: 1}} here.
			See {@link Widget}.                  | See Widget.
			See {@link com.example.Widget#size}. | See Widget.size.
			See {@link #size()}.                 | See size().
			See {@link #of(String, int) it}.     | See it.
			See {@linkplain Widget the widget}.  | See the widget.
			Broken {@code x                      | Broken {@code x
			Empty {@inheritDoc}.                 | Empty .
			Size.\\n @since 1\\n @see Widget     | Size.
			Size {@code\\n @since} is.\\n @see X | Size @since is.
			@since 1                             | ""
			a@example.com                        | a@example.com
			""")
	void textShouldBePlain(String comment, String expected) {
		assertThat(JavadocText.of(comment.replace("\\n", "\n"))).isEqualTo(expected.replace("\\n", "\n"));
	}

	@Test
	void missingCommentShouldBeEmpty() {
		assertThat(JavadocText.of(null)).isEmpty();
		assertThat(JavadocText.params(null)).isEmpty();
	}

	@Test
	void componentsShouldBeDescribedByTheirTags() {
		String comment = " Spec.\n\n @param size the {@code size},\n in pods\n @param <T> a type\n @param color\n @since 1\n";
		assertThat(JavadocText.params(comment)).containsOnlyKeys("size", "color")
			.containsEntry("size", "the size, in pods")
			.containsEntry("color", "");
	}

}
