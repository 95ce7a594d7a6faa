package dev.kubeinformer.test.internal.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Answer that is written as JSON and sent as protobuf: that to a watch event by event,
 * any other as a whole. What cannot be read as JSON is sent as it is.
 */
final class ProtobufResponse extends Response.Wrapper {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private final boolean watch;

	private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

	private boolean begun;

	private boolean translates;

	ProtobufResponse(Request request, Response response) {
		super(request, response);
		this.watch = Request.extractQueryParameters(request).getValue("watch") != null
				&& !"false".equals(Request.extractQueryParameters(request).getValue("watch"));
	}

	@Override
	public void write(boolean last, ByteBuffer content, Callback callback) {
		if (!this.begun) {
			this.begun = true;
			begin();
		}
		if (!this.translates) {
			super.write(last, content, callback);
			return;
		}
		byte[] bytes = new byte[(content != null) ? content.remaining() : 0];
		if (content != null) {
			content.get(bytes);
		}
		this.pending.writeBytes(bytes);
		if (this.watch) {
			super.write(last, ByteBuffer.wrap(frames()), callback);
		}
		else if (last) {
			super.write(true, ByteBuffer.wrap(whole()), callback);
		}
		else {
			callback.succeeded();
		}
	}

	private void begin() {
		HttpFields.Mutable headers = getHeaders();
		String type = String.valueOf(headers.get(HttpHeader.CONTENT_TYPE));
		this.translates = type.startsWith("application/json") && !headers.contains(HttpHeader.CONTENT_ENCODING);
		if (this.translates) {
			headers.put(HttpHeader.CONTENT_TYPE,
					this.watch ? ProtobufHandler.PROTOBUF + ";stream=watch" : ProtobufHandler.PROTOBUF);
			headers.remove(HttpHeader.CONTENT_LENGTH);
		}
	}

	private byte[] whole() {
		byte[] json = this.pending.toByteArray();
		try {
			return envelope(Json.read(json)).toByteArray();
		}
		catch (JacksonException ex) {
			return json;
		}
	}

	// The events whose lines are complete.
	private byte[] frames() {
		byte[] lines = this.pending.toByteArray();
		ByteArrayOutputStream frames = new ByteArrayOutputStream(lines.length);
		int begin = 0;
		for (int i = 0; i < lines.length; i++) {
			if (lines[i] == '\n') {
				byte[] event = event(Arrays.copyOfRange(lines, begin, i));
				frames.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array());
				frames.writeBytes(event);
				begin = i + 1;
			}
		}
		this.pending.reset();
		this.pending.write(lines, begin, lines.length - begin);
		return frames.toByteArray();
	}

	private static byte[] event(byte[] line) {
		try {
			JsonNode event = Json.read(line);
			return Meta.WatchEvent.newBuilder()
				.setType(event.path("type").asString(""))
				.setObject(Runtime.RawExtension.newBuilder().setRaw(envelope(event.path("object"))))
				.build()
				.toByteArray();
		}
		catch (JacksonException ex) {
			return line;
		}
	}

	private static ByteString envelope(JsonNode object) {
		String apiVersion = object.path("apiVersion").asString("");
		String kind = object.path("kind").asString("");
		Descriptor type = Messages.find(apiVersion, kind);
		if (type == null) {
			throw new IllegalStateException("'%s' of '%s' has no message".formatted(kind, apiVersion));
		}
		return ByteString.copyFrom(MAGIC)
			.concat(Runtime.Unknown.newBuilder()
				.setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
				.setRaw(MessageEncoder.encode(object, type).toByteString())
				.build()
				.toByteString());
	}

}
