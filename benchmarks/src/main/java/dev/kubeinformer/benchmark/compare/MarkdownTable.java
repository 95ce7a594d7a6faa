package dev.kubeinformer.benchmark.compare;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Markdown table with aligned columns. */
public final class MarkdownTable {

	private MarkdownTable() {
	}

	/**
	 * Formats a table.
	 * @param lines the lines, which have the same number of cells; the first line is the
	 * heading
	 * @return the text
	 */
	public static String format(List<List<String>> lines) {
		int[] widths = IntStream.range(0, lines.get(0).size())
			.map((column) -> lines.stream().mapToInt((line) -> line.get(column).length()).max().orElse(0))
			.toArray();
		StringBuilder text = new StringBuilder();
		append(text, lines.get(0), widths);
		append(text, Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths);
		lines.stream().skip(1).forEach((line) -> append(text, line, widths));
		return text.toString();
	}

	private static void append(StringBuilder text, List<String> cells, int[] widths) {
		text.append('|');
		for (int i = 0; i < widths.length; i++) {
			text.append(' ').append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length())).append(" |");
		}
		text.append('\n');
	}

}
