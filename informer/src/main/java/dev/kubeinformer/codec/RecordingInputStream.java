package dev.kubeinformer.codec;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * An input stream that remembers the last bytes that were read, so that the bytes of an
 * item that could not be decoded can be looked at once more.
 */
final class RecordingInputStream extends FilterInputStream {

	private byte[] recorded = new byte[16 * 1024];

	/** Offset in the stream of the first recorded byte. */
	private long start;

	private int length;

	RecordingInputStream(InputStream delegate) {
		super(delegate);
	}

	/**
	 * Forgets all bytes before an offset.
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

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] buffer, int offset, int count) throws IOException {
		int read = super.read(buffer, offset, count);
		if (read > 0) {
			if (this.length + read > this.recorded.length) {
				this.recorded = Arrays.copyOf(this.recorded, Math.max(this.length + read, this.recorded.length * 2));
			}
			System.arraycopy(buffer, offset, this.recorded, this.length, read);
			this.length += read;
		}
		return read;
	}

	@Override
	public boolean markSupported() {
		return false;
	}

}
