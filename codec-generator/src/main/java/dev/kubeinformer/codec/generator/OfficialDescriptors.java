package dev.kubeinformer.codec.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V1alpha1Apiserverinternal;
import io.kubernetes.client.proto.V1beta1Admissionregistration;
import io.kubernetes.client.proto.V1beta1Certificates;
import io.kubernetes.client.proto.V1beta1Storage;
import io.kubernetes.client.proto.V1beta1Storagemigration;
import io.kubernetes.client.proto.V2Autoscaling;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Protobuf descriptors in the official client. They do not describe the JSON form, and
 * the messages of some API versions are missing.
 */
final class OfficialDescriptors {

	private OfficialDescriptors() {
	}

	/**
	 * Compares the table of messages with the descriptors.
	 * @param messages the table
	 * @return the differences: fields that the table does not have or declares
	 * differently
	 */
	static List<String> differences(Map<String, List<MessageField>> messages) {
		List<String> differences = new ArrayList<>();
		for (FileDescriptor file : files()) {
			for (Descriptor message : file.getMessageTypes()) {
				compare(message, messages.get(message.getFullName()), differences);
			}
		}
		return differences;
	}

	private static void compare(Descriptor message, @Nullable List<MessageField> known, List<String> differences) {
		if (known == null) {
			differences.add(
					"the table does not have the message '%s' of the official client".formatted(message.getFullName()));
			return;
		}
		Map<Integer, MessageField> byNumber = new TreeMap<>();
		known.forEach((field) -> byNumber.put(field.number(), field));
		for (FieldDescriptor field : message.getFields()) {
			MessageField other = byNumber.get(field.getNumber());
			Shape shape = field.isMapField() ? Shape.MAP : field.isRepeated() ? Shape.REPEATED : Shape.SINGLE;
			if (other == null && KnownDifferences.isOnlyInDescriptors(message.getFullName(), field.getName())) {
				continue;
			}
			if (other == null || !other.type().equals(type(field)) || other.shape() != shape) {
				differences.add("the official client has the field '%s' of '%s' with number %d as %s, but the table %s"
					.formatted(field.getName(), message.getFullName(), field.getNumber(), type(field),
							(other != null) ? "as " + other.type() : "does not have it"));
			}
		}
	}

	private static String type(FieldDescriptor field) {
		FieldDescriptor valued = field.isMapField() ? field.getMessageType().findFieldByNumber(2) : field;
		return (valued.getJavaType() == FieldDescriptor.JavaType.MESSAGE) ? valued.getMessageType().getFullName()
				: valued.getType().name().toLowerCase(Locale.ROOT);
	}

	private static List<FileDescriptor> files() {
		return List.of(Meta.getDescriptor(), Runtime.getDescriptor(), Resource.getDescriptor(), IntStr.getDescriptor(),
				V1.getDescriptor(), V1Admissionregistration.getDescriptor(),
				V1beta1Admissionregistration.getDescriptor(), V1Apiextensions.getDescriptor(),
				V1alpha1Apiserverinternal.getDescriptor(), V1Apps.getDescriptor(), V1Autoscaling.getDescriptor(),
				V2Autoscaling.getDescriptor(), V1Batch.getDescriptor(), V1Certificates.getDescriptor(),
				V1beta1Certificates.getDescriptor(), V1Coordination.getDescriptor(), V1Discovery.getDescriptor(),
				V1Events.getDescriptor(), V1Flowcontrol.getDescriptor(), V1Networking.getDescriptor(),
				V1Node.getDescriptor(), V1Policy.getDescriptor(), V1Rbac.getDescriptor(), V1Resource.getDescriptor(),
				V1Scheduling.getDescriptor(), V1Storage.getDescriptor(), V1beta1Storage.getDescriptor(),
				V1beta1Storagemigration.getDescriptor());
	}

}
