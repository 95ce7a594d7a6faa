package dev.kubeinformer.internal.codec.protobuf;

import java.util.HashMap;
import java.util.Map;

import dev.kubeinformer.internal.codec.ObjectMetadata;

/**
 * Scan for the identity of an object. It works where decoding the whole does not: what
 * comes before the first broken field is found.
 */
final class ObjectScan {

	/** The field of every kind. */
	private static final int METADATA = 1;

	private String namespace = "";

	private String name = "";

	private String uid = "";

	private String resourceVersion = "";

	private final Map<String, String> annotations = new HashMap<>();

	private ObjectScan() {
	}

	static ObjectScan of(byte[] bytes, int from, int to) {
		ObjectScan scan = new ObjectScan();
		try {
			WireFields object = new WireFields(bytes, from, to);
			while (object.next()) {
				if (object.isBytes(METADATA)) {
					scan.readMetadata(object.message());
				}
			}
		}
		catch (MalformedMessageException ex) {
			// It is scanned because it is broken; what was found until there counts.
			return scan;
		}
		return scan;
	}

	private void readMetadata(WireFields metadata) throws MalformedMessageException {
		while (metadata.next()) {
			if (metadata.isBytes(1)) {
				this.name = metadata.text();
			}
			else if (metadata.isBytes(3)) {
				this.namespace = metadata.text();
			}
			else if (metadata.isBytes(5)) {
				this.uid = metadata.text();
			}
			else if (metadata.isBytes(6)) {
				this.resourceVersion = metadata.text();
			}
			else if (metadata.isBytes(12)) {
				readAnnotation(metadata.message());
			}
		}
	}

	private void readAnnotation(WireFields entry) throws MalformedMessageException {
		String key = "";
		String value = "";
		while (entry.next()) {
			if (entry.isBytes(1)) {
				key = entry.text();
			}
			else if (entry.isBytes(2)) {
				value = entry.text();
			}
		}
		this.annotations.put(key, value);
	}

	ObjectMetadata metadata() {
		return new ObjectMetadata(this.namespace, this.name, this.uid, this.resourceVersion);
	}

	Map<String, String> annotations() {
		return this.annotations;
	}

}
