package dev.kubeinformer.internal.codec.json;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectIdentity;

/**
 * Input stream that remembers the last bytes that were read from it, so that an item that
 * could not be decoded can be examined again.
 */
final class RecordingInputStream extends FilterInputStream {

	private static final int CHUNK = 16 * 1024;

	private byte[] recorded = new byte[CHUNK];

	/** Offset of the first remembered byte in the stream. */
	private long start;

	private int length;

	/** Maximum number of bytes of an object. */
	private final int limit;

	/** Bytes that are read before the rest of the stream. */
	private final byte[] replayed;

	private int replayedTo;

	RecordingInputStream(InputStream delegate, int limit) {
		this(delegate, limit, new byte[0]);
	}

	/**
	 * Creates the stream.
	 * @param delegate the rest of the bytes
	 * @param limit the maximum number of bytes of an object
	 * @param replayed the bytes to read first
	 */
	RecordingInputStream(InputStream delegate, int limit, byte[] replayed) {
		super(delegate);
		this.limit = limit;
		this.replayed = replayed;
	}

	/**
	 * Discards all remembered bytes before an offset.
	 * @param offset the offset in the stream
	 */
	void forgetBefore(long offset) {
		int forgotten = (int) (offset - this.start);
		if (forgotten > 0 && forgotten <= this.length) {
			System.arraycopy(this.recorded, forgotten, this.recorded, 0, this.length - forgotten);
			this.length -= forgotten;
			this.start = offset;
		}
	}

	byte[] bytes(long from, long to) {
		return Arrays.copyOfRange(this.recorded, (int) (from - this.start), (int) (to - this.start));
	}

	/**
	 * Passes everything after an offset to a scan of items. This stream must not be used
	 * afterwards.
	 * @param offset the offset
	 * @param dropped decides by the identity of an item whether the item is dropped;
	 * {@code null} to drop none
	 * @return the items from the offset on
	 */
	ItemScan items(long offset, @Nullable Predicate<ObjectIdentity> dropped) {
		byte[] ahead = resumed(offset, new byte[0]).replayed;
		return new ItemScan(this.in, ahead, this.limit, dropped);
	}

	/**
	 * Returns the bytes of an object or array. Reads the bytes that have not arrived yet
	 * from the stream.
	 * @param from the offset of the first byte
	 * @return the bytes
	 * @throws IOException if the stream ends before the object or array does
	 */
	byte[] value(long from) throws IOException {
		JsonExtent extent = new JsonExtent();
		int scanned = (int) (from - this.start);
		int end = extent.end(this.recorded, scanned, this.length);
		while (end < 0) {
			scanned = this.length;
			if (read(new byte[CHUNK], 0, CHUNK) < 0) {
				throw new MalformedResponseException("An object of a list is cut off");
			}
			end = extent.end(this.recorded, scanned, this.length);
		}
		return Arrays.copyOfRange(this.recorded, (int) (from - this.start), end);
	}

	/**
	 * Returns a stream that begins at an offset, for another reader. This stream must not
	 * be used afterwards.
	 * @param offset the offset
	 * @param prefix the bytes that come first in the returned stream
	 * @return the stream
	 */
	RecordingInputStream resumed(long offset, byte[] prefix) {
		int from = (int) (offset - this.start);
		int unread = this.replayed.length - this.replayedTo;
		byte[] next = Arrays.copyOf(prefix, prefix.length + this.length - from + unread);
		System.arraycopy(this.recorded, from, next, prefix.length, this.length - from);
		System.arraycopy(this.replayed, this.replayedTo, next, next.length - unread, unread);
		return new RecordingInputStream(this.in, this.limit, next);
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] buffer, int offset, int count) throws IOException {
		int read = next(buffer, offset, count);
		if (read > 0) {
			record(buffer, offset, read);
		}
		return read;
	}

	private int next(byte[] buffer, int offset, int count) throws IOException {
		int left = Math.min(count, this.replayed.length - this.replayedTo);
		if (left == 0) {
			return super.read(buffer, offset, count);
		}
		System.arraycopy(this.replayed, this.replayedTo, buffer, offset, left);
		this.replayedTo += left;
		return left;
	}

	private void record(byte[] buffer, int offset, int count) throws MalformedResponseException {
		int needed = this.length + count;
		if (needed > this.limit + CHUNK) {
			throw new MalformedResponseException("An object of a list is longer than %d bytes".formatted(this.limit));
		}
		if (needed > this.recorded.length) {
			this.recorded = Arrays.copyOf(this.recorded, Math.max(needed, this.recorded.length * 2));
		}
		System.arraycopy(buffer, offset, this.recorded, this.length, count);
		this.length = needed;
	}

	@Override
	public boolean markSupported() {
		return false;
	}

}
