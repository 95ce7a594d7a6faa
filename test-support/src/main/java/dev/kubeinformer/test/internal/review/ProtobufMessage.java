package dev.kubeinformer.test.internal.review;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * The fields of a protobuf message that hold texts, bytes or messages, which is all that
 * is read of the one request that kubectl makes in this format.
 */
final class ProtobufMessage {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private static final int RAW = 2;

	private final Map<Integer, byte[]> fields = new HashMap<>();

	private ProtobufMessage(byte[] message) {
		int[] position = { 0 };
		while (position[0] < message.length) {
			long tag = varint(message, position);
			int number = (int) (tag >>> 3);
			switch ((int) (tag & 7)) {
				case 0 -> varint(message, position);
				case 2 -> {
					int length = (int) varint(message, position);
					if (length < 0 || length > message.length - position[0]) {
						throw broken();
					}
					this.fields.put(number, Arrays.copyOfRange(message, position[0], position[0] + length));
					position[0] += length;
				}
				default -> throw broken();
			}
		}
	}

	static boolean isEnvelope(byte[] body) {
		return body.length >= MAGIC.length && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
	}

	// The object in the envelope in which Kubernetes sends it.
	static ProtobufMessage unwrap(byte[] body) {
		return new ProtobufMessage(Arrays.copyOfRange(body, MAGIC.length, body.length)).message(RAW);
	}

	private static long varint(byte[] message, int[] position) {
		long value = 0;
		for (int shift = 0; shift < 64; shift += 7) {
			if (position[0] >= message.length) {
				throw broken();
			}
			byte next = message[position[0]++];
			value |= (long) (next & 0x7f) << shift;
			if (next >= 0) {
				return value;
			}
		}
		throw broken();
	}

	private static RequestFailure broken() {
		return Statuses.badRequest("the object provided is not the protobuf that is expected");
	}

	boolean has(int field) {
		return this.fields.containsKey(field);
	}

	ProtobufMessage message(int field) {
		return new ProtobufMessage(this.fields.getOrDefault(field, new byte[0]));
	}

	String text(int field) {
		return new String(this.fields.getOrDefault(field, new byte[0]), StandardCharsets.UTF_8);
	}

}
