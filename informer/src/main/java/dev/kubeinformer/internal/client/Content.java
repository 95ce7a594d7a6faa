package dev.kubeinformer.internal.client;

import java.nio.file.Path;

/**
 * Content in a configuration: inline or in a file. Its text form does not show the
 * content.
 */
public sealed interface Content {

	/**
	 * Returns the place of the field, for messages.
	 * @return the place, as the subject of a sentence
	 */
	String place();

	/**
	 * Returns the field with the content or the name of the file.
	 * @return the field
	 */
	String field();

	/**
	 * Inline content of the configuration.
	 *
	 * @param place the place of the field
	 * @param field the field
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
	 * @param place the place of the field
	 * @param field the field
	 * @param path the file
	 */
	record InFile(String place, String field, Path path) implements Content {

		@Override
		public String toString() {
			return "'%s' (file '%s')".formatted(this.field, this.path);
		}

	}

}
