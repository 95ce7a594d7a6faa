package dev.kubeinformer.codec.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Creates the {@link MessageTable} from the sources of Kubernetes. The numbers of fields
 * are in {@code generated.proto}. The Go structs show whether a field is a pointer,
 * inlined, or omitted if it is empty. Run it manually for a new version of Kubernetes,
 * and commit its output.
 */
public final class KubernetesSources {

	private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

	private static final Pattern MESSAGE = Pattern.compile("^message (\\w+) \\{\n(.*?)^\\}",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern PROTO_FIELD = Pattern
		.compile("^  (optional|repeated|map<string, ([\\w.]+)>) (?:([\\w.]+) )?(\\w+) = (\\d+);", Pattern.MULTILINE);

	private static final Pattern STRUCT = Pattern.compile("^type (\\w+) struct \\{\n(.*?)^\\}",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern STRUCT_FIELD = Pattern.compile(
			"^\t(?:\\w+\\s+)?([*\\[\\]\\w.]+)\\s+`(?:.*\\s)?json:\"([^\"]*)\".*protobuf:\"\\w+,(\\d+),",
			Pattern.MULTILINE);

	private static final Pattern ALIAS = Pattern.compile("^type (\\w+) (v\\d\\w*)\\.(\\w+)$", Pattern.MULTILINE);

	private static final Pattern SLICE = Pattern.compile("^type (\\w+) \\[\\]", Pattern.MULTILINE);

	private final Map<String, List<MessageField>> messages = new TreeMap<>();

	/**
	 * Messages whose Go type is declared as the type of another API version, with the
	 * message of that version.
	 */
	private final Map<String, String> aliases = new TreeMap<>();

	/**
	 * Writes the table of all messages.
	 * @param args the file of the table, the version of Kubernetes, and the source
	 * folders of the Go modules {@code k8s.io/api}, {@code k8s.io/apimachinery},
	 * {@code k8s.io/apiextensions-apiserver} and {@code k8s.io/kube-aggregator}, all of
	 * that version
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		KubernetesSources sources = new KubernetesSources();
		for (int i = 2; i < args.length; i++) {
			sources.read(Path.of(args[i]));
		}
		sources.aliases.forEach((name, other) -> sources.messages.put(name, sources.messages.get(other)));
		Files.writeString(Path.of(args[0]), MessageTable.write(args[1], sources.messages));
	}

	private void read(Path module) throws IOException {
		List<Path> protos;
		try (Stream<Path> files = Files.walk(module)) {
			protos = files.filter((file) -> file.endsWith("generated.proto")).sorted().toList();
		}
		for (Path proto : protos) {
			readPackage(Files.readString(proto), goSources(proto.resolveSibling("")));
		}
	}

	private static String goSources(Path folder) throws IOException {
		StringBuilder sources = new StringBuilder();
		try (Stream<Path> files = Files.list(folder)) {
			for (Path file : files.sorted().toList()) {
				String name = file.getFileName().toString();
				if (name.endsWith(".go") && !name.endsWith("_test.go") && !name.contains("generated")) {
					sources.append(Files.readString(file)).append('\n');
				}
			}
		}
		return sources.toString();
	}

	private void readPackage(String proto, String go) {
		Matcher name = PACKAGE.matcher(proto);
		if (!name.find()) {
			throw new IllegalStateException("A generated.proto has no package");
		}
		Map<String, Map<Integer, String[]>> structs = structs(go);
		List<String> slices = SLICE.matcher(go).results().map((slice) -> slice.group(1)).toList();
		String group = name.group(1).substring(0, name.group(1).lastIndexOf('.') + 1);
		ALIAS.matcher(go)
			.results()
			.filter((alias) -> proto.contains("message " + alias.group(1) + " {"))
			.forEach((alias) -> this.aliases.put(name.group(1) + "." + alias.group(1),
					group + alias.group(2) + "." + alias.group(3)));
		MESSAGE.matcher(proto).results().forEach((message) -> {
			List<MessageField> fields = new ArrayList<>();
			PROTO_FIELD.matcher(message.group(2))
				.results()
				.forEach((field) -> fields.add(field(name.group(1), field,
						structs.getOrDefault(message.group(1), Map.of()), slices.contains(message.group(1)))));
			this.messages.put(name.group(1) + "." + message.group(1), fields);
		});
	}

	private static Map<String, Map<Integer, String[]>> structs(String go) {
		Map<String, Map<Integer, String[]>> structs = new HashMap<>();
		STRUCT.matcher(go).results().forEach((struct) -> {
			Map<Integer, String[]> fields = new HashMap<>();
			STRUCT_FIELD.matcher(struct.group(2))
				.results()
				.forEach((field) -> fields.put(Integer.valueOf(field.group(3)),
						new String[] { field.group(1), field.group(2) }));
			structs.put(struct.group(1), fields);
		});
		return structs;
	}

	private static MessageField field(String packageName, MatchResult field, Map<Integer, String[]> struct,
			boolean slice) {
		int number = Integer.parseInt(field.group(5));
		boolean map = field.group(2) != null;
		Shape shape = map ? Shape.MAP : field.group(1).equals("repeated") ? Shape.REPEATED : Shape.SINGLE;
		String type = type(packageName, map ? field.group(2) : field.group(3));
		String[] inGo = struct.get(number);
		if (inGo == null) {
			return new MessageField(number, shape, type, field.group(4), slice ? Presence.ELEMENTS : Presence.UNKNOWN);
		}
		String[] json = inGo[1].split(",", -1);
		boolean inline = inGo[1].contains(",inline");
		boolean omitempty = inGo[1].contains(",omitempty");
		boolean pointer = inGo[0].startsWith("*");
		Presence presence = inline ? Presence.INLINE : (!omitempty && !(pointer && shape == Shape.SINGLE))
				? Presence.ALWAYS : pointer ? Presence.POINTER : Presence.OMITTED;
		return new MessageField(number, shape, type, (json[0].isEmpty()) ? "-" : json[0], presence);
	}

	private static String type(String packageName, String name) {
		if (name.startsWith(".")) {
			return name.substring(1);
		}
		return Character.isUpperCase(name.charAt(0)) ? packageName + "." + name : name;
	}

}
