package dev.kubeinformer.benchmark.compare.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Encoding of lists and watch events. */
enum Encoding {

	JSON("application/json", "application/json") {

		@Override
		byte[] prepare(byte[] pod) {
			ObjectNode read = (ObjectNode) JsonMapper.shared().readTree(pod);
			ObjectNode node = JsonMapper.shared().createObjectNode();
			node.put("kind", "Pod").put("apiVersion", "v1");
			node.setAll(read);
			ObjectNode metadata = (ObjectNode) node.get("metadata");
			metadata.put("resourceVersion", EncodedPod.VERSION);
			metadata.withObjectProperty("annotations").put(EncodedPod.STAMP_KEY, EncodedPod.STAMP);
			return JsonMapper.shared().writeValueAsBytes(node);
		}

		@Override
		void list(Sink sink, String version, String next, List<byte[]> pods) {
			sink.text("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
					+ "\",\"continue\":\"" + next + "\"},\"items\":[");
			String separator = "";
			for (byte[] pod : pods) {
				sink.text(separator);
				sink.bytes(pod);
				separator = ",";
			}
			sink.text("]}");
		}

		@Override
		void event(Sink sink, String type, byte[] pod) {
			sink.text("{\"type\":\"" + type + "\",\"object\":");
			sink.bytes(pod);
			sink.text("}\n");
		}

		@Override
		byte[] bookmark(String version) {
			return ("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
					+ "\",\"annotations\":{\"" + INITIAL_EVENTS_END + "\":\"true\"}}}")
				.getBytes(StandardCharsets.UTF_8);
		}

	},

	PROTOBUF("application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf;stream=watch") {

		@Override
		byte[] prepare(byte[] pod) {
			Protobuf changed = new Protobuf();
			Protobuf.Fields fields = new Protobuf.Fields(pod);
			while (fields.next()) {
				if (fields.number() == 1) {
					changed.field(1, metadata(fields.value()));
				}
				else {
					changed.raw(fields.field());
				}
			}
			return changed.toByteArray();
		}

		private byte[] metadata(byte[] metadata) {
			Protobuf changed = new Protobuf();
			boolean stamped = false;
			Protobuf.Fields fields = new Protobuf.Fields(metadata);
			while (fields.next()) {
				if (fields.number() > ANNOTATIONS && !stamped) {
					changed.field(ANNOTATIONS, entry(EncodedPod.STAMP_KEY, EncodedPod.STAMP));
					stamped = true;
				}
				if (fields.number() == RESOURCE_VERSION) {
					changed.field(RESOURCE_VERSION, EncodedPod.VERSION);
				}
				else if (fields.number() != ANNOTATIONS || !isStamp(fields.value())) {
					changed.raw(fields.field());
				}
			}
			if (!stamped) {
				changed.field(ANNOTATIONS, entry(EncodedPod.STAMP_KEY, EncodedPod.STAMP));
			}
			return changed.toByteArray();
		}

		private boolean isStamp(byte[] entry) {
			Protobuf.Fields fields = new Protobuf.Fields(entry);
			return fields.next() && EncodedPod.STAMP_KEY.equals(new String(fields.value(), StandardCharsets.UTF_8));
		}

		private byte[] entry(String key, String value) {
			return new Protobuf().field(1, key).field(2, value).toByteArray();
		}

		@Override
		void list(Sink sink, String version, String next, List<byte[]> pods) {
			byte[] metadata = new Protobuf().field(1, new Protobuf().field(2, version).field(3, next).toByteArray())
				.toByteArray();
			long length = metadata.length;
			for (byte[] pod : pods) {
				length += header(2, pod).length + pod.length;
			}
			sink.bytes(Protobuf.envelope("PodList", length));
			sink.bytes(metadata);
			for (byte[] pod : pods) {
				sink.bytes(header(2, pod));
				sink.bytes(pod);
			}
		}

		@Override
		void event(Sink sink, String type, byte[] pod) {
			byte[] envelope = Protobuf.envelope("Pod", pod.length);
			int object = envelope.length + pod.length;
			byte[] raw = new Protobuf().header(1, object).toByteArray();
			byte[] head = new Protobuf().field(1, type).header(2, raw.length + object).raw(raw).toByteArray();
			sink.bytes(ByteBuffer.allocate(Integer.BYTES).putInt(head.length + object).array());
			sink.bytes(head);
			sink.bytes(envelope);
			sink.bytes(pod);
		}

		@Override
		byte[] bookmark(String version) {
			byte[] metadata = new Protobuf().field(RESOURCE_VERSION, version)
				.field(ANNOTATIONS, entry(INITIAL_EVENTS_END, "true"))
				.toByteArray();
			return new Protobuf().field(1, metadata).toByteArray();
		}

		private byte[] header(int number, byte[] value) {
			return new Protobuf().header(number, value.length).toByteArray();
		}

	};

	private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

	private static final int RESOURCE_VERSION = 6;

	private static final int ANNOTATIONS = 12;

	private final String contentType;

	private final String watchType;

	Encoding(String contentType, String watchType) {
		this.contentType = contentType;
		this.watchType = watchType;
	}

	String contentType(boolean watch) {
		return watch ? this.watchType : this.contentType;
	}

	/**
	 * Prepares a pod of a list with placeholders for the two values that are overwritten.
	 * @param pod the pod as the API server encoded it
	 * @return the prepared pod
	 */
	abstract byte[] prepare(byte[] pod);

	abstract void list(Sink sink, String version, String next, List<byte[]> pods);

	abstract void event(Sink sink, String type, byte[] pod);

	/**
	 * Returns the object of the bookmark that ends the initial events.
	 * @param version the resourceVersion
	 * @return the bytes
	 */
	abstract byte[] bookmark(String version);

	/** Receives bytes. */
	interface Sink {

		void bytes(byte[] bytes);

		default void text(String text) {
			bytes(text.getBytes(StandardCharsets.UTF_8));
		}

	}

}
