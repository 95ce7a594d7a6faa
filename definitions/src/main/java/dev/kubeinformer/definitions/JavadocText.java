package dev.kubeinformer.definitions;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Plain text of Javadoc comments, without HTML and inline tags.
 */
final class JavadocText {

	private static final Pattern BLOCK_TAG = Pattern.compile("(?m)^[ \\t]*@(\\w+)");

	private static final Pattern PARAM = Pattern.compile("\\s+(\\w+)\\s*(.*)", Pattern.DOTALL);

	private static final Pattern PARAGRAPH = Pattern
		.compile("(?i)</?(?:p|ul|ol|dl|table|pre|h[1-6]|blockquote)\\b[^>]*>");

	private static final Pattern ITEM = Pattern.compile("(?i)<(?:li|dt|tr|br)\\b[^>]*>");

	private static final Pattern TAG = Pattern.compile("</?[A-Za-z][^>]*>|<!--.*?-->", Pattern.DOTALL);

	private static final Pattern ENTITY = Pattern.compile("&(?:(\\w+)|#(\\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));");

	private static final Map<String, String> ENTITIES = Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"", "apos",
			"'", "nbsp", " ", "mdash", "\u2014", "ndash", "\u2013", "hellip", "\u2026", "le", "\u2264");

	private JavadocText() {
	}

	/**
	 * Returns the text of a comment.
	 * @param comment the comment, without its delimiters and leading asterisks;
	 * {@code null} for none
	 * @return the text, with an empty line between paragraphs; empty if the comment has
	 * only block tags
	 */
	static String of(@Nullable String comment) {
		return (comment != null) ? plain(comment.substring(0, endOfText(comment))) : "";
	}

	/**
	 * Returns the texts of the {@code @param} tags of a comment, which describe the
	 * components of a record.
	 * @param comment the comment; {@code null} for none
	 * @return the texts by name
	 */
	static Map<String, String> params(@Nullable String comment) {
		Map<String, String> params = new LinkedHashMap<>();
		if (comment == null) {
			return params;
		}
		Matcher tags = BLOCK_TAG.matcher(comment);
		boolean found = tags.find();
		while (found) {
			String tag = tags.group(1);
			int start = tags.end();
			found = tags.find();
			Matcher param = PARAM.matcher(comment.substring(start, found ? tags.start() : comment.length()));
			if (tag.equals("param") && param.matches()) {
				params.put(param.group(1), plain(param.group(2)));
			}
		}
		return params;
	}

	private static int endOfText(String comment) {
		Matcher tag = BLOCK_TAG.matcher(comment);
		while (tag.find()) {
			// An at sign may begin a line of an inline tag with code.
			if (!isInline(comment.substring(0, tag.start()))) {
				return tag.start();
			}
		}
		return comment.length();
	}

	private static boolean isInline(String before) {
		int start = before.lastIndexOf("{@");
		return start >= 0 && endOfInline(before, start) < 0;
	}

	private static String plain(String html) {
		StringBuilder text = new StringBuilder();
		int position = 0;
		int start = html.indexOf("{@");
		while (start >= 0) {
			int end = endOfInline(html, start);
			if (end < 0) {
				break;
			}
			text.append(withoutTags(html.substring(position, start)));
			text.append(inline(html.substring(start + 2, end - 1)));
			position = end;
			start = html.indexOf("{@", end);
		}
		text.append(withoutTags(html.substring(position)));
		return folded(text.toString());
	}

	// The index after the closing brace; -1 if there is none.
	private static int endOfInline(String html, int start) {
		int depth = 0;
		for (int i = start; i < html.length(); i++) {
			char c = html.charAt(i);
			if (c == '{') {
				depth++;
			}
			else if (c == '}' && --depth == 0) {
				return i + 1;
			}
		}
		return -1;
	}

	private static String inline(String content) {
		String[] parts = content.strip().split("\\s+", 2);
		String rest = (parts.length > 1) ? parts[1].strip() : "";
		return switch (parts[0]) {
			case "code", "literal" -> rest;
			case "link", "linkplain", "value" -> label(rest);
			case "index" -> rest.split("\\s+", 2)[0].replace("\"", "");
			case "systemProperty", "summary", "return" -> plain(rest);
			default -> "";
		};
	}

	// The label of a link, or the name of what it links to.
	private static String label(String link) {
		int end = 0;
		int depth = 0;
		while (end < link.length() && (depth > 0 || !Character.isWhitespace(link.charAt(end)))) {
			depth += switch (link.charAt(end)) {
				case '(', '<' -> 1;
				case ')', '>' -> -1;
				default -> 0;
			};
			end++;
		}
		String label = link.substring(end).strip();
		if (!label.isEmpty()) {
			return plain(label);
		}
		String reference = link.substring(0, end);
		int member = reference.indexOf('#');
		String type = (member >= 0) ? reference.substring(0, member) : reference;
		String simple = type.substring(type.lastIndexOf('.') + 1);
		String name = (member >= 0) ? reference.substring(member + 1) : "";
		return (simple.isEmpty() || name.isEmpty()) ? simple + name : simple + "." + name;
	}

	private static String withoutTags(String html) {
		String text = ITEM.matcher(PARAGRAPH.matcher(html).replaceAll("\u0001")).replaceAll("\u0002");
		return ENTITY.matcher(TAG.matcher(text).replaceAll(""))
			.replaceAll((entity) -> Matcher
				.quoteReplacement(entity(entity.group(), entity.group(1), entity.group(2), entity.group(3))));
	}

	private static String entity(String whole, @Nullable String name, @Nullable String decimal,
			@Nullable String hexadecimal) {
		if (name != null) {
			return ENTITIES.getOrDefault(name, whole);
		}
		int code = (decimal != null) ? Integer.parseInt(decimal) : Integer.parseInt(String.valueOf(hexadecimal), 16);
		return Character.isValidCodePoint(code) ? Character.toString(code) : whole;
	}

	private static String folded(String text) {
		return text.replaceAll("\\s+", " ")
			.replaceAll(" ?\u0002[ \u0002]*", "\n")
			.replaceAll("[ \n]*\u0001[ \n\u0001]*", "\n\n")
			.strip();
	}

}
