package dev.kubeinformer.codec.generator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Table of the messages of Kubernetes. Each message has a line with its name, followed by
 * a line per field with number, type, name in JSON and presence.
 *
 * @see KubernetesSources
 */
final class MessageTable {

	private static final String FILE = "kubernetes-messages.txt";

	private static final String HEAD = """
			# The messages of Kubernetes %1$s. []: repeated, {}: map from strings
			# Written after ./mvnw compile -pl codec-generator by
			# java -cp codec-generator/target/classes %2$s .../%3$s %1$s FOLDERS
			# of the sources of the Go modules api, apimachinery, apiextensions-apiserver and kube-aggregator (k8s.io)
			""";

	private MessageTable() {
	}

	static Map<String, List<MessageField>> read() throws IOException {
		try (InputStream stream = MessageTable.class.getResourceAsStream(FILE)) {
			if (stream == null) {
				throw new IOException(FILE + " is missing");
			}
			return parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
		}
	}

	private static Map<String, List<MessageField>> parse(String text) {
		Map<String, List<MessageField>> messages = new TreeMap<>();
		List<MessageField> fields = new ArrayList<>();
		for (String line : text.split("\n")) {
			if (line.startsWith(" ")) {
				fields.add(field(line.trim().split(" ")));
			}
			else if (!line.startsWith("#")) {
				fields = new ArrayList<>();
				messages.put(line, fields);
			}
		}
		return messages;
	}

	private static MessageField field(String[] columns) {
		Shape shape = columns[1].endsWith("[]") ? Shape.REPEATED : columns[1].endsWith("{}") ? Shape.MAP : Shape.SINGLE;
		String type = (shape != Shape.SINGLE) ? columns[1].substring(0, columns[1].length() - 2) : columns[1];
		return new MessageField(Integer.parseInt(columns[0]), shape, type, columns[2],
				Presence.valueOf(columns[3].toUpperCase(Locale.ROOT)));
	}

	static String write(String version, Map<String, List<MessageField>> messages) {
		StringBuilder text = new StringBuilder(HEAD.formatted(version, KubernetesSources.class.getName(), FILE));
		messages.forEach((name, fields) -> {
			text.append(name).append('\n');
			for (MessageField field : fields) {
				String suffix = switch (field.shape()) {
					case SINGLE -> "";
					case REPEATED -> "[]";
					case MAP -> "{}";
				};
				text.append(' ').append(field.number()).append(' ').append(field.type()).append(suffix);
				text.append(' ').append(field.jsonName()).append(' ');
				text.append(field.presence().name().toLowerCase(Locale.ROOT)).append('\n');
			}
		});
		return text.toString();
	}

}
