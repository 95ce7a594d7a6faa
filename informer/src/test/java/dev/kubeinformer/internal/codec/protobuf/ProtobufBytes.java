package dev.kubeinformer.internal.codec.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1.Container;
import io.kubernetes.client.proto.V1.Pod;
import io.kubernetes.client.proto.V1.PodSpec;

/** Messages of kube-apiserver, built with the official messages. */
public final class ProtobufBytes {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private ProtobufBytes() {
	}

	static Pod pod(String name, String version) {
		return Pod.newBuilder()
			.setMetadata(ObjectMeta.newBuilder()
				.setNamespace("blog")
				.setName(name)
				.setGenerateName("")
				.setUid("uid-" + name)
				.setResourceVersion(version)
				.putLabels("app", name))
			.setSpec(PodSpec.newBuilder().addContainers(Container.newBuilder().setName("app").setImage("app:1")))
			.build();
	}

	/**
	 * Returns an object with what Kubernetes writes around it.
	 * @param kind its kind
	 * @param message the object
	 * @return the bytes
	 */
	public static byte[] envelope(String kind, byte[] message) {
		return envelope(Unknown.newBuilder()
			.setTypeMeta(TypeMeta.newBuilder().setApiVersion("v1").setKind(kind))
			.setRaw(ByteString.copyFrom(message))
			.setContentEncoding("")
			.setContentType("")
			.build());
	}

	static byte[] envelope(Unknown unknown) {
		return join(MAGIC, unknown.toByteArray());
	}

	static byte[] envelope(String kind, MessageLite message) {
		return envelope(kind, message.toByteArray());
	}

	/**
	 * Returns an event, without the length before it.
	 * @param type its type
	 * @param object its object, in its envelope
	 * @return the bytes
	 */
	public static byte[] event(String type, byte[] object) {
		return WatchEvent.newBuilder()
			.setType(type)
			.setObject(RawExtension.newBuilder().setRaw(ByteString.copyFrom(object)))
			.build()
			.toByteArray();
	}

	/**
	 * Returns an event as it is in a watch.
	 * @param event the event
	 * @return the event with its length before it
	 */
	public static byte[] frame(byte[] event) {
		return join(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array(), event);
	}

	static byte[] join(byte[]... parts) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			bytes.writeBytes(part);
		}
		return bytes.toByteArray();
	}

	/**
	 * Returns a field that holds bytes.
	 * @param number its number
	 * @param length the length that it claims
	 * @param bytes the bytes
	 * @return the field
	 */
	static byte[] field(int number, long length, byte[] bytes) {
		ByteArrayOutputStream field = new ByteArrayOutputStream();
		field.write(number << 3 | 2);
		long left = length;
		while ((left & ~0x7fL) != 0) {
			field.write((int) (left & 0x7f | 0x80));
			left >>>= 7;
		}
		field.write((int) left);
		field.writeBytes(bytes);
		return field.toByteArray();
	}

	static byte[] field(int number, byte[] bytes) {
		return field(number, bytes.length, bytes);
	}

}
