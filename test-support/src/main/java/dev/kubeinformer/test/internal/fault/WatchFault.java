package dev.kubeinformer.test.internal.fault;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;

/**
 * Effect of a fault on the lines (events and bookmarks) of one watch. The effect ends
 * when the fault is removed.
 */
public final class WatchFault {

	private static final byte[] NOTHING = {};

	private final ResponseFault.@Nullable Body body;

	private final ResponseFault.@Nullable Versions versions;

	private int sent;

	private boolean garbageSent;

	private boolean truncated;

	public WatchFault(Exchange exchange) {
		this.body = exchange.interference(ResponseFault.Body.class);
		this.versions = exchange.interference(ResponseFault.Versions.class);
	}

	// Whether the connection must be cut now.
	public boolean isCut() {
		return isDue(ResponseFault.Kind.CUT);
	}

	// Whether no more lines may be sent until the fault is removed.
	public boolean isFrozen() {
		return isDue(ResponseFault.Kind.FREEZE);
	}

	// Whether the stream must end in an orderly way, because a line was truncated.
	public boolean isTruncated() {
		return this.truncated;
	}

	// Whether no regular line may be sent now.
	public boolean isHolding() {
		return isCut() || isFrozen() || this.truncated || isGarbageDue();
	}

	private boolean isGarbageDue() {
		return !this.garbageSent && isDue(ResponseFault.Kind.GARBAGE);
	}

	private boolean isDue(ResponseFault.Kind kind) {
		return this.body != null && this.body.kind() == kind && this.sent >= this.body.after() && this.body.isInForce();
	}

	// Bytes to send although they are not a line of a watch; empty if there are none.
	public byte[] garbage() {
		if (this.body == null || !isGarbageDue()) {
			return NOTHING;
		}
		this.garbageSent = true;
		return this.body.garbage();
	}

	public byte[] event(byte[] line) {
		if (isDue(ResponseFault.Kind.TRUNCATE)) {
			this.truncated = true;
			return Arrays.copyOf(line, line.length / 2);
		}
		this.sent++;
		byte[] result = bookmark(line);
		if (isWithin(ResponseFault.Kind.DROP)) {
			return NOTHING;
		}
		if (isWithin(ResponseFault.Kind.REPEAT)) {
			byte[] twice = Arrays.copyOf(result, result.length * 2);
			System.arraycopy(result, 0, twice, result.length, result.length);
			return twice;
		}
		return result;
	}

	private boolean isWithin(ResponseFault.Kind kind) {
		return this.body != null && this.body.kind() == kind && this.sent <= this.body.after() && this.body.isInForce();
	}

	public byte[] bookmark(byte[] line) {
		if (this.versions == null) {
			return line;
		}
		ObjectNode event = Json.readObject(line);
		ObjectNode metadata = event.withObject("object").withObject("metadata");
		metadata.put("resourceVersion", this.versions.apply(metadata.path("resourceVersion").asString("")));
		byte[] json = Json.write(event);
		byte[] result = Arrays.copyOf(json, json.length + 1);
		result[json.length] = '\n';
		return result;
	}

}
