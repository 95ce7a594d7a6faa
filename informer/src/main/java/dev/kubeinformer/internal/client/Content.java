package dev.kubeinformer.internal.client;

import java.nio.file.Path;

/**
 * Content of a field, such as a certificate. The configuration contains it, or names a
 * file with it. {@link #toString()} does not show the content.
 */
public sealed interface Content {

	/**
	 * Returns the name of the configuration that has the field, for messages.
	 * @return the name, as the subject of a sentence
	 */
	String place();

	/**
	 * Returns the name of the field that has the content or names the file.
	 * @return the name
	 */
	String field();

	/**
	 * Content that the configuration contains inline.
	 *
	 * @param place the name of the configuration that has the field
	 * @param field the name of the field
	 * @param text the decoded content
	 */
	record Inline(String place, String field, String text) implements Content {

		@Override
		public String toString() {
			return "'%s'".formatted(this.field);
		}

	}

	/**
	 * Content of a file, which may be replaced at any time.
	 *
	 * @param place the name of the configuration that has the field
	 * @param field the name of the field
	 * @param path the file
	 */
	record InFile(String place, String field, Path path) implements Content {

		@Override
		public String toString() {
			return "'%s' (file '%s')".formatted(this.field, this.path);
		}

	}

}
