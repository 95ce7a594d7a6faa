package dev.kubeinformer.benchmark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pods of {@link PodList} as protobuf messages. They are somewhat smaller than those of a
 * real API server, which also writes empty strings and zeros.
 */
final class PodMessages {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	/** Messages whose fields belong to the enclosing message in JSON. */
	private static final List<String> INLINE = List.of("handler", "volumeSource", "localObjectReference");

	private PodMessages() {
	}

	static byte[] list(int pods) {
		return list(pods, PodList::pod);
	}

	static byte[] list(int pods, BiFunction<String, Integer, String> form) {
		V1.PodList.Builder list = V1.PodList.newBuilder()
			.setMetadata(Meta.ListMeta.newBuilder().setResourceVersion("4711"));
		String template = PodList.template();
		for (int i = 0; i < pods; i++) {
			list.addItems(pod(form.apply(template, i)));
		}
		return envelope("PodList", list.build());
	}

	/**
	 * Writes a list that need not fit into memory as one message.
	 * @param pods the number of pods
	 * @param items the pods as JSON
	 * @param out the stream to write to
	 * @throws IOException if the list cannot be written
	 */
	static void write(int pods, IntFunction<JsonNode> items, OutputStream out) throws IOException {
		ByteArrayOutputStream raw = new ByteArrayOutputStream();
		CodedOutputStream list = CodedOutputStream.newInstance(raw);
		list.writeMessage(1, Meta.ListMeta.newBuilder().setResourceVersion("4711").build());
		for (int i = 0; i < pods; i++) {
			list.writeMessage(2, pod(items.apply(i)));
		}
		list.flush();
		CodedOutputStream envelope = CodedOutputStream.newInstance(out);
		envelope.writeRawBytes(MAGIC);
		envelope.writeMessage(1, Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("PodList").build());
		envelope.writeTag(2, 2);
		envelope.writeUInt32NoTag(raw.size());
		envelope.flush();
		raw.writeTo(out);
	}

	static byte[] event(int number) {
		return event(PodList.pod(PodList.template(), number));
	}

	static byte[] event(String json) {
		byte[] pod = envelope("Pod", pod(json));
		return Meta.WatchEvent.newBuilder()
			.setType("MODIFIED")
			.setObject(Runtime.RawExtension.newBuilder().setRaw(ByteString.copyFrom(pod)))
			.build()
			.toByteArray();
	}

	private static byte[] envelope(String kind, Message message) {
		byte[] unknown = Runtime.Unknown.newBuilder()
			.setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind(kind))
			.setRaw(message.toByteString())
			.build()
			.toByteArray();
		return ByteString.copyFrom(MAGIC).concat(ByteString.copyFrom(unknown)).toByteArray();
	}

	private static V1.Pod pod(String json) {
		return pod(JsonMapper.shared().readTree(json));
	}

	private static V1.Pod pod(JsonNode json) {
		V1.Pod.Builder pod = V1.Pod.newBuilder();
		fill(pod, json);
		return pod.build();
	}

	private static void fill(Message.Builder builder, JsonNode object) {
		object.properties().forEach((property) -> {
			if (!property.getValue().isNull()) {
				set(builder, property.getKey(), property.getValue());
			}
		});
	}

	private static void set(Message.Builder builder, String name, JsonNode value) {
		FieldDescriptor field = builder.getDescriptorForType().findFieldByName(name);
		if (field == null) {
			set(inline(builder, name), name, value);
		}
		else if (field.isMapField()) {
			value.properties().forEach((property) -> {
				Message.Builder entry = builder.newBuilderForField(field);
				entry.setField(entry.getDescriptorForType().findFieldByNumber(1), property.getKey());
				set(entry, "value", property.getValue());
				builder.addRepeatedField(field, entry.build());
			});
		}
		else if (field.isRepeated()) {
			value.forEach((element) -> builder.addRepeatedField(field, value(builder, field, element)));
		}
		else {
			builder.setField(field, value(builder, field, value));
		}
	}

	private static Message.Builder inline(Message.Builder builder, String name) {
		Descriptor type = builder.getDescriptorForType();
		for (String inline : INLINE) {
			FieldDescriptor field = type.findFieldByName(inline);
			if (field != null && field.getMessageType().findFieldByName(name) != null) {
				return builder.getFieldBuilder(field);
			}
		}
		throw new IllegalArgumentException("'%s' has no field '%s'".formatted(type.getFullName(), name));
	}

	private static Object value(Message.Builder builder, FieldDescriptor field, JsonNode value) {
		return switch (field.getJavaType()) {
			case STRING -> value.asString();
			case INT -> value.asInt();
			case LONG -> value.asLong();
			case BOOLEAN -> value.asBoolean();
			case MESSAGE -> message(builder.newBuilderForField(field), value);
			default -> throw new IllegalArgumentException("'%s' is of another type".formatted(field.getFullName()));
		};
	}

	private static Message message(Message.Builder message, JsonNode value) {
		switch (message.getDescriptorForType().getName()) {
			case "Time" -> scalar(message, "seconds", OffsetDateTime.parse(value.asString()).toEpochSecond());
			case "Quantity" -> scalar(message, "string", value.asString());
			case "IntOrString" -> {
				scalar(message, "type", value.isString() ? 1L : 0L);
				scalar(message, value.isString() ? "strVal" : "intVal",
						value.isString() ? value.asString() : value.asInt());
			}
			case "FieldsV1" ->
				scalar(message, "Raw", ByteString.copyFrom(value.toString().getBytes(StandardCharsets.UTF_8)));
			default -> fill(message, value);
		}
		return message.build();
	}

	private static void scalar(Message.Builder builder, String name, Object value) {
		builder.setField(builder.getDescriptorForType().findFieldByName(name), value);
	}

}
