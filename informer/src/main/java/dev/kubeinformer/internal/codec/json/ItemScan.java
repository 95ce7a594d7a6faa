package dev.kubeinformer.internal.codec.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectIdentity;

/**
 * Scans the items of a list as they arrive: finds the beginning, the end and the identity
 * of each item, but does not parse it. The scan ends before the first item that is not an
 * object; a parser must read that item.
 */
final class ItemScan {

	/** Minimum number of bytes to wait for before an incomplete item is scanned again. */
	private static final int CHUNK = 64 * 1024;

	private final InputStream source;

	private final int limit;

	private byte[] buffer;

	private final JsonIdentityScan scan = new JsonIdentityScan();

	private final JsonExtent rest = new JsonExtent();

	/** Decides by the identity of an item whether the item is dropped. */
	private final @Nullable Predicate<ObjectIdentity> dropped;

	/** Position after the last item that was found. */
	private int position;

	private int length;

	private int start;

	private boolean anyItem;

	/** Failure of the stream that follows the bytes in the buffer. */
	private @Nullable IOException broken;

	/**
	 * Creates the scan.
	 * @param source the rest of the bytes
	 * @param ahead the bytes that were already read from the stream, after the bracket
	 * that begins the items
	 * @param limit the maximum length of an item that is not dropped
	 * @param dropped the test for items that are skipped as soon as they are identified;
	 * {@code null} to drop none
	 */
	ItemScan(InputStream source, byte[] ahead, int limit, @Nullable Predicate<ObjectIdentity> dropped) {
		this.source = source;
		this.limit = limit;
		this.dropped = dropped;
		this.buffer = Arrays.copyOf(ahead, Math.max(ahead.length, 2 * CHUNK));
		this.length = ahead.length;
	}

	/**
	 * Moves to the next item.
	 * @return {@code true} if there is another item and it is an object
	 * @throws IOException if the stream could not be read
	 */
	boolean next() throws IOException {
		while (true) {
			int at = begin();
			if (at >= 0 && isDropped(at)) {
				if (!passOver(this.scan.beginRest(this.rest))) {
					return false;
				}
				continue;
			}
			int end = (at >= 0) ? this.scan.scan(this.buffer, at, this.length) : at;
			if (end >= 0) {
				this.start = at;
				this.position = end;
				this.anyItem = true;
				return true;
			}
			if (end == JsonIdentityScan.NO_OBJECT || !fill()) {
				return false;
			}
		}
	}

	private boolean isDropped(int at) {
		return this.dropped != null && this.scan.identify(this.buffer, at, this.length)
				&& this.dropped.test(this.scan.identity());
	}

	/**
	 * Skips the rest of a dropped item without keeping its bytes.
	 * @param from the index of the first byte of the rest
	 * @return {@code true} if the end of the item was found
	 * @throws IOException if the stream could not be read
	 */
	private boolean passOver(int from) throws IOException {
		this.anyItem = true;
		int end = this.rest.end(this.buffer, from, this.length);
		while (end < 0) {
			this.position = this.length;
			if (!fill()) {
				return false;
			}
			end = this.rest.end(this.buffer, this.position, this.length);
		}
		this.position = end;
		return true;
	}

	/**
	 * Finds the beginning of the next item.
	 * @return the index of its first byte; {@link JsonIdentityScan#CUT_OFF} if it has not
	 * arrived; {@link JsonIdentityScan#NO_OBJECT} if no item follows
	 */
	private int begin() {
		int at = JsonIdentityScan.skipSpace(this.buffer, this.position, this.length);
		if (this.anyItem && at < this.length && this.buffer[at] == ',') {
			at = JsonIdentityScan.skipSpace(this.buffer, at + 1, this.length);
		}
		else if (this.anyItem && at < this.length) {
			return JsonIdentityScan.NO_OBJECT;
		}
		return (at < this.length) ? at : JsonIdentityScan.CUT_OFF;
	}

	/**
	 * Waits until at least as many bytes have arrived as the buffer holds. The item is
	 * scanned again from its beginning, so no scan repeats more bytes than it reads for
	 * the first time.
	 * @return {@code true} if more bytes have arrived
	 * @throws IOException if the stream broke
	 */
	private boolean fill() throws IOException {
		if (this.broken != null) {
			throw this.broken;
		}
		int there = this.length - this.position;
		if (there > this.limit) {
			throw new MalformedResponseException("An object of a list is longer than %d bytes".formatted(this.limit));
		}
		int wanted = Math.max(CHUNK, there);
		byte[] target = (this.buffer.length - there >= wanted) ? this.buffer : new byte[there + wanted];
		System.arraycopy(this.buffer, this.position, target, 0, there);
		this.buffer = target;
		this.position = 0;
		this.length = there;
		read(there + wanted);
		return this.length > there;
	}

	private void read(int upTo) throws IOException {
		int before = this.length;
		try {
			while (this.length < upTo) {
				int read = this.source.read(this.buffer, this.length, upTo - this.length);
				if (read < 0) {
					return;
				}
				this.length += read;
			}
		}
		catch (IOException ex) {
			if (this.length == before) {
				throw ex;
			}
			this.broken = ex;
		}
	}

	/**
	 * Returns whether the list has an item.
	 * @return {@code true} if there was an item, even if it was dropped
	 */
	boolean isAnyItem() {
		return this.anyItem;
	}

	ObjectIdentity identity() {
		return this.scan.identity();
	}

	byte[] bytes() {
		return this.buffer;
	}

	/**
	 * Returns the beginning of the item.
	 * @return the index of its first byte
	 */
	int start() {
		return this.start;
	}

	/**
	 * Returns the end of the item.
	 * @return the index after its last byte
	 */
	int end() {
		return this.position;
	}

	/**
	 * Passes everything after the last item to a parser. This scan must not be used
	 * afterwards.
	 * @param prefix the bytes that the parser should read first
	 * @return the stream
	 */
	RecordingInputStream rest(byte[] prefix) {
		int left = this.length - this.position;
		byte[] ahead = Arrays.copyOf(prefix, prefix.length + left);
		System.arraycopy(this.buffer, this.position, ahead, prefix.length, left);
		return new RecordingInputStream(this.source, this.limit, ahead);
	}

}
