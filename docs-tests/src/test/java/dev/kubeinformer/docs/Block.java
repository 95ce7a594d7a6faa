package dev.kubeinformer.docs;

import java.nio.file.Path;

/**
 * Code on a page: the text between fences, or in a comment that begins with {@code code:}
 * and supplies the following blocks with the parts that they leave out.
 *
 * @param page the page, relative to the root of the repository
 * @param line the line of the page before the first one of the code
 * @param language the word after the fence; empty if there is none, {@code code:} for a
 * comment
 * @param code the code, without the indentation of the fence
 */
record Block(Path page, int line, String language, String code) {

	static final String HIDDEN = "code:";

	private static final String EXCERPT = "excerpt of ";

	private static final String NAME = "name ";

	boolean isHidden() {
		return this.language.equals(HIDDEN);
	}

	/**
	 * Whether this comment names the file that the next block is an excerpt of.
	 */
	boolean isExcerpt() {
		return isHidden() && this.code.startsWith(EXCERPT);
	}

	/**
	 * Whether this comment says what the next block is, where that cannot be seen.
	 */
	boolean isName() {
		return isHidden() && this.code.startsWith(NAME);
	}

	String argument() {
		return this.code.substring((isExcerpt() ? EXCERPT : NAME).length()).strip();
	}

	String at(int lineOfCode) {
		return this.page + ":" + (this.line + lineOfCode);
	}

	@Override
	public String toString() {
		return at(1);
	}

}
