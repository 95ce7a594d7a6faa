package dev.kubeinformer.internal.client.kubeconfig;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.reader.UnicodeReader;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses YAML into the JSON tree that kubectl decodes: maps, lists, texts, flags and
 * numbers. As in {@code sigs.k8s.io/yaml}, only the first document is read, and if a key
 * is repeated, the last value is used. Tags never create objects of other classes.
 */
final class YamlTree {

	/** Largest size of a kubeconfig in bytes or characters. */
	static final int LARGEST = 4 << 20;

	/**
	 * Maximum number of values. Without this limit, nested aliases in a small file could
	 * use up the memory.
	 */
	private static final int VALUES = 200_000;

	private static final int DEPTH = 100;

	/** Tag that marks scalars without quotes and without a tag. */
	private static final Tag PLAIN = new Tag("plain");

	/** Maximum number of characters that are parsed in total while tabs are replaced. */
	private static final int PARSED = 64 << 20;

	private final Place place;

	/** Number of values that were read. */
	private int values;

	/** Nodes that contain the current value, to find aliases that contain themselves. */
	private final Set<Node> parents = Collections.newSetFromMap(new IdentityHashMap<>());

	private YamlTree(Place place) {
		this.place = place;
	}

	/**
	 * Reads the content of a file.
	 * @param content the content, in UTF-8, or in UTF-16 with a byte order mark
	 * @param place the name of the content, for messages
	 * @return the value of the first document; {@code null} if it is empty
	 */
	static @Nullable Object read(byte[] content, Place place) {
		StringBuilder text = new StringBuilder();
		try (UnicodeReader reader = new UnicodeReader(new ByteArrayInputStream(content))) {
			char[] buffer = new char[8192];
			for (int length = reader.read(buffer); length >= 0; length = reader.read(buffer)) {
				text.append(buffer, 0, length);
			}
		}
		catch (IOException ex) {
			throw place.invalid(null, "is not a text in UTF-8", "Save it in UTF-8.");
		}
		return read(text.toString(), place);
	}

	/**
	 * Reads a text.
	 * @param text the text
	 * @param place the name of the text, for messages
	 * @return the value of the first document; {@code null} if it is empty
	 */
	static @Nullable Object read(String text, Place place) {
		if (text.length() > LARGEST) {
			throw tooLarge(place);
		}
		if (text.stripLeading().startsWith("{")) {
			try {
				// Old versions of SnakeYAML reject tabs in JSON.
				return JsonMapper.shared().readValue(text, Object.class);
			}
			catch (JacksonException ex) {
				// The text may still be YAML.
			}
		}
		YamlTree tree = new YamlTree(place);
		try {
			return tree.value(compose(text));
		}
		catch (MarkedYAMLException ex) {
			throw tree.invalid(ex.getProblemMark());
		}
		catch (YAMLException ex) {
			// Do not use the parser's messages, because they quote the text.
			throw place.invalid(null, "is not valid YAML: it has control characters, or is nested too deeply",
					"Write the file again.");
		}
	}

	/**
	 * Creates the exception for a content above the largest size.
	 * @param place the name of the content, for messages
	 * @return the exception
	 */
	static RuntimeException tooLarge(Place place) {
		return place.invalid(null, "is larger than %d MiB".formatted(LARGEST >> 20),
				"Name a kubeconfig, not another file.");
	}

	/**
	 * Composes the first document. kubectl accepts tabs between tokens as spaces;
	 * SnakeYAML accepts them only in some places.
	 * @param text the text
	 * @return the root node, with positions in the given text; {@code null} if the
	 * document is empty
	 * @throws YAMLException if the text is not YAML
	 */
	static @Nullable Node compose(String text) {
		StringBuilder spaced = new StringBuilder(text);
		for (int parsed = 0;; parsed += text.length()) {
			try {
				return first(spaced.toString());
			}
			catch (MarkedYAMLException ex) {
				if (parsed > PARSED || !replaceTab(spaced, ex.getProblemMark())) {
					throw ex;
				}
			}
		}
	}

