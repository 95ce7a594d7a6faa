package dev.kubeinformer.internal.codec.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectIdentity;

/**
 * The items of a list as they arrive, delimited and identified, but not parsed. It ends
 * before the first of them that is no object, which a parser has to look at.
 */
final class ItemScan {

	/** How much is read at least before what came of an item is looked at again. */
	private static final int CHUNK = 64 * 1024;

	private final InputStream source;

	private final int limit;

	private byte[] buffer;

	private final JsonIdentityScan scan = new JsonIdentityScan();

	private final JsonExtent rest = new JsonExtent();

	/** Which items are dropped by their identity. */
	private final @Nullable Predicate<ObjectIdentity> dropped;

	/** The first byte that no item was found in. */
	private int position;

	private int length;

	private int start;

	private boolean anyItem;

	/** What broke the stream, behind the bytes that are there. */
	private @Nullable IOException broken;

	/**
	 * Creates the scan.
	 * @param source the rest of the bytes
	 * @param ahead the bytes before, from behind the bracket that begins the items
	 * @param limit how long an item may be that is not dropped
	 * @param dropped which items are passed over as soon as they are identified;
	 * {@code null} for none
	 */
	ItemScan(InputStream source, byte[] ahead, int limit, @Nullable Predicate<ObjectIdentity> dropped) {
		this.source = source;
		this.limit = limit;
		this.dropped = dropped;
		this.buffer = Arrays.copyOf(ahead, Math.max(ahead.length, 2 * CHUNK));
		this.length = ahead.length;
	}

	/**
	 * Goes on to the next item.
	 * @return whether there is one that is an object
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
	 * Passes over the rest of an item. What came of it is not kept while more is awaited.
	 * @param from where the rest begins
	 * @return whether there is an end of it
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
	 * Looks for the beginning of the next item.
	 * @return where it begins, or what is there instead
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
	 * Waits for more bytes: for as many as are there of an item, so that what is looked
	 * at again and again is no more than what comes.
	 * @return whether there are more
	 * @throws IOException if there are none because the stream broke
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
	 * Returns whether there was an item, be it a dropped one.
	 * @return whether there was
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
	 * Returns where the item begins.
	 * @return the index of its first byte
	 */
	int start() {
		return this.start;
	}

	/**
	 * Returns where the item ends.
	 * @return the index after its last byte
	 */
	int end() {
		return this.position;
	}

	/**
	 * Leaves what follows the last item to a parser. This is not to be used any more.
	 * @param prefix what comes before, for the parser
	 * @return the stream
	 */
	RecordingInputStream rest(byte[] prefix) {
		int left = this.length - this.position;
		byte[] ahead = Arrays.copyOf(prefix, prefix.length + left);
		System.arraycopy(this.buffer, this.position, ahead, prefix.length, left);
		return new RecordingInputStream(this.source, this.limit, ahead);
	}

}
