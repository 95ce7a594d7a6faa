package dev.kubeinformer.internal.codec.protobuf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;

/**
 * Reads {@code Status} objects in protobuf. If a client prefers protobuf, kube-apiserver
 * also sends errors in it.
 */
public final class ProtobufStatus {

	private int code;

	private String reason = "";

	private String message = "";

	private final List<String> causes = new ArrayList<>();

	private @Nullable Integer retryAfterSeconds;

	private ProtobufStatus(int fallbackCode) {
		this.code = fallbackCode;
	}

	/**
	 * Returns whether the body of a response is an object in protobuf.
	 * @param body the body
	 * @return {@code true} if it begins with the magic bytes of Kubernetes' protobuf
	 */
	public static boolean isProtobuf(byte[] body) {
		return Envelope.isAt(body, 0, body.length);
	}

	/**
	 * Reads the body of an unsuccessful response.
	 * @param body the body
	 * @param fallbackCode the code for a status that has none
	 * @return the status, as far as it can be read
	 */
	public static ApiStatus read(byte[] body, int fallbackCode) {
		try {
			return read(body, Envelope.open(body, 0, body.length), fallbackCode);
		}
		catch (MalformedMessageException ex) {
			// Only the HTTP status is known.
			return new ProtobufStatus(fallbackCode).status();
		}
	}

	/**
	 * Translates the body of an unsuccessful response into a JSON tree, if the body is
	 * protobuf.
	 * @param body the body, in any encoding
	 * @return the tree of its JSON; {@code null} if it is not a complete status in
	 * protobuf
	 */
	public static @Nullable Map<String, Object> tree(byte[] body) {
		if (!isProtobuf(body)) {
			return null;
		}
		try {
			Envelope envelope = Envelope.open(body, 0, body.length);
			return envelope.kind().equals("Status")
					? StatusTranslation.tree(new WireFields(body, envelope.from(), envelope.to())) : null;
		}
		catch (MalformedMessageException ex) {
			// Only the HTTP status is known.
			return null;
		}
	}

	static ApiStatus read(byte[] bytes, Envelope envelope, int fallbackCode) {
		ProtobufStatus status = new ProtobufStatus(fallbackCode);
		if (envelope.kind().equals("Status")) {
			try {
				status.read(new WireFields(bytes, envelope.from(), envelope.to()));
			}
			catch (MalformedMessageException ex) {
				// Return the fields before the malformed one; they are better than
				// nothing.
				return status.status();
			}
		}
		return status.status();
	}

	private void read(WireFields fields) throws MalformedMessageException {
		while (fields.next()) {
			if (fields.isBytes(3)) {
				this.message = fields.text();
			}
			else if (fields.isBytes(4)) {
				this.reason = fields.text();
			}
			else if (fields.isBytes(5)) {
				readDetails(fields.message());
			}
			else if (fields.isNumber(6) && fields.number() != 0) {
				this.code = (int) fields.number();
			}
		}
	}

	private void readDetails(WireFields details) throws MalformedMessageException {
		while (details.next()) {
			if (details.isBytes(4)) {
				readCause(details.message());
			}
			else if (details.isNumber(5)) {
				int seconds = (int) details.number();
				this.retryAfterSeconds = (seconds > 0) ? seconds : null;
			}
		}
	}

	private void readCause(WireFields cause) throws MalformedMessageException {
		String type = "";
		String text = "";
		while (cause.next()) {
			if (cause.isBytes(1)) {
				type = cause.text();
			}
			else if (cause.isBytes(2)) {
				text = cause.text();
			}
		}
		this.causes.add(type + ":" + text);
	}

	private ApiStatus status() {
		return new ApiStatus(this.code, this.reason, this.message, String.join(",", this.causes),
				this.retryAfterSeconds);
	}

}
