package dev.kubeinformer.test.internal.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.MediaTypes;

/**
 * Translates a response that is written as JSON, and sends it as protobuf. A watch is
 * translated event by event, any other response when it is complete. Data that cannot be
 * parsed as JSON is sent unchanged.
 */
final class ProtobufResponse extends Response.Wrapper {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	// kube-apiserver compresses from this size on.
	private static final int GZIP_FROM = 128 * 1024;

	private final boolean asksToWatch;

	private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

	// Whether the client has requested another form than complete objects.
	private final boolean form;

	private final boolean gzip;

	private boolean begun;

	private boolean translates;

	private boolean watch;

	ProtobufResponse(Request request, Response response, boolean compression) {
		super(request, response);
		String encodings = request.getHeaders().get(HttpHeader.ACCEPT_ENCODING);
		this.gzip = compression && encodings != null && encodings.contains("gzip");
		String accept = request.getHeaders().get(HttpHeader.ACCEPT);
		this.form = accept != null && accept.contains("as=");
		this.asksToWatch = Request.extractQueryParameters(request).getValue("watch") != null
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
			super.write(true, ByteBuffer.wrap(compressed(whole())), callback);
		}
		else {
			callback.succeeded();
		}
	}

	private void begin() {
		HttpFields.Mutable headers = getHeaders();
		String type = String.valueOf(headers.get(HttpHeader.CONTENT_TYPE));
		// Failures have only one form, and kube-apiserver sends them in JSON if another
		// form was requested.
		boolean failed = getStatus() >= HttpStatus.BAD_REQUEST_400;
		this.translates = type.startsWith("application/json") && !(failed && this.form);
		this.watch = this.asksToWatch && !failed;
		if (this.translates) {
			headers.put(HttpHeader.CONTENT_TYPE,
					this.watch ? MediaTypes.PROTOBUF + ";stream=watch" : MediaTypes.PROTOBUF);
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

	private byte[] compressed(byte[] message) {
		if (!this.gzip || message.length <= GZIP_FROM) {
			return message;
		}
		getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
			out.write(message);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return compressed.toByteArray();
	}

	// Returns the events whose lines are complete.
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
