package dev.kubeinformer.internal.client;

import java.nio.file.Path;

/**
 * Content that a configuration names: it holds it itself, or names a file. Its text form
 * shows no content.
 */
public sealed interface Content {

	/**
	 * Returns what holds the field, for messages.
	 * @return the place, as the subject of a sentence
	 */
	String place();

	/**
	 * Returns the field that holds the content or the name of the file.
	 * @return the field
	 */
	String field();

	/**
	 * Content that the configuration holds itself.
	 *
	 * @param place what holds the field
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
	 * Content of a file, which may be exchanged at any time.
	 *
	 * @param place what holds the field
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