	private static boolean replaceTab(StringBuilder text, @Nullable Mark problem) {
		if (problem == null || problem.getIndex() >= text.codePointCount(0, text.length())) {
			return false;
		}
		int tab = text.offsetByCodePoints(0, problem.getIndex());
		if (tab > 0 && text.charAt(tab) == ' ') {
			// SnakeYAML 2.6 skips the tab before it fails.
			tab--;
		}
		int before = tab - 1;
		while (before >= 0 && Character.isWhitespace(text.charAt(before))) {
			before--;
		}
		boolean sameLine = text.substring(before + 1, tab).indexOf('\n') < 0;
		if (text.charAt(tab) != '\t' || before < 0 || (sameLine ? ":,[{" : ",[{").indexOf(text.charAt(before)) < 0) {
			return false;
		}
		text.setCharAt(tab, ' ');
		return true;
	}

	private static @Nullable Node first(String text) {
		LoaderOptions options = new LoaderOptions();
		options.setCodePointLimit(LARGEST);
		options.setNestingDepthLimit(DEPTH);
		options.setMaxAliasesForCollections(VALUES);
		Composer composer = new Composer(new ParserImpl(new StreamReader(text), options), new PlainResolver(), options);
		return composer.checkNode() ? composer.getNode() : null;
	}

	private @Nullable Object value(@Nullable Node node) {
		if (node == null) {
			return null;
		}
		if (++this.values > VALUES) {
			throw this.place.invalid(null, "has more than %,d values".formatted(VALUES),
					"Name a kubeconfig, not another file.");
		}
		if (node instanceof ScalarNode scalar) {
			return scalar(scalar);
		}
		if (!this.parents.add(node)) {
			throw invalid(node.getStartMark());
		}
		Object value = (node instanceof SequenceNode sequence) ? list(sequence) : map((MappingNode) node);
		this.parents.remove(node);
		return value;
	}

	private @Nullable Object scalar(ScalarNode scalar) {
		String text = scalar.getValue();
		try {
			if (scalar.getTag() == PLAIN) {
				return YamlScalar.resolve(text);
			}
			return YamlScalar.resolve(scalar.getTag().getValue(), text);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(scalar.getStartMark());
		}
	}

	private List<@Nullable Object> list(SequenceNode sequence) {
		List<@Nullable Object> list = new ArrayList<>();
		for (Node node : sequence.getValue()) {
			list.add(value(node));
		}
		return list;
	}

	private Map<String, @Nullable Object> map(MappingNode mapping) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (NodeTuple entry : mapping.getValue()) {
			if (isMerge(entry.getKeyNode())) {
				merge(entry.getValueNode(), map);
			}
			else {
				map.put(key(entry.getKeyNode()), value(entry.getValueNode()));
			}
		}
		return map;
	}

	private static boolean isMerge(Node key) {
		return key instanceof ScalarNode scalar && "<<".equals(scalar.getValue())
				&& (scalar.getTag() == PLAIN || Tag.MERGE.equals(scalar.getTag()));
	}

	private void merge(Node node, Map<String, @Nullable Object> map) {
		if (node instanceof SequenceNode sequence) {
			List<Node> nodes = new ArrayList<>(sequence.getValue());
			// Merge in reverse order, because the first node takes precedence over later
			// nodes.
			Collections.reverse(nodes);
			nodes.forEach((merged) -> mergeMap(merged, map));
		}
		else {
			mergeMap(node, map);
		}
	}

	private void mergeMap(Node node, Map<String, @Nullable Object> map) {
		if (!(value(node) instanceof Map<?, ?> merged)) {
			throw invalid(node.getStartMark());
		}
		merged.forEach((key, value) -> map.put((String) key, value));
	}

	private String key(Node node) {
		Object key = (node instanceof ScalarNode scalar) ? scalar(scalar) : null;
		if (key == null) {
			throw invalid(node.getStartMark());
		}
		return key.toString();
	}

	private RuntimeException invalid(@Nullable Mark mark) {
		return this.place.invalid(null,
				(mark != null)
						? "is not valid YAML (line %d, column %d)".formatted(mark.getLine() + 1, mark.getColumn() + 1)
						: "is not valid YAML",
				"Correct it there.");
	}

	/**
	 * Gives scalars without quotes and tag the tag {@link #PLAIN}, so that SnakeYAML does
	 * not determine their types.
	 */
	private static final class PlainResolver extends Resolver {

		@Override
		public Tag resolve(NodeId kind, @Nullable String value, boolean implicit) {
			return switch (kind) {
				case scalar -> implicit ? PLAIN : Tag.STR;
				case sequence -> Tag.SEQ;
				default -> Tag.MAP;
			};
		}

	}

}
