package dev.kubeinformer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Arrays;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.internal.codec.protobuf.ProtobufBytes;

/**
 * Translates the pods of a JSON server into protobuf for a client that prefers that:
 * event by event as they arrive, including malformed and truncated answers and errors.
 */
final class ProtobufTranslation implements Interceptor {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final JsonMapper JSON = JsonMapper.shared();

	@Override
	public Response intercept(Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		String accept = String.valueOf(chain.request().header("Accept"));
		boolean json = String.valueOf(response.header("Content-Type")).startsWith("application/json");
		if (!accept.startsWith(PROTOBUF) || !json || !chain.request().url().encodedPath().endsWith("/pods")) {
			return response;
		}
		boolean watch = response.isSuccessful() && "true".equals(chain.request().url().queryParameter("watch"));
		BufferedSource source = response.body().source();
		Source translated = watch ? new Translated(source, ProtobufTranslation::nextFrame)
				: new Translated(source, ProtobufTranslation::wholeBody);
		String type = watch ? PROTOBUF + ";stream=watch" : PROTOBUF;
		return response.newBuilder()
			.header("Content-Type", type)
			.removeHeader("Content-Length")
			.body(ResponseBody.create(Okio.buffer(translated), MediaType.get(type), -1))
			.build();
	}

	private static byte[] nextFrame(BufferedSource source) throws IOException {
		String line = "";
		while (line.isBlank()) {
			long newline = source.indexOf((byte) '\n');
			if (newline < 0) {
				return halfAFrame(source.readByteArray());
			}
			line = source.readString(newline, StandardCharsets.UTF_8);
			source.skip(1);
		}
		return ProtobufBytes.frame(event(line));
	}

	private static byte[] halfAFrame(byte[] rest) {
		byte[] frame = ProtobufBytes.frame(new byte[rest.length + 100]);
		return (rest.length > 0) ? Arrays.copyOf(frame, Integer.BYTES + rest.length) : rest;
	}

	private static byte[] event(String line) {
		try {
			JsonNode event = JSON.readTree(line);
			if (event.isObject()) {
				return event.has("object")
						? ProtobufBytes.event(event.path("type").asString(""), envelope(event.get("object")))
						: new byte[0];
			}
		}
		catch (JacksonException ex) {
			// It stays what it is: no event.
			return line.getBytes(StandardCharsets.UTF_8);
		}
		return line.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] wholeBody(BufferedSource source) throws IOException {
		byte[] body = source.readByteArray();
		try {
			JsonNode json = JSON.readTree(body);
			return json.isObject() ? envelope(json) : body;
		}
		catch (JacksonException ex) {
			// It stays what it is: no list.
			return body;
		}
	}

	private static byte[] envelope(JsonNode object) {
		String kind = object.path("kind").asString("");
		Descriptor type = switch (kind) {
			case "PodList" -> V1.PodList.getDescriptor();
			case "Status" -> Meta.Status.getDescriptor();
			default -> V1.Pod.getDescriptor();
		};
		return ProtobufBytes.envelope(kind, ProtobufEncoder.encode(object, type));
	}

	/**
	 * Translates one part of a body.
	 */
	@FunctionalInterface
	private interface Part {

		/**
		 * Translates the next part.
		 * @param source the body
		 * @return the part; empty at the end
		 */
		byte[] next(BufferedSource source) throws IOException;

	}

	/** Bytes that the client reads. */
	private static final class Translated implements Source {

		private final BufferedSource source;

		private final Part part;

		private final Buffer ready = new Buffer();

		Translated(BufferedSource source, Part part) {
			this.source = source;
			this.part = part;
		}

		@Override
		public long read(Buffer sink, long byteCount) throws IOException {
			if (this.ready.exhausted()) {
				this.ready.write(this.part.next(this.source));
			}
			return this.ready.read(sink, byteCount);
		}

		@Override
		public Timeout timeout() {
			return this.source.timeout();
		}

		@Override
		public void close() throws IOException {
			this.source.close();
		}

	}

	/**
	 * Writes JSON as messages, with the field numbers of the official descriptors. What
	 * is not of the type of its field becomes bytes that cannot be read.
	 */
	private static final class ProtobufEncoder {

		private ProtobufEncoder() {
		}

		static byte[] encode(JsonNode object, Descriptor type) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			object.properties().forEach((property) -> {
				FieldDescriptor field = type.findFieldByName(property.getKey());
				if (field != null) {
					write(bytes, field, property.getValue());
				}
			});
			return bytes.toByteArray();
		}

		private static void write(ByteArrayOutputStream bytes, FieldDescriptor field, JsonNode value) {
			if (field.isMapField()) {
				value.properties().forEach((entry) -> {
					ByteArrayOutputStream pair = new ByteArrayOutputStream();
					bytes(pair, 1, entry.getKey().getBytes(StandardCharsets.UTF_8));
					one(pair, field.getMessageType().findFieldByNumber(2), entry.getValue());
					bytes(bytes, field.getNumber(), pair.toByteArray());
				});
			}
			else if (field.isRepeated() && value.isArray()) {
				value.forEach((element) -> one(bytes, field, element));
			}
			else {
				one(bytes, field, value);
			}
		}

		private static void one(ByteArrayOutputStream bytes, FieldDescriptor field, JsonNode value) {
			switch (field.getJavaType()) {
				case STRING -> bytes(bytes, field.getNumber(), value.asString("").getBytes(StandardCharsets.UTF_8));
				case INT, LONG -> {
					varint(bytes, (long) field.getNumber() << 3);
					varint(bytes, value.asLong());
				}
				case BOOLEAN -> {
					varint(bytes, (long) field.getNumber() << 3);
					varint(bytes, value.asBoolean() ? 1 : 0);
				}
				case MESSAGE -> bytes(bytes, field.getNumber(), message(field.getMessageType(), value));
				default -> throw new IllegalArgumentException(field.getFullName());
			}
		}

		private static byte[] message(Descriptor type, JsonNode value) {
			if (type.getFullName().endsWith(".Time") && value.isString()) {
				ByteArrayOutputStream time = new ByteArrayOutputStream();
				varint(time, 1 << 3);
				varint(time, OffsetDateTime.parse(value.asString()).toEpochSecond());
				return time.toByteArray();
			}
			return value.isObject() ? encode(value, type) : new byte[] { (byte) 0x80 };
		}

		private static void bytes(ByteArrayOutputStream bytes, int number, byte[] value) {
			varint(bytes, (long) number << 3 | 2);
			varint(bytes, value.length);
			bytes.writeBytes(value);
		}

		private static void varint(ByteArrayOutputStream bytes, long value) {
			long left = value;
			while ((left & ~0x7fL) != 0) {
				bytes.write((int) (left & 0x7f | 0x80));
				left >>>= 7;
			}
			bytes.write((int) left);
		}

	}

}
