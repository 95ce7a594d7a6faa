package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.WatchEventType;

/**
 * Event in the form in which kube-apiserver writes it: the type first, the object last,
 * and no white space in between. The position of the object in such an event is known
 * without parsing the object.
 */
final class UsualEvent {

	private static final List<Form> FORMS = List.of(new Form(WatchEventType.ADDED), new Form(WatchEventType.MODIFIED),
			new Form(WatchEventType.DELETED));

	private UsualEvent() {
	}

	static MetadataScan.@Nullable Event find(byte[] line) {
		int end = line.length;
		while (end > 0 && line[end - 1] <= ' ') {
			end--;
		}
		if (end == 0 || line[end - 1] != '}') {
			return null;
		}
		for (Form form : FORMS) {
			int start = form.prefix.length;
			if (start < end && Arrays.equals(line, 0, start, form.prefix, 0, start)) {
				return new MetadataScan.Event(form.type, start, end - 1);
			}
		}
		return null;
	}

	private static final class Form {

		private final WatchEventType type;

		private final byte[] prefix;

		Form(WatchEventType type) {
			this.type = type;
			this.prefix = "{\"type\":\"%s\",\"object\":".formatted(type).getBytes(StandardCharsets.UTF_8);
		}

	}

}
