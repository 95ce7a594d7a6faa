package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Page of the documentation with the blocks on it, in their order.
 *
 * @param path the page, relative to the root of the repository
 * @param blocks the blocks
 */
record Page(Path path, List<Block> blocks) {

	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	private static final Set<String> SKIPPED = Set.of("target", "node_modules", "site");

	/** A fence, with what follows the language, or a comment. */
	private static final Pattern BLOCK = Pattern.compile(
			"^(?<indent> *)(?<fence>```+)[ {.]*(?<language>[\\w+-]*)[^\\n`]*\\n(?<code>.*?)^ *\\k<fence> *$|<!-- code:(?<hidden>.*?)-->",
			Pattern.DOTALL | Pattern.MULTILINE);

	private static final Pattern INLINE_CODE = Pattern.compile("`([^`\\n]+)`");

	/**
	 * All pages of the repository.
	 */
	static List<Page> all() throws IOException {
		List<Page> pages = new ArrayList<>();
		for (Path directory : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("templates"),
				ROOT.resolve("examples"))) {
			try (Stream<Path> files = Files.walk(directory, directory.equals(ROOT) ? 1 : 8)) {
				for (Path file : files.filter(Page::isPage).sorted().toList()) {
					pages.add(of(ROOT.relativize(file), Files.readString(file)));
				}
			}
		}
		return pages;
	}

	/**
	 * The pages that have blocks in one of the languages.
	 */
	static List<Page> with(String... languages) throws IOException {
		return all().stream().filter((page) -> !page.blocks(languages).isEmpty()).toList();
	}

	static Page of(String path) throws IOException {
		return of(Path.of(path), Files.readString(ROOT.resolve(path)));
	}

	static Page of(Path path, String text) {
		return new Page(path,
				BLOCK.matcher(text).results().map((MatchResult match) -> block(path, text, match)).toList());
	}

	private static boolean isPage(Path file) {
		for (Path part : ROOT.relativize(file)) {
			if (SKIPPED.contains(part.toString())) {
				return false;
			}
		}
		return file.toString().endsWith(".md") && Files.isRegularFile(file);
	}

	private static Block block(Path path, String text, MatchResult match) {
		if (match.group(5) != null) {
			return new Block(path, lineOf(text, match.start(5)) - 1, Block.HIDDEN, match.group(5).strip());
		}
		int indent = match.group(1).length();
		return new Block(path, lineOf(text, match.start(4)) - 1, match.group(3),
				match.group(4).replaceAll("(?m)^ {0," + indent + "}", ""));
	}

	private static int lineOf(String text, int position) {
		return (int) text.substring(0, position).chars().filter((character) -> character == '\n').count() + 1;
	}

	List<Block> blocks(String... languages) {
		List<String> wanted = List.of(languages);
		return this.blocks.stream().filter((block) -> wanted.contains(block.language())).toList();
	}

	/**
	 * The comment that stands before a block, and after the block before it.
	 */
	@Nullable Block before(Block block) {
		int index = this.blocks.indexOf(block);
		return (index > 0 && this.blocks.get(index - 1).isHidden()) ? this.blocks.get(index - 1) : null;
	}

	/**
	 * The code in the running text, between single backticks.
	 */
	List<Block> inlineCode() throws IOException {
		String text = Files.readString(ROOT.resolve(this.path));
		List<Block> inline = new ArrayList<>();
		INLINE_CODE.matcher(BLOCK.matcher(text).replaceAll((match) -> "\n".repeat(linesOf(match.group()))))
			.results()
			.forEach((match) -> inline.add(new Block(this.path, 0, "", match.group(1))));
		return inline;
	}

	private static int linesOf(String text) {
		return lineOf(text, text.length()) - 1;
	}

	@Override
	public String toString() {
		return this.path.toString();
	}

}
