package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Changes values of an auth provider in the text of a kubeconfig, and preserves
 * everything else: order, comments and style. The new text is parsed again, and rejected
 * if anything else has changed.
 */
final class KubeconfigEdit {

	private static final Place PLACE = new Place("The kubeconfig");

	private static final String PROVIDER = "auth-provider";

	private final String text;

	private final String user;

	private final @Nullable Object tree;

	private final Map<?, ?> provider;

	private KubeconfigEdit(String text, String user) throws IOException {
		this.text = text;
		this.user = user;
		this.tree = YamlTree.read(content(text), PLACE);
		this.provider = provider(this.tree);
	}

	/**
	 * Parses a kubeconfig.
	 * @param content its content
	 * @param user the name of the user to change
	 * @return the edit
	 * @throws IOException if the user does not exist or has no auth provider
	 */
	static KubeconfigEdit of(byte[] content, String user) throws IOException {
		return new KubeconfigEdit(new String(content, StandardCharsets.UTF_8), user).verified(content);
	}

	private KubeconfigEdit verified(byte[] content) throws IOException {
		if (!Arrays.equals(content(this.text), content)) {
			throw new IOException("it is not in UTF-8");
		}
		return this;
	}

	private static byte[] content(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private Map<?, ?> provider(@Nullable Object tree) throws IOException {
		if (tree instanceof Map<?, ?> root && root.get("users") instanceof List<?> users) {
			for (Object entry : users) {
				if (entry instanceof Map<?, ?> named && this.user.equals(named.get("name"))
						&& named.get("user") instanceof Map<?, ?> values
						&& values.get(PROVIDER) instanceof Map<?, ?> found) {
					return found;
				}
			}
		}
		throw new IOException("it no longer has a user %s with an auth provider".formatted(Place.quoted(this.user)));
	}

	/**
	 * Returns the name of the auth provider.
	 * @return the name; empty if it is absent
	 */
	String provider() {
		return Objects.toString(this.provider.get("name"), "");
	}

	/**
	 * Returns the configuration of the auth provider.
	 * @return the texts by key
	 */
	Map<String, String> config() {
		Map<String, String> config = new LinkedHashMap<>();
		if (this.provider.get("config") instanceof Map<?, ?> values) {
			values.forEach((key, value) -> {
				if (value instanceof String string) {
					config.put((String) key, string);
				}
			});
		}
		return config;
	}

	/**
	 * Changes values.
	 * @param values the new values by key
	 * @return the new content; {@code null} if the values do not change
	 * @throws IOException if the content cannot be changed safely
	 */
	byte @Nullable [] with(Map<String, String> values) throws IOException {
		Map<String, String> changes = new TreeMap<>(values);
		Map<String, String> old = config();
		changes.entrySet().removeIf((change) -> change.getValue().equals(old.get(change.getKey())));
		if (changes.isEmpty()) {
			return null;
		}
		Object expected = YamlTree.read(content(this.text), PLACE);
		put(provider(expected), changes);
		try {
			byte[] changed = content(replaced(changes));
			if (Objects.equals(YamlTree.read(changed, PLACE), expected)) {
				return changed;
			}
		}
		catch (ClientConfigurationException | YAMLException ex) {
			// Do not use the exceptions' messages, because they quote the text.
		}
		throw unsafe();
	}

	@SuppressWarnings("unchecked")
	private static void put(Map<?, ?> provider, Map<String, String> changes) throws IOException {
		if (!(provider.get("config") instanceof Map<?, ?> config)) {
			throw unsafe();
		}
		((Map<String, Object>) config).putAll(changes);
	}

	private static IOException unsafe() {
		return new IOException("its 'auth-provider.config' uses aliases, tags or block texts, so that its tokens "
				+ "cannot be replaced");
	}

	private String replaced(Map<String, String> changes) throws IOException {
		MappingNode config = config(YamlTree.compose(this.text.substring(start())));
		TreeMap<Integer, Replacement> replacements = new TreeMap<>();
		StringBuilder added = new StringBuilder();
		changes.forEach((key, value) -> {
			Node old = value(config, key);
			if (old != null) {
				replacements.put(offset(old.getStartMark().getIndex()),
						new Replacement(offset(old.getEndMark().getIndex()), scalar(old, value)));
			}
			else {
				added.append(entry(config, key, value));
			}
		});
		if (!added.isEmpty()) {
			boolean flow = config.getFlowStyle() == FlowStyle.FLOW;
			int at = flow ? offset(config.getStartMark().getIndex()) + 1
					: offset(config.getValue().get(0).getKeyNode().getStartMark().getIndex());
			replacements.put(at, new Replacement(at, added.toString()));
		}
		StringBuilder result = new StringBuilder(this.text);
		replacements.descendingMap()
			.forEach((start, replacement) -> result.replace(start, replacement.end, replacement.text));
		return result.toString();
	}

	// A byte order mark is not part of the document.
	private int start() {
		return this.text.startsWith("\uFEFF") ? 1 : 0;
	}

	private int offset(int codePoints) {
		return this.text.offsetByCodePoints(start(), codePoints);
	}

	private MappingNode config(@Nullable Node root) throws IOException {
		if (value(root, "users") instanceof SequenceNode users) {
			for (Node entry : users.getValue()) {
				if (value(entry, "name") instanceof ScalarNode name && name.getValue().equals(this.user)
						&& value(value(value(entry, "user"), PROVIDER), "config") instanceof MappingNode config
						&& !config.getValue().isEmpty()) {
					return config;
				}
			}
		}
		throw unsafe();
	}

	private static @Nullable Node value(@Nullable Node node, String key) {
		Node value = null;
		if (node instanceof MappingNode mapping) {
			for (NodeTuple entry : mapping.getValue()) {
				if (entry.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key)) {
					// If a key is repeated, the last value takes precedence.
					value = entry.getValueNode();
				}
			}
		}
		return value;
	}

	private String entry(MappingNode config, String key, String value) {
		if (config.getFlowStyle() == FlowStyle.FLOW) {
			return "%s: %s, ".formatted(quoted(key), quoted(value));
		}
		int column = config.getValue().get(0).getKeyNode().getStartMark().getColumn();
		return key + ": " + quoted(value) + (this.text.contains("\r\n") ? "\r\n" : "\n") + " ".repeat(column);
	}

	private static String scalar(Node old, String value) {
		boolean plain = old instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.PLAIN
				&& value.matches("[A-Za-z][A-Za-z0-9._-]*") && value.equals(YamlScalar.resolve(value));
		return plain ? value : quoted(value);
	}

	// The quoting of JSON is valid in YAML, too.
	private static String quoted(String value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

	/**
	 * Replacement of a text.
	 *
	 * @param end the end of the old text
	 * @param text the new text
	 */
	private record Replacement(int end, String text) {

	}

}
