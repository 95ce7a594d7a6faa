package dev.kubeinformer.test.internal.protobuf;

import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Encodes JSON objects as protobuf messages of the official client. Properties for which
 * the message has no field are dropped, as by kube-apiserver.
 */
final class MessageEncoder {

	private static final Set<String> INLINED = Set.of("volumeSource", "persistentVolumeSource", "handler",
			"localObjectReference", "ephemeralContainerCommon", "ruleWithOperations", "rule", "ingressRuleValue",
			"deviceConfiguration");

	private MessageEncoder() {
	}

	/**
	 * Encodes an object.
	 * @param object the object
	 * @param type its message
	 * @return the message
	 * @throws IllegalArgumentException if a value is not of the type of its field
	 */
	static Message encode(JsonNode object, Descriptor type) {
		DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
		object.properties().forEach((property) -> put(message, property));
		return message.build();
	}

	private static void put(Message.Builder message, Map.Entry<String, JsonNode> property) {
		JsonNode value = property.getValue();
		FieldDescriptor field = field(message.getDescriptorForType(), property.getKey());
		if (field == null) {
			Message.Builder inlined = inlined(message, property.getKey());
			if (inlined != null) {
				put(inlined, property);
			}
		}
		else if (field.isMapField()) {
			value.properties().forEach((entry) -> message.addRepeatedField(field, entry(field, entry)));
		}
		else if (field.isRepeated()) {
			value.forEach((element) -> message.addRepeatedField(field, value(field, element)));
		}
		else if (!value.isNull()) {
			message.setField(field, value(field, value));
		}
	}

	// Finds a field, if necessary without regard to case, because of names such as
	// "aPIGroup".
	private static @Nullable FieldDescriptor field(Descriptor type, String property) {
		FieldDescriptor exact = type.findFieldByName(property);
		return (exact != null) ? exact
				: type.getFields()
					.stream()
					.filter((field) -> field.getName().equalsIgnoreCase(property))
					.findFirst()
					.orElse(null);
	}

	// In JSON, the properties of some messages are inlined into the enclosing message,
	// such as the source of a volume, the action of a probe and the name in a reference.
	private static Message.@Nullable Builder inlined(Message.Builder message, String property) {
		return message.getDescriptorForType()
			.getFields()
			.stream()
			.filter((field) -> isInlined(field) && has(field.getMessageType(), property))
			.map(message::getFieldBuilder)
			.findFirst()
			.orElse(null);
	}

	private static boolean has(Descriptor type, String property) {
		return field(type, property) != null || type.getFields()
			.stream()
			.anyMatch((field) -> isInlined(field) && has(field.getMessageType(), property));
	}

	private static boolean isInlined(FieldDescriptor field) {
		return field.getJavaType() == JavaType.MESSAGE && !field.isRepeated() && INLINED.contains(field.getName());
	}

	private static Message entry(FieldDescriptor field, Map.Entry<String, JsonNode> entry) {
		FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
		return DynamicMessage.newBuilder(field.getMessageType())
			.setField(field.getMessageType().findFieldByNumber(1), entry.getKey())
			.setField(value, value(value, entry.getValue()))
			.build();
	}

	private static Object value(FieldDescriptor field, JsonNode value) {
		return switch (field.getJavaType()) {
			case STRING -> value.stringValue();
			case INT -> value.intValue();
			case LONG -> value.longValue();
			case BOOLEAN -> value.booleanValue();
			case DOUBLE -> value.doubleValue();
			case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(value.stringValue()));
			case MESSAGE -> message(field.getMessageType(), value);
			default -> throw new IllegalArgumentException(field.getFullName());
		};
	}

	private static Message message(Descriptor type, JsonNode value) {
		return switch (type.getName()) {
			case "Time", "MicroTime" -> time(type, OffsetDateTime.parse(value.stringValue()));
			case "Quantity" -> of(type, "string", value.asString());
			case "IntOrString" -> (value.isNumber()) ? of(type, "type", 0L, "intVal", value.intValue())
					: of(type, "type", 1L, "strVal", value.stringValue());
			case "FieldsV1" -> of(type, "Raw", ByteString.copyFrom(Json.write(value)));
			case "RawExtension" -> of(type, "raw", ByteString.copyFrom(Json.write(value)));
			default -> (value.isArray()) ? list(type, value) : encode(value, type);
		};
	}

	private static Message time(Descriptor type, OffsetDateTime time) {
		return of(type, "seconds", time.toEpochSecond(), "nanos", time.getNano());
	}

	// Encodes a list that has its own message type.
	private static Message list(Descriptor type, JsonNode values) {
		DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
		FieldDescriptor items = type.findFieldByName("items");
		values.forEach((value) -> message.addRepeatedField(items, value(items, value)));
		return message.build();
	}

	private static Message of(Descriptor type, Object... fields) {
		DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
		for (int i = 0; i < fields.length; i += 2) {
			message.setField(type.findFieldByName((String) fields[i]), fields[i + 1]);
		}
		return message.build();
	}

}
